#include "evaluator/session/compile_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

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

// For what a source is translated: a request to the process of a front end.
struct Wanted {
  TranslationPurpose purpose = TranslationPurpose::running;
  NumericMeaning meaning = {};
};
static_assert(std::is_trivially_copyable_v<Wanted>);

Wanted wanted_by(const CompileRequest& request) { return {request.purpose, request.meaning}; }

// Of the unit's kernels, those that are asked for.
Result<Translation> translate(Unit& unit, const CompileRequest& request, const Wanted& wanted) {
  const auto kernels = request.kernels.empty() ? known(unit, request.launched) : request.kernels;
  if (request.apart == 0)
    return translate(unit, kernels, request.constants, wanted.purpose, wanted.meaning);
  const auto tell = [](std::size_t done, std::size_t count) {
    keep(fmt::format("{} of {} kernels", done, count));
  };
  return translate_apart(unit, kernels, request.constants, {request.apart, request.limits, tell});
}

bool is_for_checks(TranslationPurpose purpose) {
  return purpose == TranslationPurpose::checking || purpose == TranslationPurpose::tracing ||
         purpose == TranslationPurpose::widening;
}

// A source that is parsed and linted, but not translated. What rules keep about the unit knows its
// address.
struct Linted {
  Unit unit;
  Compiled compiled = {};
};

Result<std::unique_ptr<Linted>> parse_and_lint(const Source& source, GateRules rules,
                                               const CompileRequest& request) {
  // evaluate() judges threadgroup memory, for the kernels that the task uses.
  // It also says which kernels are missing, and which others the source has.
  LintRequest lint_request{.compile = request.compile,
                           .ignore = {"resource.threadgroup_memory", "degenerate.missing_kernel"}};
  for (const auto& name : request.required) lint_request.contract.kernels.push_back({.name = name});
  // What suppresses no finding of lint may suppress a fault of the checked run.
  if (is_for_checks(request.purpose)) lint_request.ignore.push_back("lint.unused_suppression");
  auto unit = parse(source, request.compile);
  if (!unit) return unit.error();
  auto linted = std::make_unique<Linted>(*std::move(unit));
  auto& compiled = linted->compiled;
  if (refused(compiled, source, lint(linted->unit, rules, lint_request))) return linted;
  compiled.allowed = allowed_in(source, rules);
  compiled.kernels_of_diagnostics = kernels_of_findings(linted->unit, compiled.diagnostics);
  return linted;
}

Result<Compiled> translated(Linted& linted, const CompileRequest& request, const Wanted& wanted) {
  auto compiled = linted.compiled;
  if (!compiled.rejection.empty()) return compiled;
  auto translation = translate(linted.unit, request, wanted);
  if (!translation)
    return Error{fmt::format("{}: {}", linted.unit.source().name, translation.error().message)};
  compiled.translation = *std::move(translation);
  return compiled;
}

}  // namespace

Result<Translation> translate_unchecked(const Source& source) {
  auto unit = parse(source);
  if (!unit) return unit.error();
  auto translation = translate(*unit);
  if (!translation) return Error{fmt::format("{}: {}", source.name, translation.error().message)};
  return translation;
}

Result<Compiled> compile(const Source& source, GateRules rules, const CompileRequest& request) {
  auto linted = parse_and_lint(source, rules, request);
  if (!linted) return linted.error();
  return translated(**linted, request, wanted_by(request));
}

FrontEnd::FrontEnd(Source source, GateRules rules, CompileRequest request)
    : source_(std::move(source)), rules_(rules), request_(std::move(request)) {}

Result<IsolatedProcess> FrontEnd::start() const {
  std::optional<Result<std::unique_ptr<Linted>>> linted;
  return IsolatedProcess::serve(
      [&](std::string_view bytes) {
        if (!linted) linted = parse_and_lint(source_, rules_, request_);
        if (!*linted) return to_msgpack<Compiled>(linted->error());
        Wanted wanted;
        std::memcpy(&wanted, bytes.data(), sizeof wanted);
        return to_msgpack<Compiled>(translated(***linted, request_, wanted));
      },
      is_library() ? request_.library_limits : request_.limits);
}

void FrontEnd::begin() {
  if (!process_) process_ = start();
  if (!*process_) return;
  const auto wanted = wanted_by(request_);
  (*process_)->ask({reinterpret_cast<const char*>(&wanted), sizeof wanted});
}

Result<Compiled> FrontEnd::finish() {
  const auto outcome = *process_ ? (*process_)->answer(request_.on_progress) : process_->error();
  if (!outcome || std::holds_alternative<WorkFailure>(*outcome)) process_.reset();
  auto compiled = result_in<Compiled>(
      outcome,
      {.failed = source_.name + " could not be linted and translated",
       .advice = request_.kernels.empty() ? "; --kernel NAME translates one of its kernels" : ""},
      {.max_bytes = is_library() ? request_.library_limits.memory_bytes : JsonOptions{}.max_bytes});
  if (compiled && compiled->translation) rules_ = {};  // lint has accepted it
  return compiled;
}

Result<Compiled> FrontEnd::compile(TranslationPurpose purpose, const NumericMeaning& meaning) {
  const std::lock_guard lock(mutex_);
  request_.purpose = purpose;
  request_.meaning = meaning;
  const bool is_fresh = !process_;
  begin();
  auto compiled = finish();
  if (process_ || is_fresh) return compiled;
  begin();
  return finish();
}

}  // namespace msci
