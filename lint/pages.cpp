#include "lint/pages.h"

#include <fmt/format.h>

#include <algorithm>

#include "lint/selection.h"

namespace msci {
namespace {

// The page without its title.
std::string_view body_of(const ListedRule& rule) {
  return rule.page.substr(std::min(rule.page.find('\n'), rule.page.size() - 1) + 1);
}

std::string silence_of(const ListedRule& rule) {
  if (rule.family() == "lint")
    return fmt::format("Mend the comment. No comment can allow it; `--ignore {}` does without it.",
                       rule.id);
  if (rule.rule->severity == Severity::error)
    return fmt::format(
        "As an error it cannot be allowed in the source. Where it is not what keeps the source "
        "from compiling,\n`--ignore {}` does without it.",
        rule.id);
  return fmt::format(
      "At one place, on its line or the line before: `// msci: allow({0}) why it is right here`.\n"
      "Everywhere: `--ignore {0}`, or in `.msci.json` `\"ignore\": [\"{0}\"]`.",
      rule.id);
}

// Blank lines around headings and blocks, which the pages beside the code do without.
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

std::string index_of(std::span<const ListedRule> rules) {
  std::string text =
      "# Rules\n\nWritten by `msci-lint --write-docs` from the pages beside the rules' code; "
      "`msci-lint --explain RULE` prints one.\n";
  std::string_view family;
  for (const auto& rule : rules) {
    if (rule.family() != family)
      text += fmt::format("\n## {}\n\n| rule | severity | |\n|---|---|---|\n", rule.family());
    family = rule.family();
    text += fmt::format("| [{0}]({0}.md) | {1} | {2} |\n", rule.id, name_of(rule.rule->severity),
                        cell(rule.summary()));
  }
  return text;
}

}  // namespace

std::string page_of(const ListedRule& rule) {
  return fmt::format("# {}\n\nSeverity: {}.\n\n{}\n## Silencing it\n\n{}\n", rule.id,
                     name_of(rule.rule->severity), spaced(body_of(rule)), silence_of(rule));
}

std::map<std::string, std::string> pages_of(std::span<const ListedRule> rules) {
  std::map<std::string, std::string> pages{{"README.md", index_of(rules)}};
  for (const auto& rule : rules) pages[fmt::format("{}.md", rule.id)] = page_of(rule);
  return pages;
}

}  // namespace msci
