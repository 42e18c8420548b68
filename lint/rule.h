// A rule: data plus functions. Its id and its page come from its files (rules/).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/unit.h"
#include "lint/contract.h"
#include "lint/finding.h"

namespace msci {

// What a kernel needs of a core of an Apple GPU, as docs/concepts/prediction.md models it.
struct KernelResources {
  std::string kernel;                 // as the host calls it
  unsigned registers = 0;             // of 16 bits, that a thread needs at once, about
  unsigned registers_allowed = 0;     // of a thread, by the kernel's limit on its threadgroups
  unsigned thread_limit = 0;          // of a threadgroup, as the kernel declares; 0 for none
  std::size_t threadgroup_bytes = 0;  // static, of a threadgroup
  unsigned threads_by_registers = 0;  // that a core can hold at once
  unsigned groups_by_memory = 0;      // threadgroups that it can hold; 0 without threadgroup memory
};

// Finds them for the kernels that can be translated; changes the unit.
using FindKernelResources = std::vector<KernelResources> (*)(Unit& unit);

class ThreadFlow;  // lint/analysis/flow/thread_flow.h

// Takes the findings of one rule.
class Reporter {
 public:
  // A finding under construction: `report(where, "message").note(…).fix(…)`.
  class Draft {
   public:
    Draft(Finding* finding, const Unit& unit) : finding_(finding), unit_(unit) {}
    Draft& note(Place place, std::string message);
    Draft& note(clang::SourceRange range, std::string message);
    Draft& fix(std::vector<Edit> edits);
    Draft& severity(Severity severity);

   private:
    Finding* finding_;  // null: the place is outside the user's text, and the finding is dropped
    const Unit& unit_;
  };

  Reporter(std::string_view rule, Severity severity, const Unit& unit, const Contract& contract,
           FindKernelResources find_resources = nullptr)
      : rule_(rule),
        severity_(severity),
        unit_(unit),
        contract_(contract),
        find_resources_(find_resources) {}

  Draft operator()(Place place, std::string message);
  // The whole text of a node, or the one token at a location.
  Draft operator()(clang::SourceRange range, std::string message);
  // A place in the host's source; the contract has a host.
  Draft in_host(const Range& range, std::string message);

  const Contract& contract() const { return contract_; }
  // Null where the program that lints cannot tell, or is not asked to.
  FindKernelResources find_resources() const { return find_resources_; }
  std::vector<Finding> take() && { return std::move(findings_); }

 private:
  std::string_view rule_;
  Severity severity_;
  const Unit& unit_;
  const Contract& contract_;
  FindKernelResources find_resources_;
  std::vector<Finding> findings_;
};

// How a rule treats one of the compiler's diagnostics: it leaves it to other rules, reports it as a
// finding of its own, or drops it as a mere consequence of another diagnostic.
enum class DiagnosticMatch { none, finding, consequence };

// A rule sets only the functions that it needs.
struct Rule {
  Severity severity = Severity::warning;
  // Receives each diagnostic of the compiler; `finding` holds the same text and may be improved.
  DiagnosticMatch (*match_diagnostic)(const Unit& unit, const Diagnostic& diagnostic,
                                      Finding& finding) = nullptr;
  // Receives only the diagnostics that no other rule matches.
  bool matches_last = false;
  // Inspects the AST.
  void (*check)(const Unit& unit, Reporter& report) = nullptr;
  // Inspects a kernel; of a template, the first instances (representative_kernels()).
  void (*check_kernel)(const clang::FunctionDecl& kernel, const Unit& unit,
                       Reporter& report) = nullptr;
  // Inspects the flow of the threads of such a kernel; kernels whose flow is unknown are left out.
  void (*check_flow)(const ThreadFlow& flow, Reporter& report) = nullptr;
  // Inspects a flow in which threads wait for or hear of each other (cooperative_flows()).
  void (*check_cooperative_flow)(const ThreadFlow& flow, Reporter& report) = nullptr;
  // Whether `check` also runs on a source that does not compile.
  bool runs_on_broken_source = false;
  // Whether it reports what proofs find (lint/proofs/), all of it or beside its patterns.
  bool asks_proofs = false;

  bool inspects_ast() const {
    return check || check_kernel || check_flow || check_cooperative_flow;
  }
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
