// A rule: data plus functions. Its id and its page come from the files that hold it (rules/).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/finding.h"
#include "lint/host/host.h"
#include "lint/metal/unit.h"

namespace msci {

// What somebody promises to bind to a kernel, spelt as in Metal.
struct Promise {
  std::string kernel;
  unsigned index = 0;
  std::string type;  // "device const float *"
  bool operator==(const Promise&) const = default;
};

// What the caller knows about the source beyond its text.
struct Expectation {
  std::vector<std::string> kernels;  // that a host will dispatch; empty where nobody said
  std::vector<Promise> promises;     // what it will bind to them; of a kernel all or none
  std::string from;                  // who said so, for messages: "the task saxpy"
  std::shared_ptr<const Host> host;  // null where none is given
  bool operator==(const Expectation&) const = default;
};

// Takes the findings of one rule.
class Reporter {
 public:
  // A finding under construction: `report(where, "message").note(…).fix(…)`.
  class Draft {
   public:
    Draft(Finding* finding, const Unit& unit) : finding_(finding), unit_(unit) {}
    Draft& note(const Range& range, std::string message);
    Draft& note(clang::SourceRange range, std::string message);
    Draft& fix(std::vector<Edit> edits);
    Draft& unsafe_fix(std::vector<Edit> edits);
    Draft& severity(Severity severity);

   private:
    Finding* finding_;  // null: the place is not in the user's text, and nothing is said
    const Unit& unit_;
  };

  Reporter(std::string_view rule, Severity severity, const Unit& unit,
           const Expectation& expectation)
      : rule_(rule), severity_(severity), unit_(unit), expectation_(expectation) {}

  Draft operator()(const Range& range, std::string message);
  // The whole text of a node, or the one token at a location.
  Draft operator()(clang::SourceRange range, std::string message);
  Draft operator()(clang::SourceLocation location, std::string message);
  // A place in the host's source, where one is given.
  Draft in_host(const Range& range, std::string message);

  const Expectation& expectation() const { return expectation_; }
  std::vector<Finding> take() && { return std::move(findings_); }

 private:
  std::string_view rule_;
  Severity severity_;
  const Unit& unit_;
  const Expectation& expectation_;
  std::vector<Finding> findings_;
};

// What a rule makes of one of the compiler's diagnostics: none of its matter; its own finding; or
// only the consequence of another one, not worth a word.
enum class Adoption { none, finding, consequence };

// What a rule has to offer; it leaves out the functions that it does not need.
struct Rule {
  Severity severity = Severity::warning;
  // Looks at a diagnostic of the compiler's; `finding` already says the same and may be improved.
  Adoption (*adopt)(const Unit& unit, const Diagnostic& diagnostic, Finding& finding) = nullptr;
  // Adopts what no other rule wants.
  bool adopts_last = false;
  // Looks at the AST.
  void (*check)(const Unit& unit, Reporter& report) = nullptr;
  // Whether `check` runs, too, where the source did not compile.
  bool checks_broken = false;
};

// A rule as the build lists it.
struct ListedRule {
  std::string_view id;    // "metal.restrict"
  std::string_view page;  // Markdown
  const Rule* rule = nullptr;

  std::string_view family() const { return id.substr(0, id.find('.')); }
  // The page's first sentence.
  std::string_view summary() const;
};

}  // namespace msci
