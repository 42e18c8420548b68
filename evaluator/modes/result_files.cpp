#include <cstdio>
#include <filesystem>

#include "base/files/read_file.h"
#include "base/files/write_file.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/result/files/perf_result.h"
#include "lint/host/embedded/composed_sources.h"

namespace msci {
namespace {

// The timing of the candidate beside the task's seed, which is evaluated here.
std::optional<Error> write_perf_result(const EvaluatorOptions& options, const Outcome& outcome,
                                       const Candidate& candidate, const Task& task,
                                       const EvaluationContext& context,
                                       const BatchOptions& batch) {
  const auto seed = read_rival("seed", options, task);
  if (!seed) return seed.error();
  const auto seed_result = judge(*seed, &task, context, batch);
  if (const auto* error = std::get_if<Error>(&seed_result.result)) return *error;
  const auto result =
      perf_result(task, *candidate.compiled->translation, outcome, *seed->compiled->translation,
                  std::get<Outcome>(seed_result.result), candidate.hash, seed_result.device,
                  batch.evaluation.repeats);
  return write_file(options.timing.perf_result, to_json(result));
}

// Reads the file of --perf-result, and checks that it is proven right unless --skip-gate is given.
// The text that is checked is the text that is timed.
std::optional<Error> read_proven(const EvaluatorOptions& options, CandidateOrigin& origin) {
  auto source = metal_in(read_source(origin.file));
  if (!source) return source.error();
  origin.source = *std::move(source);
  if (options.timing.skip_gate) return std::nullopt;
  const auto beside = std::filesystem::path(options.timing.perf_result).parent_path();
  const auto verified = options.timing.verified.empty() ? (beside / "verify_result.json").string()
                                                        : options.timing.verified;
  return refuse_timing(verified, origin.source->text);
}

}  // namespace

std::optional<Error> prepare_result_files(const EvaluatorOptions& options,
                                          std::vector<CandidateOrigin>& origins) {
  if (options.timing.verify_result.empty() && options.timing.perf_result.empty())
    return std::nullopt;
  if (!options.timing.perf_result.empty())
    if (auto refusal = read_proven(options, origins.front())) return refusal;
  for (const auto& stale : {options.timing.verify_result, options.timing.perf_result})
    if (!stale.empty()) std::remove(stale.c_str());
  return std::nullopt;
}

std::optional<Error> write_result_files(const EvaluatorOptions& options,
                                        const EvaluationResult& result, const Candidate& candidate,
                                        const Task& task, const EvaluationContext& context,
                                        const BatchOptions& batch) {
  const auto* outcome = std::get_if<Outcome>(&result.result);
  if (!outcome) return std::nullopt;
  if (!options.timing.verify_result.empty()) {
    const auto verified = verify_result(task, *outcome, candidate.hash, result.device);
    if (auto error = write_file(options.timing.verify_result, to_json(verified))) return error;
  }
  if (options.timing.perf_result.empty() || !candidate.compiled->translation) return std::nullopt;
  return write_perf_result(options, *outcome, candidate, task, context, batch);
}

}  // namespace msci
