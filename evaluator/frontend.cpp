#include "evaluator/frontend.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic_json.h"
#include "base/msgpack_result.h"
#include "base/process/isolated_process.h"
#include "compiler/translate.h"
#include "lint/lint.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkAt, work, line, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BlockCode, work, chain, device_chain, threadgroup_chain,
                                   registers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AccessSite, memory, type, bytes, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelCode, symbol, blocks, sites, registers, private_bytes,
                                   instructions, loop_instructions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AllowedRule, rule, reason, first_line, last_line)

namespace {

// A Prepared on its way between processes.
struct PreparedMessage {
  std::vector<Diagnostic> diagnostics;
  std::string rejection;
  std::string program;  // the translation as a program file; empty without one
  std::vector<std::uint8_t> ir;
  std::vector<KernelCode> code;
  std::vector<AllowedRule> allowed;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PreparedMessage, diagnostics, rejection, program, ir, code,
                                   allowed)

std::string serialise(const Result<Prepared>& prepared) {
  if (!prepared) return to_msgpack<PreparedMessage>(prepared.error());
  PreparedMessage message{.diagnostics = prepared->diagnostics,
                          .rejection = prepared->rejection,
                          .allowed = prepared->allowed};
  if (const auto& translation = prepared->translation) {
    message.program = to_program_file(*translation);
    message.ir.assign(translation->ir.begin(), translation->ir.end());
    message.code = translation->code;
  }
  return to_msgpack<PreparedMessage>(message);
}

Result<Prepared> deserialise(const std::string& bytes) {
  auto message = from_msgpack<PreparedMessage>(bytes);
  if (!message) return message.error();
  Prepared prepared{.diagnostics = std::move(message->diagnostics),
                    .rejection = std::move(message->rejection),
                    .allowed = std::move(message->allowed)};
  if (message->program.empty()) return prepared;
  auto translation = from_program_file(message->program);
  if (!translation) return translation.error();
  prepared.translation = *std::move(translation);
  prepared.translation->ir.assign(message->ir.begin(), message->ir.end());
  prepared.translation->code = std::move(message->code);
  return prepared;
}

// "kernel.metal:3:7"
std::string place_of(const Finding& finding, const std::string& source) {
  const auto& [line, column] = finding.range.begin;
  return fmt::format("{}:{}:{}", finding.file.empty() ? source : finding.file, line, column);
}

// One in an included file has no range of the source; it tells its place in words.
Diagnostic to_diagnostic(const Finding& finding) {
  if (!finding.file.empty())
    return {.severity = finding.severity,
            .id = finding.rule,
            .range = {{1, 1}, {1, 1}},
            .message = fmt::format("{}: {}", place_of(finding, ""), finding.message)};
  return {.severity = finding.severity,
          .id = finding.rule,
          .range = finding.range,
          .message = finding.message,
          .notes = finding.notes};
}

// Adds the findings; returns whether one of them refuses the source.
bool refused(Prepared& prepared, const Source& source, const std::vector<Finding>& findings) {
  for (const auto& finding : findings) prepared.diagnostics.push_back(to_diagnostic(finding));
  const auto error = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Severity::error;
  });
  if (error == findings.end()) return false;
  prepared.rejection =
      fmt::format("{}: error: {} [{}]", place_of(*error, source.name), error->message, error->rule);
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

Result<IsolatedPreparation> IsolatedPreparation::start(const Source& source, GateRules rules,
                                                       const PrepareOptions& options) {
  auto process = IsolatedProcess::start([&] { return serialise(prepare(source, rules, options)); },
                                        options.limits);
  if (!process) return process.error();
  return IsolatedPreparation(source.name, *std::move(process));
}

IsolatedPreparation::IsolatedPreparation(std::string name, IsolatedProcess process)
    : name_(std::move(name)), process_(std::move(process)) {}

Result<Prepared> IsolatedPreparation::finish() {
  while (!process_.read_available()) {
  }
  const auto ended = process_.finish();
  if (!ended) return ended.error();
  if (const auto* bytes = std::get_if<std::string>(&*ended)) return deserialise(*bytes);
  return Error{fmt::format("{} could not be linted and translated: {}", name_,
                           std::get<WorkFailure>(*ended).reason)};
}

Result<Translation> translate_unchecked(const Source& source) {
  auto unit = parse(source);
  if (!unit) return unit.error();
  auto translation = translate(*unit);
  if (!translation) return Error{fmt::format("{}: {}", source.name, translation.error().message)};
  return translation;
}

Result<Prepared> prepare(const Source& source, GateRules rules, const PrepareOptions& options) {
  Prepared prepared;
  // evaluate() judges threadgroup memory, for the kernels that the task uses.
  LintRequest request{.compile = options.compile, .ignore = {"resource.threadgroup_memory"}};
  // What suppresses no finding of lint may suppress a fault of the checked run.
  if (options.purpose == TranslationPurpose::checking)
    request.ignore.push_back("lint.unused_suppression");
  auto unit = parse(source, options.compile);
  if (!unit) return unit.error();
  if (refused(prepared, source, lint(*unit, rules, request))) return prepared;
  prepared.allowed = allowed_in(unit->source(), rules);
  const auto kernels = options.kernels.empty() ? known(*unit, options.launched) : options.kernels;
  auto translation = translate(*unit, kernels, options.constants, options.purpose);
  if (!translation) return Error{fmt::format("{}: {}", source.name, translation.error().message)};
  prepared.translation = *std::move(translation);
  return prepared;
}

}  // namespace msci
