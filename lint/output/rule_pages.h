// The pages of the rules for readers: --explain, --list-rules, SARIF's help, and the index in
// rules/README.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lint/rule.h"

namespace msci {

// The page of a rule: its id, its severity, the text beside its code, how to suppress it.
std::string page_of(const ListedRule& rule);

// A page up to its examples: what the rule finds, and why.
std::string beginning_of(std::string_view page);

// The rules, one on a line, each with its severity, its fix and the first sentence of its page.
// `proofs_off`: why there are no proofs, which some rules ask for; empty if there are.
std::string rule_list(std::span<const ListedRule> rules, std::string_view proofs_off = "");

// The addresses of the pages. By default they are unknown.
class RulePages {
 public:
  RulePages() = default;
  // `base`: the URL or path of a folder with the pages as Markdown, laid out as rules/ is; or a URL
  // that holds "{rule}" where a page's "metal/restrict" belongs.
  explicit RulePages(std::string base);
  // Those beside the running program, as installed or in a build.
  static RulePages installed();

  bool is_unknown() const { return base_.empty(); }
  // Whether readers on other machines can open the pages, too.
  bool is_on_the_web() const { return base_.starts_with("http"); }
  // The address of a rule's page; empty if unknown.
  std::string url_of(std::string_view rule) const;
  // The address of the index of all rules; empty if unknown.
  std::string index() const;

 private:
  std::string base_;  // a URL without "/" at its end
};

// Whether msci-lint can fix what a rule finds.
enum class FixAvailability { none, unsafe, safe };

// The best fix that the page shows: its `metal fixed` blocks are safe fixes, its `metal fixed
// unsafe` blocks are unsafe ones. A test compares both with the rule's findings.
FixAvailability fix_of(const ListedRule& rule);

// The index of all rules as Markdown, with links to their pages as seen from rules/.
std::string index_of(std::span<const ListedRule> rules);

}  // namespace msci
