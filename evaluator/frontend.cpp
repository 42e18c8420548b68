#include "evaluator/frontend.h"

#include <fmt/format.h>

#include <algorithm>

#include "evaluator/translate/translate.h"
#include "lint/lint.h"
#include "rules/rules.h"

namespace msci {
namespace {

Diagnostic to_diagnostic(const Finding& finding) {
  return {.severity = finding.severity,
          .id = finding.rule,
          .range = finding.range,
          .message = finding.message,
          .notes = finding.notes};
}

// Takes the findings over; says whether one of them refuses the source.
bool refused(Prepared& prepared, const Source& source, const std::vector<Finding>& findings) {
  for (const auto& finding : findings) prepared.diagnostics.push_back(to_diagnostic(finding));
  const auto error = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Severity::error;
  });
  if (error == findings.end()) return false;
  prepared.rejection = fmt::format("{}:{}:{}: error: {} [{}]", source.name, error->range.begin.line,
                                   error->range.begin.column, error->message, error->rule);
  return true;
}

Result<Prepared> prepare(const Source& source, Result<Translation> (*into_text)(Unit&)) {
  Prepared prepared;
  // Of that memory evaluate() tells, for the kernels that the task uses.
  const Request request{.ignore = {"resource.threadgroup_memory"}};
  auto unit = parse(source, request.version);
  if (!unit) return unit.error();
  if (refused(prepared, source, lint(*unit, all_rules(), request))) return prepared;
  auto translation = into_text(*unit);
  if (!translation) return Error{fmt::format("{}: {}", source.name, translation.error().message)};
  prepared.translation = *std::move(translation);
  return prepared;
}

}  // namespace

Result<Translation> translate_unchecked(const Source& source) {
  auto unit = parse(source);
  if (!unit) return unit.error();
  auto translation = translate(*unit);
  if (!translation) return Error{fmt::format("{}: {}", source.name, translation.error().message)};
  return translation;
}

Result<Prepared> prepare(const Source& source) { return prepare(source, translate); }

Result<Prepared> prepare_checked(const Source& source) {
  return prepare(source, translate_checked);
}

}  // namespace msci
