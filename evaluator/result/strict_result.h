// The strict verdict on a kernel (docs/strict_verdict.md), beside its Outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/coverage/certificate.h"
#include "base/diagnostic.h"
#include "base/judging/nonce.h"
#include "evaluator/result/described.h"
#include "evaluator/result/diagnostic_fields.h"
#include "evaluator/result/outcome.h"
#include "evaluator/result/size_result.h"

namespace msci {

// A kernel whose answer at a size depends on the order in which Metal may run it. Orders are
// spelled as in tasks/plan/execution.h.
struct OrderDependence {
  std::string size;
  std::string right;  // the order with the right answer
  std::string wrong;
  bool operator==(const OrderDependence&) const = default;
};

struct StrictResult {
  bool passed = false;      // all sizes are right, no buffer is overrun, nothing is at fault, and
                            // no checked run is missing
  std::string device = {};  // the name of the device on which the sizes ran
  std::uint64_t nonce = 0;  // gives the same inputs again
  std::vector<SizeResult> sizes;                    // in the worst order
  std::optional<OrderDependence> order_dependence;  // of the first such size
  std::vector<std::string> faults = {};             // that checked runs found
  std::vector<Diagnostic> findings = {};            // the same, with their places
  std::vector<std::string> irrelevant_parts;        // by ablation; do not count as wrong
  std::optional<std::string> not_checked = {};      // why a checked run could not be made
  // The first outcome of a condition that could not be reached, if there is one.
  std::optional<std::string> never_executed = {};
  std::optional<Certificate> certificate = {};    // of a program whose runs record outcomes
  std::optional<std::string> not_certified = {};  // why its certificate could not be made
  bool operator==(const StrictResult&) const = default;
};

// Whether one size of the stress problem passes.
inline bool is_strictly_right(const SizeResult& size) {
  return size.correct() && size.keeps_the_rules();
}

// Why the verdict is open: a checked run could not be made, or code was never executed, and nothing
// else is wrong. None if the kernel passes or is wrong.
std::optional<std::string> why_undecided(const StrictResult& strict);

// Why the strict verdict refuses a kernel of a benchmark's task that the recorded one accepts: its
// own sizes, checked runs, timed passes, or recorded sizes with an error that rounding does not
// explain. None if it accepts it.
std::optional<std::string> strict_fail_reason(const Outcome& outcome,
                                              const std::optional<StrictResult>& strict);

template <typename Fields, Described<OrderDependence> Value>
void describe(Fields& field, Value& dependence) {
  field.required("size", dependence.size, "of the stress problem");
  field.required("right", dependence.right, "an order as --order takes it, with a correct answer");
  field.required("wrong", dependence.wrong, "an order with a wrong answer");
}

template <typename Fields, Described<CertifiedOutcome> Value>
void describe(Fields& field, Value& outcome) {
  field.required("kernel", outcome.kernel, "whose condition it is");
  field.required("file", outcome.file, "that the source includes; empty for the source itself");
  field.required("line", outcome.line, "1 is the first; 0 if it is unknown");
  field.required("column", outcome.column, "of the source");
  field.required("condition", outcome.condition,
                 "true of this outcome, in terms of the kernel's arguments, positions and memory");
  field.required_choice("status", outcome.status, CertifiedOutcome::Status::never,
                        "seen in a judged run, impossible in all launches of the task, or never "
                        "seen");
  field.required("of_data", outcome.of_data, "whether it depends on the contents of buffers");
  field("constants", outcome.constants, "numbers that the condition compares with");
  field.required("copies", outcome.copies, "of the condition that the compiler has made");
  field.derived("decisive", is_decisive(outcome),
                "whether it leaves the verdict open: it was never seen, and its condition compares "
                "with a number of the kernel's own");
}

template <typename Fields, Described<Certificate> Value>
void describe(Fields& field, Value& certificate) {
  field.elements(
      "outcomes", certificate.outcomes,
      [](auto& element, auto& outcome) { describe(element, outcome); },
      "of all conditions in the optimised code");
}

template <typename Fields, Described<StrictResult> Value>
void describe(Fields& field, Value& strict) {
  auto nonce = hexadecimal(strict.nonce);
  field(
      "passed", strict.passed,
      "whether all sizes are correct, no buffer is overrun, no input changed, and, with --strict, "
      "no checked run finds a fault or is missing");
  field.text("device", strict.device,
             "the name of the device on which it ran; with --strict the processor");
  field("nonce", nonce, "hexadecimal; --nonce repeats the inputs with it");
  field.elements(
      "sizes", strict.sizes,
      [](auto& element, auto& size) {
        describe_answer(element, size);
        element("overruns", size.overruns, "buffers with writes outside their ends");
        element("changed_inputs", size.changed_inputs, "constant buffers that it changed");
      },
      "of the stress problem; without timing");
  field("order_dependence", strict.order_dependence,
        "two orders with different verdicts; null if the answer does not depend on the order");
  field("faults", strict.faults, "that runs with checked accesses found, with --strict");
  field.elements(
      "findings", strict.findings,
      [](auto& element, auto& finding) {
        describe(element, finding);
        element("notes", finding.notes, "further places that explain the finding");
      },
      "the faults as lint's findings are told, with their places");
  field("ghosts", strict.irrelevant_parts,
        "kernels, launches and inputs that do not affect the results");
  field("not_checked", strict.not_checked,
        "why a run with checked accesses could not be made; null if none is missing");
  field("never_executed", strict.never_executed,
        "the first outcome of a condition that no judged run has seen; null if there is none");
  field("certificate", strict.certificate,
        "which outcomes of conditions the judged runs have seen, with --strict on cpu unless "
        "--no-certificate is given; else null");
  field("not_certified", strict.not_certified,
        "why a certificate could not be made; null if none is missing");
  if constexpr (Fields::reads) strict.nonce = nonce_from(nonce);
}

}  // namespace msci
