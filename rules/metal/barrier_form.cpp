#include <algorithm>
#include <array>

#include "lint/analysis/raw_tokens.h"
#include "lint/explanation.h"
#include "lint/rule.h"

namespace msci {
namespace {

constexpr std::array flag_names = {"mem_threadgroup", "mem_device", "mem_texture", "mem_none"};
constexpr std::array foreign_flags = {"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                      "memory_scope_device", "memory_scope_work_group"};

template <typename List>
bool is_one_of(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_barrier(const RawToken& word) {
  return word.is("threadgroup_barrier") || word.is("simdgroup_barrier");
}

// The words around the place that a diagnostic points to.
struct Surroundings {
  FileTokens tokens;
  std::size_t at = 0;

  const RawToken& operator[](int offset) const {
    static const RawToken none{};
    const auto& words = tokens.words();
    const auto index = at + static_cast<std::size_t>(offset);
    return index < words.size() ? words[index] : none;
  }
  bool is_behind_flags() const { return (*this)[-1].is("::") && (*this)[-2].is("mem_flags"); }
};

Surroundings around(const Unit& unit, const Place& place) {
  const FileTokens tokens(unit, place);
  return {tokens, tokens.at(place)};
}

// Whether it is worth a look at the words around it.
bool may_be_about_barriers(std::string_view message) {
  for (const std::string_view start :
       {"no matching function for call to '", "use of undeclared identifier '", "no member named '",
        "expected unqualified-id", "invalid operands to binary expression"})
    if (message.starts_with(start)) return true;
  return false;
}

constexpr auto usual =
    "write mem_flags::mem_threadgroup, or mem_flags::mem_device if threads share a device buffer";

}  // namespace

extern constinit const Rule barrier_form{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          if (!may_be_about_barriers(diagnostic.message)) return DiagnosticMatch::none;
          const auto words = around(unit, diagnostic.place);
          const auto text = std::string_view(diagnostic.message);
          const auto insert = [&](const Place& before, std::string text) {
            finding.fixes = {{{{before.start(), std::move(text)}}, /*safe=*/false}};
          };
          if (text.starts_with("no matching function for call to '") && is_barrier(words[0])) {
            const bool empty = words[1].is("(") && words[2].is(")");
            finding.notes.clear();
            add_remedy(finding, empty
                                    ? "a barrier needs flags for the memory that it orders: write "
                                      "mem_flags::mem_threadgroup"
                                    : "a barrier takes one argument of type mem_flags");
            if (empty) insert(words.tokens.place_of(words[2]), "mem_flags::mem_threadgroup");
            return DiagnosticMatch::finding;
          }
          if (text.starts_with("use of undeclared identifier '") &&
              is_one_of(flag_names, words[0].text)) {
            finding.notes.clear();
            add_remedy(finding, "the flags are members of mem_flags");
            insert(diagnostic.place, "mem_flags::");
            return DiagnosticMatch::finding;
          }
          const bool foreign = text.starts_with("use of undeclared identifier '") &&
                               is_one_of(foreign_flags, words[0].text);
          const bool unknown_flag =
              words.is_behind_flags() && (text.starts_with("no member named '") ||
                                          text.starts_with("expected unqualified-id"));
          const bool mixed =
              text.starts_with("invalid operands to binary expression ('metal::mem_flags' and");
          if (!foreign && !unknown_flag && !mixed) return DiagnosticMatch::none;
          finding.notes.clear();
          add_remedy(finding, usual);
          finding.fixes.clear();
          return DiagnosticMatch::finding;
        },
};

}  // namespace msci
