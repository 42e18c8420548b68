#include "evaluator/session/compile_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/instruments.h"
#include "base/process/isolated_result.h"
#include "lint/analysis/kernels_of_findings.h"
#include "lint/lint.h"
#include "tasks/plan/translation_json.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AllowedRule, rule, reason, first_line, last_line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Compiled, diagnostics, translation, rejection, allowed,
                                   kernels_of_diagnostics)

namespace {

Diagnostic to_diagnostic(const Finding& finding) {
  return {.severity = finding.severity,
          .id = finding.rule,
          .place = finding.place,
          .message = finding.message,
          .notes = finding.notes};
}

// Adds the findings; returns whether one of them refuses the source.
bool refused(Compiled& prepared, const Source& source, const std::vector<Finding>& findings) {
  for (const auto& finding : findings) prepared.diagnostics.push_back(to_diagnostic(finding));
  const auto error = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Severity::error;
  });
  if (error == findings.end()) return false;
  prepared.rejection = fmt::format("{}: error: {} [{}]", to_string(error->place, source.name),
                                   error->message, error->rule);
  return true;
}

// Those of the names that kernels of the unit have.
KernelNames known(const Unit& unit, const KernelNames& names) {
  KernelNames known;
  std::copy_if(names.begin(), names.end(), std::back_inserter(known), [&](const std::string& name) {
    return std::any_of(unit.kernels().begin(), unit.kernels().end(),
                       [&](const Kernel& kernel) { return kernel.name == name; });
  });
  return known;
}

std::vector<AllowedRule> allowed_in(const Source& source, GateRules rules) {
  std::vector<AllowedRule> allowed;
  for (const auto& each : suppressions_in(source, rules).list)
    allowed.push_back({each.rule, each.reason, each.first_line, each.last_line});
  return allowed;
}

}  // namespace

Result<IsolatedCompilation> IsolatedCompilation::start(const Source& source, GateRules rules,
                                                       const CompileRequest& request) {
  const bool is_library = request.apart > 0;
  auto process =
      IsolatedProcess::start([&] { return to_msgpack<Compiled>(compile(source, rules, request)); },
                             is_library ? request.library_limits : request.limits);
  if (!process) return process.error();
  const auto longest_answer =
      is_library ? request.library_limits.memory_bytes : JsonOptions{}.max_bytes;
  return IsolatedCompilation(source.name, request, longest_answer, *std::move(process));
}

IsolatedCompilation::IsolatedCompilation(std::string name, const CompileRequest& request,
                                         std::size_t longest_answer, IsolatedProcess process)
    : name_(std::move(name)),
      takes_all_(request.kernels.empty()),
      longest_answer_(longest_answer),
      on_progress_(request.on_progress),
      process_(std::move(process)) {}

Result<Compiled> IsolatedCompilation::finish() {
  while (!process_.read_available())
    if (const auto progress = on_progress_ ? process_.kept() : std::nullopt)
      on_progress_(*progress);
  return result_in<Compiled>(
      process_.finish(),
      {.failed = name_ + " could not be linted and translated",
       .advice = takes_all_ ? "; --kernel NAME translates one of its kernels" : ""},
      {.max_bytes = longest_answer_});
}

Result<Translation> translate_unchecked(const Source& source) {
  auto unit = parse(source);
  if (!unit) return unit.error();
  auto translation = translate(*unit);
  if (!translation) return Error{fmt::format("{}: {}", source.name, translation.error().message)};
  return translation;
}

namespace {

// Of the unit's kernels, those that are asked for.
Result<Translation> translate(Unit& unit, const CompileRequest& request) {
  const auto kernels = request.kernels.empty() ? known(unit, request.launched) : request.kernels;
  if (request.apart == 0)
    return translate(unit, kernels, request.constants, request.purpose, request.meaning);
  const auto tell = [](std::size_t done, std::size_t count) {
    keep(fmt::format("{} of {} kernels", done, count));
  };
  return translate_apart(unit, kernels, request.constants, {request.apart, request.limits, tell});
}

bool is_for_checks(TranslationPurpose purpose) {
  return purpose == TranslationPurpose::checking || purpose == TranslationPurpose::tracing ||
         purpose == TranslationPurpose::widening;
}

}  // namespace

Result<Compiled> compile(const Source& source, GateRules rules, const CompileRequest& request) {
  Compiled compiled;
  // evaluate() judges threadgroup memory, for the kernels that the task uses.
  // It also says which kernels are missing, and which others the source has.
  LintRequest lint_request{.compile = request.compile,
                           .ignore = {"resource.threadgroup_memory", "degenerate.missing_kernel"}};
  for (const auto& name : request.required) lint_request.contract.kernels.push_back({.name = name});
  // What suppresses no finding of lint may suppress a fault of the checked run.
  if (is_for_checks(request.purpose)) lint_request.ignore.push_back("lint.unused_suppression");
  auto unit = parse(source, request.compile);
  if (!unit) return unit.error();
  if (refused(compiled, source, lint(*unit, rules, lint_request))) return compiled;
  compiled.allowed = allowed_in(unit->source(), rules);
  compiled.kernels_of_diagnostics = kernels_of_findings(*unit, compiled.diagnostics);
  auto translation = translate(*unit, request);
  if (!translation) return Error{fmt::format("{}: {}", source.name, translation.error().message)};
  compiled.translation = *std::move(translation);
  return compiled;
}

}  // namespace msci
