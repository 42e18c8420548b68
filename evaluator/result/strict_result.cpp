#include "evaluator/result/strict_result.h"

#include <fmt/format.h>

#include <algorithm>

#include "evaluator/result/json_fields.h"

namespace msci {
namespace {

// Why the passes at a recorded size count for nothing.
std::optional<std::string> broken_rule(const SizeResult& size) {
  if (size.wrong_pass) return fmt::format("at size {} {}", size.label, *size.wrong_pass);
  if (!size.overruns.empty())
    return fmt::format("it writes beside the ends of {} at size {}", size.overruns.front(),
                       size.label);
  if (!size.changed_inputs.empty())
    return fmt::format("it writes to the input {} at size {}", size.changed_inputs.front(),
                       size.label);
  if (!size.keeps_the_rules()) return fmt::format("a timed pass is wrong at size {}", size.label);
  return std::nullopt;
}

std::string reason_of(const SizeResult& size) {
  if (const auto* failure = std::get_if<Failure>(&size.answer)) return failure->message;
  if (!size.correct()) {
    const auto& verdict = std::get<Verdict>(size.answer);
    // A search shows this to its generator, which must not learn the held-out size.
    const auto wrong = size.label == held_out_label ? "" : wrong_elements_text(verdict);
    return fmt::format("{} {:.3e} (at most {:.3e}){}{}", verdict.error_kind, verdict.error_value,
                       verdict.tolerance.value_or(0), wrong.empty() ? "" : "; ", wrong);
  }
  return broken_rule(size).value_or("");
}

}  // namespace

std::optional<std::string> why_undecided(const StrictResult& strict) {
  const bool is_wrong =
      !strict.faults.empty() || !std::ranges::all_of(strict.sizes, is_strictly_right);
  if (is_wrong || strict.passed) return std::nullopt;
  if (strict.not_checked) return strict.not_checked;
  if (strict.not_certified) return strict.not_certified;
  if (!strict.open_outcome) return std::nullopt;
  return "never executed: " + *strict.open_outcome;
}

std::optional<std::string> strict_fail_reason(const Outcome& outcome,
                                              const std::optional<StrictResult>& strict) {
  const auto* scored = std::get_if<Scored>(&outcome);
  if (!scored) return std::nullopt;
  for (const auto& size : scored->sizes)
    if (auto rule = broken_rule(size)) return "strict: " + *rule;
  if (scored->held_out && scored->held_out->correct())
    if (auto rule = broken_rule(*scored->held_out)) return "strict: " + *rule;
  if (!strict || strict->passed) return std::nullopt;
  for (const auto& size : strict->sizes)
    if (!is_strictly_right(size))
      return fmt::format("strict: wrong at size {}: {}", size.label, reason_of(size));
  if (const auto why = why_undecided(*strict))
    return fmt::format("strict: {}{}", strict->not_checked ? "not checked: " : "", *why);
  return "strict: " + (strict->faults.empty() ? "refused" : strict->faults.front());
}

void describe(Fields& field, OrderDependence& dependence) {
  field.required("size", dependence.size, "of the stress problem");
  field.required("right", dependence.right, "an order as --order takes it, with a correct answer");
  field.required("wrong", dependence.wrong, "an order with a wrong answer");
}

void describe(Fields& field, CertifiedOutcome& outcome) {
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
  field.required("of_threads", outcome.of_threads, "whether it depends on a thread's position");
  field("constants", outcome.constants, "numbers that the condition compares with");
  field.required("of_value", outcome.of_value,
                 "whether it is a number of the launch that reaches results, not a condition");
  field.required("copies", outcome.copies, "of the condition that the compiler has made");
  field.derived(
      "decisive", is_decisive(outcome),
      "whether it leaves the verdict open with --require-executed: it was never seen, and "
      "its condition compares with a number of the kernel's own, or depends on the launch "
      "alone");
}

void describe(Fields& field, Certificate& certificate) {
  field.elements(
      "outcomes", certificate.outcomes,
      [](Fields& element, CertifiedOutcome& outcome) { describe(element, outcome); },
      "of all conditions in the optimised code");
}

void describe(Fields& field, StrictResult& strict) {
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
      [](Fields& element, SizeResult& size) {
        describe_answer(element, size);
        element("overruns", size.overruns, "buffers with writes outside their ends");
        element("changed_inputs", size.changed_inputs, "constant buffers that it changed");
      },
      "of the stress problem; without timing");
  field("order_dependence", strict.order_dependence,
        "two orders with different verdicts; null if the answer does not depend on the order");
  field("faults", strict.faults, "that runs with checked accesses found, with --strict");
  field.elements("findings", strict.findings, describe_finding,
                 "the faults as lint's findings are told, with their places");
  field("ghosts", strict.irrelevant_parts,
        "kernels, launches and inputs that do not affect the results");
  field("not_checked", strict.not_checked,
        "why a run with checked accesses could not be made; null if none is missing");
  field.elements(
      "only_at_wrong_size", strict.only_at_wrong_size,
      [](Fields& element, CertifiedOutcome& outcome) { describe(element, outcome); },
      "of conditions: what runs of the first wrong size alone have seen, likely causes first");
  field("never_executed", strict.never_executed,
        "the first outcome of a condition that no judged run has seen; null if there is none");
  field("open_outcome", strict.open_outcome,
        "the first one that leaves the verdict open, with --require-executed; null if there is "
        "none");
  field("certificate", strict.certificate,
        "which outcomes of conditions the judged runs have seen, with --strict on cpu unless "
        "--no-certificate is given; else null");
  field("not_certified", strict.not_certified,
        "why a certificate could not be made; null if none is missing");
  if (field.reads()) strict.nonce = nonce_from(nonce);
}

}  // namespace msci
