#include "lint/output/rule_pages.h"

#include <fmt/format.h>
#include <llvm/Support/ErrorHandling.h>

#include <algorithm>
#include <filesystem>

#include "base/files/install_paths.h"
#include "base/files/uri.h"
#include "lint/selection.h"

namespace msci {
namespace {

// The page without its title.
std::string_view body_of(const ListedRule& rule) {
  return rule.page.substr(std::min(rule.page.find('\n'), rule.page.size() - 1) + 1);
}

std::string suppression_of(const ListedRule& rule) {
  if (rule.family() == "lint")
    return fmt::format(
        "Correct the comment. Comments cannot suppress this rule; `--ignore {}` turns it off.",
        rule.id);
  if (rule.rule->severity == Severity::error)
    return fmt::format(
        "Comments cannot suppress an error. `--ignore {}` turns the rule off, but errors that "
        "prevent\ncompilation are always reported.",
        rule.id);
  return fmt::format(
      "For one place, on its line or the line before: `// msci: allow({0}) reason`.\n"
      "For all files: `--ignore {0}`, or `\"ignore\": [\"{0}\"]` in `.msci.json`.",
      rule.id);
}

// Adds the blank lines around headings and blocks that the pages beside the code omit.
std::string spaced(std::string_view body) {
  std::string text;
  bool in_block = false;
  while (!body.empty()) {
    const auto end = std::min(body.find('\n'), body.size() - 1) + 1;
    const auto line = body.substr(0, end);
    body.remove_prefix(end);
    const bool is_fence = line.starts_with("```");
    const bool is_heading = !in_block && line.starts_with("## ");
    if (((is_fence && !in_block) || is_heading) && !text.ends_with("\n\n")) text += '\n';
    text += line;
    if (is_fence) in_block = !in_block;
    if (((is_fence && !in_block) || is_heading) && !body.starts_with('\n')) text += '\n';
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

// A cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string_view availability_name(FixAvailability fix) {
  switch (fix) {
    case FixAvailability::none:
      return "none";
    case FixAvailability::unsafe:
      return "unsafe";
    case FixAvailability::safe:
      return "safe";
  }
  llvm_unreachable("all kinds are named above");
}

// "metal.restrict" → "metal/restrict".
std::string page_name(std::string_view rule) {
  std::string name(rule);
  std::replace(name.begin(), name.end(), '.', '/');
  return name;
}

// Lists of one family and of all rules have the same columns.
constexpr std::size_t longest_rule = 35;

constexpr std::string_view placeholder = "{rule}";

bool has_scheme(std::string_view url) {
  return url.find("://") != std::string_view::npos || url.starts_with("file:");
}

}  // namespace

RulePages::RulePages(std::string base) : base_(std::move(base)) {
  while (base_.ends_with('/')) base_.pop_back();
  if (base_.empty() || has_scheme(base_)) return;
  std::error_code none;
  base_ = uri_of(std::filesystem::absolute(base_, none).lexically_normal().string());
}

RulePages RulePages::installed() {
  const auto folder = documentation_folder();
  return folder.empty() ? RulePages() : RulePages(folder + "/rules");
}

std::string RulePages::url_of(std::string_view rule) const {
  if (is_unknown()) return {};
  const auto at = base_.find(placeholder);
  if (at == std::string::npos) return fmt::format("{}/{}.md", base_, page_name(rule));
  return fmt::format("{}{}{}", base_.substr(0, at), page_name(rule),
                     base_.substr(at + placeholder.size()));
}

std::string RulePages::index() const {
  if (is_unknown()) return {};
  const auto at = base_.find(placeholder);
  return at == std::string::npos ? base_ + "/README.md" : base_.substr(0, at);
}

std::string beginning_of(std::string_view page) {
  return std::string(page.substr(0, page.find("\n## Flagged")));
}

std::string page_of(const ListedRule& rule) {
  return fmt::format("# {}\n\nSeverity: {}.\n\n{}\n## Suppression\n\n{}\n", rule.id,
                     to_string(rule.rule->severity), spaced(body_of(rule)), suppression_of(rule));
}

std::string rule_list(std::span<const ListedRule> rules, std::string_view proofs_off) {
  std::string text;
  for (const auto& rule : rules) {
    const auto fix = fix_of(rule);
    const bool is_limited = rule.rule->asks_proofs && !proofs_off.empty();
    text += fmt::format(
        "{:<{}}  {:<7}  {:<10}  {}{}\n", rule.id, longest_rule, to_string(rule.rule->severity),
        fix == FixAvailability::none ? "" : fmt::format("{} fix", availability_name(fix)),
        rule.summary(), is_limited ? fmt::format(" (proofs are off: {})", proofs_off) : "");
  }
  return text;
}

FixAvailability fix_of(const ListedRule& rule) {
  if (rule.page.find("```metal fixed\n") != std::string_view::npos) return FixAvailability::safe;
  if (rule.page.find("```metal fixed unsafe\n") != std::string_view::npos)
    return FixAvailability::unsafe;
  return FixAvailability::none;
}

std::string index_of(std::span<const ListedRule> rules) {
  std::string text =
      "# Rules\n\n"
      "`msci-lint --explain RULE` prints a page. [Linting](../docs/guide/linting.md) describes how "
      "to select rules, change\ntheir severity, suppress findings and apply fixes.\n\n"
      "This file is generated. Build the target `rule_pages` after a change to a rule.\n";
  std::string_view family;
  for (const auto& rule : rules) {
    if (rule.family() != family)
      text += fmt::format("\n## {}\n\n| rule | severity | fix | summary |\n|---|---|---|---|\n",
                          rule.family());
    family = rule.family();
    text += fmt::format("| [{}]({}.md) | {} | {} | {} |\n", rule.id, page_name(rule.id),
                        to_string(rule.rule->severity), availability_name(fix_of(rule)),
                        cell(rule.summary()));
  }
  return text;
}

}  // namespace msci
