#include "evaluator/modes/server/instrumented_requests.h"

#include <fmt/format.h>

#include <variant>

#include "base/elapsed.h"
#include "base/json.h"
#include "compiler/mesa/mesa_compiler.h"
#include "evaluator/modes/check_files.h"
#include "evaluator/modes/chosen_protocol.h"
#include "evaluator/modes/code_text.h"
#include "evaluator/modes/profile_files.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/result/phase_times.h"
#include "evaluator/strict/difference_map.h"
#include "tasks/scaffold.h"

namespace msci {
namespace {

using Clock = std::chrono::steady_clock;

// Of an answer, for each language.
constexpr std::size_t most_code_bytes = std::size_t{4} << 20;

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

namespace {

// What this system lacks for code in the language; empty if nothing.
std::string missing_for(std::string_view language) {
  return language == "apple" && !find_mesa() ? std::string(mesa_is_missing) : "";
}

}  // namespace

Result<JudgeAnswer> code_request(const JudgeRequest& request, const EvaluatorOptions& options) {
  const auto start = Clock::now();
  const auto candidate = compiled_for(TranslationPurpose::reading, request, options, nullptr);
  if (!candidate.compiled) return candidate.compiled.error();
  const auto& translation = candidate.compiled->translation;
  const auto& rejection = candidate.compiled->rejection;
  OrderedJson json{{"rejection", nullptr}, {"refused", OrderedJson::array()}};
  if (!translation) json["rejection"] = rejection;
  for (const char* language : code_languages) {
    auto& form = json[language] = {{"text", nullptr}, {"error", nullptr}};
    if (!translation) continue;
    if (const auto missing = missing_for(language); !missing.empty()) {
      form["missing"] = missing;
      continue;
    }
    auto text = code_text(language, *translation, compile_request_of(options).limits);
    if (text && text->size() > most_code_bytes)
      text = Error{fmt::format("the code has {} bytes; msci-eval FILE --emit {} prints it",
                               text->size(), language)};
    form[text ? "text" : "error"] = text ? *text : text.error().message;
  }
  if (translation)
    for (const auto& [name, reason] : translation->refused) json["refused"].push_back(reason);
  return JudgeAnswer{to_line(json), seconds_of(candidate, start), true};
}

Result<JudgeAnswer> difference_request(const JudgeRequest& request, const EvaluatorOptions& options,
                                       const Task& task, Device& processor) {
  const auto start = Clock::now();
  const auto candidate = compiled_for(TranslationPurpose::running, request, options, &task);
  Session session(candidate, &task, processor);
  const auto map = difference_map(session, nonce_of(options.verdict));
  if (!map) return map.error();
  const auto* failure = std::get_if<Failure>(&*map);
  const auto json = failure ? to_line(OrderedJson{{"missing", failure->message}})
                            : to_json(std::get<DifferenceMap>(*map));
  return JudgeAnswer{json, seconds_of(candidate, start), !failure};
}

Result<JudgeAnswer> draft_request(const JudgeRequest& request, const EvaluatorOptions& options) {
  const auto start = Clock::now();
  const auto candidate = compiled_for(TranslationPurpose::running, request, options, nullptr);
  if (!candidate.compiled) return candidate.compiled.error();
  OrderedJson json{{"plan", nullptr}, {"reference", nullptr}, {"missing", nullptr}};
  const auto& translation = candidate.compiled->translation;
  if (!translation) {
    json["missing"] = candidate.compiled->rejection;
  } else {
    const auto plan = plan_scaffold(request.source, *translation);
    const auto reference = reference_scaffold(request.source, *translation);
    if (plan && reference) {
      json["plan"] = *plan;
      json["reference"] = *reference;
    } else {
      json["missing"] = (plan ? reference : plan).error().message;
    }
  }
  return JudgeAnswer{to_line(json), seconds_of(candidate, start), true};
}

}  // namespace msci
