#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/append.h"
#include "lint/host/embedded/composed_sources.h"
#include "lint/host/embedded/embedded_sources.h"
#include "lint/host/words/words.h"
#include "lint/run/lint_files.h"

namespace msci {
namespace {

constexpr std::string_view partial_source = "lint.partial_source";

std::vector<ComposedSource> composed_in(const Source& host) {
  const bool is_python = host::language_of(host.name) == host::HostLanguage::python;
  return is_python ? composed_sources(host.text) : std::vector<ComposedSource>();
}

// Those that stand in the host as they are, and are no part of a composed one.
std::vector<EmbeddedSource> sources_in(const Source& host,
                                       const std::vector<ComposedSource>& composed) {
  const auto language = host::language_of(host.name);
  if (!language) return {};
  auto all = embedded_sources(host.text, *language);
  std::erase_if(all, [&](const EmbeddedSource& each) {
    return std::ranges::any_of(composed, [&](const ComposedSource& whole) {
      return !whole.texts.empty() &&
             std::ranges::find(whole.literals, each.parts.front().begin) != whole.literals.end();
    });
  });
  return all;
}

// Moves a place of a composed text to the host. False if it stands nowhere there.
bool move_to_host(Place& place, const Source& metal, const ComposedText& text, const Source& host,
                  std::size_t otherwise) {
  if (!place.file.empty()) return true;  // of a header, or of the host
  const auto begin = offset_of(metal, place.range.begin), end = offset_of(metal, place.range.end);
  const auto from = text.place_of(begin, otherwise);
  const auto to = text.is_copied(begin) ? text.place_of(end, from) : from;
  place.range = {location_at(host, from), location_at(host, std::max(from, to))};
  return text.is_copied(begin);
}

// What was found in a composed text, at the places of the host. Remarks on the words that mlx adds
// are left out; an error in them stands at the call.
void move_to_host(std::vector<Finding>& findings, const Source& metal, const ComposedText& text,
                  const Source& host, std::size_t call) {
  std::erase_if(findings, [&](Finding& finding) {
    finding.fixes.clear();
    std::erase_if(finding.notes,
                  [&](Note& note) { return !move_to_host(note.place, metal, text, host, call); });
    return !move_to_host(finding.place, metal, text, host, call) &&
           finding.severity != Severity::error;
  });
}

// Text that only stands for other text: "{{", "%d" and "%@", "$name", "@name@".
bool has_placeholder(std::string_view metal) {
  const auto words = host::words_in(metal, host::HostLanguage::c_family);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool touches = words[i].end() == words[i + 1].offset;
    if (words[i].is("$") || words[i].is("@")) return true;
    if (!touches) continue;
    if (words[i].is("{") && words[i + 1].is("{")) return true;
    if (words[i].is("%") && (words[i + 1].is("d") || words[i + 1].is("s") || words[i + 1].is("u")))
      return true;
  }
  return false;
}

void add_proofs(std::optional<ProofCoverage>& whole, const std::optional<ProofCoverage>& one) {
  if (!one) return;
  if (!whole) whole.emplace();
  append(whole->kernels, one->kernels);
  append(whole->unproved, one->unproved);
  if (whole->off.empty()) whole->off = one->off;
}

// Lints one string of a host after the other.
class HostLinter {
 public:
  HostLinter(Source host, std::span<const ListedRule> rules, const LintRequest& request,
             PreambleCache* preamble_cache)
      : host_(std::move(host)),
        composed_(composed_in(host_)),
        sources_(sources_in(host_, composed_)),
        rules_(rules),
        request_(request),
        preamble_cache_(preamble_cache) {}

  bool has_sources() const { return !sources_.empty() || !composed_.empty(); }

  // The report on a file in which there is nothing to check.
  FileReport without_metal() {
    whole_ = {.source = host_, .compiled = true, .contract = request_.contract};
    say(0, "no Metal in it: no string includes <metal_stdlib>, or has a kernel with [[buffer(0)]]");
    return std::move(whole_);
  }

  Result<FileReport> report(const OnProgress& on_progress) {
    whole_ = {.source = host_, .compiled = true, .contract = request_.contract};
    for (const auto& each : sources_) {
      if (!each.unknown.empty()) {
        add_note(each.parts.front().begin, each.unknown);
        continue;
      }
      const OnProgress tell = [&](const FileReport& so_far) {
        auto all = whole_;
        add(all, so_far, each);
        on_progress(all);
      };
      auto one = examine({host_.name, alone(host_.text, each)}, rules_, request_, preamble_cache_,
                         on_progress ? tell : nullptr);
      if (!one) return one.error();
      if (const auto why = why_partial(each, *one); !why.empty())
        add_note(each.parts.front().begin, why);
      else
        add(whole_, *std::move(one), each);
    }
    for (const auto& each : composed_)
      if (auto error = add(each)) return *std::move(error);
    if (sources_.size() == most_embedded_sources)
      whole_.error = fmt::format("more than {} Metal sources in its strings", sources_.size() - 1);
    keep_what_all_lack();
    std::ranges::stable_sort(whole_.findings, {}, &Finding::place);
    return std::move(whole_);
  }

  // The text of the host after the fixes of its strings, whose rules go to `fixes`.
  Result<std::string> fixed(const FixRequest& fix, std::vector<std::string>& fixes) {
    auto text = host_.text;
    // From the end: what stands before keeps its place.
    for (auto each = sources_.rbegin(); each != sources_.rend(); ++each) {
      const auto metal = alone(host_.text, *each);
      if (!is_fixable(*each, metal)) continue;
      const auto inside = inside_of(*each);
      auto made = lint_and_fix({host_.name, metal}, rules_, request_, inside.only(fix));
      if (!made) return made.error();
      if (!made->fixed || !why_partial(*each, made->report).empty()) continue;
      const auto& part = each->parts.front();
      text.replace(part.begin, part.end - part.begin, inside.body_of(made->fixed->source.text));
      append(fixes, made->fixes);
    }
    return text;
  }

 private:
  // The body of a literal, which fixes may not leave.
  struct Inside {
    const Source& host;
    std::size_t begin;
    std::size_t behind;  // bytes between it and the end of the host
    bool takes_lines;

    std::string body_of(const std::string& metal) const {
      return metal.substr(begin, metal.size() - behind - begin);
    }

    bool holds(const Edit& edit, const Source& metal) const {
      const auto from = offset_of(metal, edit.place.range.begin);
      const auto to = offset_of(metal, edit.place.range.end);
      return from >= begin && to <= metal.text.size() - behind &&
             edit.replacement.find_first_of("\\\"'\r") == std::string::npos &&
             (takes_lines || edit.replacement.find('\n') == std::string::npos);
    }

    // The request without fixes that would leave the literal. A baseline sees the lines of the
    // host.
    FixRequest only(const FixRequest& fix) const {
      auto mine = fix;
      mine.hide_known = [inside = *this, known = fix.hide_known](FileReport& report) {
        const auto metal = report.source;
        if (known) {
          report.source.text = inside.host.text.substr(0, inside.begin) +
                               inside.body_of(metal.text) +
                               inside.host.text.substr(inside.host.text.size() - inside.behind);
          known(report);
          report.source = metal;
        }
        for (auto& finding : report.findings)
          std::erase_if(finding.fixes, [&](const Fix& each) {
            return !std::ranges::all_of(
                each.edits, [&](const Edit& edit) { return inside.holds(edit, metal); });
          });
      };
      return mine;
    }
  };

  Inside inside_of(const EmbeddedSource& source) const {
    const auto& part = source.parts.front();
    return {host_, part.begin, host_.text.size() - part.end, part.takes_lines};
  }

  // Whether the literal stands in the host as it stands in the Metal source.
  bool is_fixable(const EmbeddedSource& source, const std::string& metal) const {
    if (!source.unknown.empty() || source.parts.size() != 1) return false;
    const auto& part = source.parts.front();
    const auto size = part.end - part.begin;
    return !part.has_escapes && metal.compare(part.begin, size, host_.text, part.begin, size) == 0;
  }

  // Why a source with errors may be a part of what the host compiles; empty if it is whole.
  std::string why_partial(const EmbeddedSource& source, const FileReport& report) const {
    if (report.compiled || report.error) return "";
    const auto metal = alone(host_.text, source);
    for (const auto& finding : report.findings) {
      if (finding.severity != Severity::error) continue;
      if (finding.message.find("file not found") != std::string::npos)
        return "it includes a file that is not there";
      const auto name = unknown_name(finding.message);
      if (name.empty()) continue;
      if (is_named_elsewhere(name, source))
        return fmt::format("it needs '{}', which another string of the host names", name);
      if (!source.is_compiled_alone)
        return fmt::format("it needs '{}', which the host may define", name);
    }
    return has_placeholder(metal) ? "the host seems to put values into it" : "";
  }

  // Whether another string of the host names it, from which the host can define it.
  bool is_named_elsewhere(const std::string& name, const EmbeddedSource& source) const {
    const auto is_inside = [&](std::size_t at) {
      return std::ranges::any_of(
          source.parts, [&](const TextPart& part) { return part.begin <= at && at < part.end; });
    };
    const auto language = host::language_of(host_.name);
    const auto words = host::words_in(host_.text, *language);
    return std::ranges::any_of(words, [&](const host::Word& word) {
      if (!word.is_string() || is_inside(word.offset + word.text.size() / 2)) return false;
      const auto inner = host::words_in(word.body, host::HostLanguage::c_family);
      return std::ranges::any_of(inner, [&](const host::Word& each) { return each.is(name); });
    });
  }

  // Lints a composed source with the first types of its arrays with which it has no error.
  std::optional<Error> add(const ComposedSource& source) {
    if (!source.unknown.empty()) {
      add_note(source.call, source.unknown);
      return std::nullopt;
    }
    std::optional<FileReport> first;
    for (const auto& text : source.texts) {
      const Source metal{host_.name, text.text};
      auto one = examine(metal, rules_, request_, preamble_cache_, nullptr);
      if (!one) return one.error();
      move_to_host(one->findings, metal, text, host_, source.call);
      for (auto& [finding, reason] : one->suppressed)
        move_to_host(finding.place, metal, text, host_, source.call);
      if (one->compiled || one->error) {
        add(whole_, *std::move(one));
        return std::nullopt;
      }
      if (!first) first = *std::move(one);
    }
    if (const auto why = why_partial(source, *first); !why.empty())
      add_note(source.call, why);
    else
      add(whole_, *std::move(first));
    return std::nullopt;
  }

  static std::string why_partial(const ComposedSource& source, const FileReport& report) {
    for (const auto& finding : report.findings) {
      if (finding.severity != Severity::error) continue;
      if (finding.message.find("file not found") != std::string::npos)
        return "it includes a file that is not there";
      if (const auto name = unknown_name(finding.message); !source.knows_template && !name.empty())
        return fmt::format("it needs '{}', which a call in another file may define", name);
    }
    return "";
  }

  void add_note(std::size_t place, const std::string& why) {
    say(place, fmt::format("this Metal source is not checked: {}", why));
  }

  void say(std::size_t place, std::string message) {
    const auto* rule = find_rule(rules_, partial_source);
    if (!rule || !selected(*rule, request_)) return;
    const auto at = location_at(host_, place);
    whole_.findings.push_back({.rule = std::string(partial_source),
                               .severity = severity_of(rule->rule->severity, *rule, request_),
                               .place = {"", {at, at}},
                               .message = std::move(message)});
  }

  void add(FileReport& whole, FileReport one, const EmbeddedSource& source) const {
    keep_fixes_inside(one.findings, source);
    add(whole, std::move(one));
  }

  static void add(FileReport& whole, FileReport one) {
    whole.compiled &= one.compiled;
    append(whole.findings, one.findings);
    append(whole.suppressed, one.suppressed);
    append(whole.kernels, one.kernels);
    append(whole.lookups, one.lookups);
    append(whole.warnings, one.warnings);
    add_proofs(whole.proofs, one.proofs);
    for (auto& file : one.included)
      if (std::ranges::find(whole.included, file) == whole.included.end())
        whole.included.push_back(std::move(file));
    for (auto& [file, directives] : one.line_directives)
      if (!file.empty()) whole.line_directives.emplace(file, std::move(directives));
    if (one.error) whole.error = one.error;
  }

  // Leaves no fix that would change other text of the host.
  void keep_fixes_inside(std::vector<Finding>& findings, const EmbeddedSource& source) const {
    const Source metal{host_.name, alone(host_.text, source)};
    const bool is_possible = is_fixable(source, metal.text);
    const auto inside = inside_of(source);
    for (auto& finding : findings)
      std::erase_if(finding.fixes, [&](const Fix& fix) {
        return !is_possible || !std::ranges::all_of(fix.edits, [&](const Edit& edit) {
          return inside.holds(edit, metal);
        });
      });
  }

  // A kernel that one string lacks may be in another one, even in one that was not checked.
  void keep_what_all_lack() {
    const auto speaks_of_all = [](const Finding& finding) {
      return finding.rule == "degenerate.missing_kernel" || finding.rule == "degenerate.no_kernel";
    };
    std::map<std::string, std::size_t> lacking;
    for (const auto& each : whole_.findings)
      if (speaks_of_all(each)) ++lacking[each.message];
    std::set<std::string> said;
    std::erase_if(whole_.findings, [&](const Finding& each) {
      return speaks_of_all(each) && (lacking[each.message] < sources_.size() + composed_.size() ||
                                     !said.insert(each.message).second);
    });
  }

  const Source host_;
  const std::vector<ComposedSource> composed_;
  const std::vector<EmbeddedSource> sources_;
  std::span<const ListedRule> rules_;
  const LintRequest& request_;
  PreambleCache* preamble_cache_;
  FileReport whole_;
};

}  // namespace

bool is_host_of_strings(const Source& source) {
  const auto language = host::language_of(source.name);
  return language &&
         (holds_metal_in_strings_only(source.name) || has_embedded_source(source.text, *language));
}

Result<LintResult> lint_embedded(const Source& host, std::span<const ListedRule> rules,
                                 const LintRequest& request, const std::optional<FixRequest>& fix,
                                 PreambleCache* preamble_cache, const OnProgress& on_progress) {
  HostLinter linter(host, rules, request, preamble_cache);
  if (!linter.has_sources()) return LintResult{.report = linter.without_metal()};
  auto report = linter.report(on_progress);
  if (!report) return report.error();
  LintResult result{.report = *std::move(report)};
  if (!fix) return result;
  auto text = linter.fixed(*fix, result.fixes);
  if (!text) return text.error();
  if (*text == host.text) return result;
  auto after = HostLinter({host.name, *std::move(text)}, rules, request, nullptr).report(nullptr);
  if (!after) return after.error();
  result.fixed = *std::move(after);
  return result;
}

}  // namespace msci
