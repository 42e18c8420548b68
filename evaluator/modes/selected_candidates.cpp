#include "evaluator/modes/selected_candidates.h"

#include <fmt/format.h>

#include <cmath>

#include "rules/rules.h"

namespace msci {
namespace {

// Of linting and translating a file, where the options set others than these.
Limits limits_of(const EvaluatorOptions& options, Limits limits) {
  if (options.devices.time_limit)
    limits.seconds = static_cast<unsigned>(std::ceil(*options.devices.time_limit));
  if (options.devices.memory_limit)
    limits.memory_bytes = std::size_t{*options.devices.memory_limit} << 20;
  return limits;
}

}  // namespace

GateRules gate_rules() { return all_rules(); }

CompileRequest compile_request_of(const EvaluatorOptions& options, const Task* task,
                                  TranslationPurpose purpose) {
  CompileRequest request{.kernels = options.candidates.kernels,
                         .purpose = purpose,
                         .compile = options.compile,
                         .limits = limits_of(options, default_compile_limits),
                         .library_limits = limits_of(options, default_library_limits)};
  for (const auto& each : options.candidates.constants) {
    const auto at = each.find('=');
    request.constants[each.substr(0, at)] = each.substr(at + 1);
  }
  if (task) add_task(request, *task);
  return request;
}

CompileRequest queue_request_of(const EvaluatorOptions& options, const Task* first,
                                TranslationPurpose purpose) {
  return compile_request_of(options, options.candidates.files.empty() ? nullptr : first, purpose);
}

std::vector<CandidateOrigin> origins_of(const EvaluatorOptions& options,
                                        const std::vector<const Task*>& tasks) {
  std::vector<CandidateOrigin> origins;
  for (const auto& file : options.candidates.files)
    origins.push_back({file, options.candidates.is_program});
  if (origins.empty())
    for (const auto* task : tasks) origins.push_back({.task = task});
  return origins;
}

Result<Candidate> read_rival(const std::string& name, const EvaluatorOptions& options,
                             const Task& task) {
  const auto origin = name == "seed" ? CandidateOrigin{.task = &task}
                                     : CandidateOrigin{name, options.candidates.is_program};
  auto rival = candidate_of(origin, gate_rules(), compile_request_of(options, &task));
  if (!rival.compiled) return rival.compiled.error();
  if (!rival.compiled->translation)
    return Error{fmt::format("{} is refused, so nothing can be compared with it: {}", rival.name,
                             rival.compiled->rejection)};
  return rival;
}

}  // namespace msci
