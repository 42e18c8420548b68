#include "evaluator/result/check_result.h"

#include "evaluator/result/diagnostic_fields.h"
#include "evaluator/result/json_schema.h"

namespace msci {
namespace {

// The three kinds of result as one list of fields.
struct CheckFields {
  std::optional<bool> valid;
  std::vector<Diagnostic> findings;
  std::optional<Failure::Cause> cause;
  std::optional<std::string> message;
  std::optional<std::string> error;
};

CheckFields fields_of(const std::variant<Checked, Rejected, Error>& result) {
  if (const auto* error = std::get_if<Error>(&result)) return {.error = error->message};
  if (const auto* rejected = std::get_if<Rejected>(&result))
    return {.valid = false, .message = rejected->reason};
  const auto& checked = std::get<Checked>(result);
  CheckFields fields{.valid = checked.clean(), .findings = checked.findings};
  if (checked.failure) {
    fields.cause = checked.failure->cause;
    fields.message = checked.failure->message;
  }
  return fields;
}

// With the notes, which the findings of other results do not have.
template <typename Fields>
void describe_finding(Fields& field, const Diagnostic& finding) {
  describe(field, finding);
  field("notes", finding.notes, "further places that explain the finding");
}

}  // namespace

template <typename Fields>
void describe(Fields& field, const CheckResult& result) {
  const auto fields = fields_of(result.result);
  field("file", result.file, "the name as it was given");
  field.text("task", result.task, "the name of the task");
  field.text("size", result.size, "the label of the size");
  field("device", result.device, "the name of the device");
  field("valid", fields.valid,
        "whether the kernel ran to its end without a finding; null if it could not be checked");
  field.elements(
      "findings", fields.findings,
      [](auto& element, const Diagnostic& finding) { describe_finding(element, finding); },
      "by position");
  field.choice("cause", fields.cause, Failure::Cause::wrong_pass, "why the run failed");
  field("message", fields.message, "why the run failed, or why the kernel is rejected");
  field("diagnostics", result.diagnostics, "the findings of lint");
  field("error", fields.error, "why msci could not check");
}

std::string to_json(const CheckResult& result) { return dumped(json_of(result)); }

std::string check_schema() {
  return json_schema<CheckResult>("check", "msci-eval --check --json",
                                  "The result of a checked run of one kernel, on one line.");
}

}  // namespace msci
