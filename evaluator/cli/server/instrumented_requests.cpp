#include "evaluator/cli/server/instrumented_requests.h"

#include <variant>

#include "base/elapsed.h"
#include "base/json.h"
#include "evaluator/cli/check_files.h"
#include "evaluator/cli/profile_files.h"
#include "evaluator/cli/selected_candidates.h"
#include "evaluator/result/phase_times.h"

namespace msci {
namespace {

using Clock = std::chrono::steady_clock;

Candidate compiled_for(TranslationPurpose purpose, const JudgeRequest& request,
                       const EvaluatorOptions& options, const Task* task) {
  return candidate_of({.source = request.source}, gate_rules(),
                      compile_request_of(options, task, purpose));
}

std::string seconds_of(const Candidate& candidate, Clock::time_point start) {
  PhaseTimes times{.front_end = candidate.compile_seconds};
  times.run = seconds_since(start) - times.front_end;
  return to_json(times);
}

template <typename InstrumentedResult>
JudgeAnswer answer_with(const InstrumentedResult& result, const Candidate& candidate,
                        Clock::time_point start) {
  return {to_json(result), seconds_of(candidate, start),
          !std::holds_alternative<Error>(result.result)};
}

}  // namespace

Result<JudgeAnswer> check_request(const JudgeRequest& request, const EvaluatorOptions& options,
                                  const Task& task, Device& processor) {
  const auto start = Clock::now();
  const auto candidate = compiled_for(TranslationPurpose::checking, request, options, &task);
  return answer_with(check_candidate_on(candidate, &task, processor), candidate, start);
}

Result<JudgeAnswer> profile_request(const JudgeRequest& request, const EvaluatorOptions& options,
                                    const Task& task, Device& processor) {
  const auto start = Clock::now();
  const auto chip = find_chip(default_chip);
  if (!chip) return chip.error();
  const auto candidate = compiled_for(TranslationPurpose::profiling, request, options, &task);
  return answer_with(profile_candidate_on(candidate, &task, **chip, processor), candidate, start);
}

Result<JudgeAnswer> translation_request(const JudgeRequest& request,
                                        const EvaluatorOptions& options) {
  const auto start = Clock::now();
  const auto candidate = compiled_for(TranslationPurpose::running, request, options, nullptr);
  if (!candidate.compiled) return candidate.compiled.error();
  const auto& translation = candidate.compiled->translation;
  OrderedJson json{{"text", nullptr}, {"rejection", nullptr}, {"refused", OrderedJson::array()}};
  if (!translation) {
    json["rejection"] = candidate.compiled->rejection;
  } else {
    json["text"] = translation->text;
    for (const auto& [name, reason] : translation->refused) json["refused"].push_back(reason);
  }
  return JudgeAnswer{to_line(json), seconds_of(candidate, start), true};
}

}  // namespace msci
