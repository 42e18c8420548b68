#include "evaluator/result/check_result.h"

#include "evaluator/result/diagnostic_fields.h"
#include "evaluator/result/json_fields.h"

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

void describe(FieldWriter& field, const CheckResult& result) {
  const auto fields = fields_of(result.result);
  field("file", result.file);
  field.text("task", result.task);
  field.text("size", result.size);
  field("device", result.device);
  field("valid", fields.valid);
  field.elements("findings", fields.findings, [](FieldWriter& element, const Diagnostic& finding) {
    describe(element, finding);
    element("notes", finding.notes);
  });
  field.choice("cause", fields.cause, Failure::Cause::wrote_constant);
  field("message", fields.message);
  field("diagnostics", result.diagnostics);
  field("error", fields.error);
}

}  // namespace

std::string to_json(const CheckResult& result) {
  OrderedJson json = OrderedJson::object();
  FieldWriter writer(json);
  describe(writer, result);
  return dumped(json);
}

}  // namespace msci
