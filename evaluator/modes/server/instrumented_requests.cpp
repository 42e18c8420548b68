#include <fmt/format.h>

#include <variant>

#include "base/elapsed.h"
#include "base/json.h"
#include "compiler/mesa/mesa_compiler.h"
#include "evaluator/modes/chosen_protocol.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/modes/server/serve.h"
#include "evaluator/result/phase_times.h"
#include "evaluator/session/difference_map.h"
#include "tasks/describe.h"

namespace msci {
namespace {

using Clock = std::chrono::steady_clock;

// Of an answer, for each language.
constexpr std::size_t most_code_bytes = std::size_t{4} << 20;

Candidate compiled_for(TranslationPurpose purpose, const ServedRequest& served) {
  return candidate_of({.source = served.request.source}, gate_rules(),
                      compile_request_of(served.options, served.task, purpose));
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

// The answer of a verdict that only reads the kernel. `describe` makes its JSON of the translation,
// which is null where the source is refused, and of the reason of that.
template <typename Describe>
Result<JudgeAnswer> answer_reading(TranslationPurpose purpose, const ServedRequest& served,
                                   Describe describe) {
  const auto start = Clock::now();
  const auto candidate = compiled_for(purpose, served);
  if (!candidate.compiled) return candidate.compiled.error();
  const auto& translation = candidate.compiled->translation;
  const auto json = describe(translation ? &*translation : nullptr, candidate.compiled->rejection);
  return JudgeAnswer{to_line(json), seconds_of(candidate, start), true};
}

// The members "rejection" and "refused" of such an answer.
OrderedJson refusals_json(const Translation* translation, const std::string& rejection) {
  OrderedJson json{{"rejection", nullptr}, {"refused", OrderedJson::array()}};
  if (!translation) json["rejection"] = rejection;
  if (translation)
    for (const auto& [name, reason] : translation->refused) json["refused"].push_back(reason);
  return json;
}

// What this system lacks for code in the language; empty if nothing.
std::string missing_for(std::string_view language) {
  return language == "apple" && !find_mesa() ? std::string(mesa_is_missing) : "";
}

OrderedJson code_json(const char* language, const Translation& translation, const Limits& limits) {
  OrderedJson form{{"text", nullptr}, {"error", nullptr}};
  if (const auto missing = missing_for(language); !missing.empty()) {
    form["missing"] = missing;
    return form;
  }
  auto text = code_text(language, translation, limits);
  if (text && text->size() > most_code_bytes)
    text = Error{fmt::format("the code has {} bytes; msci-eval FILE --emit {} prints it",
                             text->size(), language)};
  form[text ? "text" : "error"] = text ? *text : text.error().message;
  return form;
}

OrderedJson draft_json(const Source& source, const Translation& translation) {
  const auto plan = plan_scaffold(source, translation);
  const auto reference = reference_scaffold(source, translation);
  if (plan && reference) return {{"plan", *plan}, {"reference", *reference}, {"missing", nullptr}};
  return {{"plan", nullptr},
          {"reference", nullptr},
          {"missing", (plan ? reference : plan).error().message}};
}

}  // namespace

Result<JudgeAnswer> check_request(const ServedRequest& served) {
  const auto start = Clock::now();
  const auto candidate = compiled_for(TranslationPurpose::checking, served);
  return answer_with(check_candidate_on(candidate, served.task, served.processor), candidate,
                     start);
}

Result<JudgeAnswer> profile_request(const ServedRequest& served) {
  const auto start = Clock::now();
  const auto chip = find_chip(default_chip);
  if (!chip) return chip.error();
  const auto candidate = compiled_for(TranslationPurpose::profiling, served);
  return answer_with(profile_candidate_on(candidate, served.task, **chip, served.processor),
                     candidate, start);
}

Result<JudgeAnswer> translation_request(const ServedRequest& served) {
  return answer_reading(TranslationPurpose::running, served,
                        [](const Translation* translation, const std::string& rejection) {
                          OrderedJson json{{"text", nullptr}};
                          if (translation) json["text"] = translation->text;
                          json.update(refusals_json(translation, rejection));
                          return json;
                        });
}

Result<JudgeAnswer> code_request(const ServedRequest& served) {
  const auto limits = compile_request_of(served.options).limits;
  return answer_reading(TranslationPurpose::reading, served,
                        [&](const Translation* translation, const std::string& rejection) {
                          auto json = refusals_json(translation, rejection);
                          for (const char* language : code_languages)
                            json[language] =
                                translation ? code_json(language, *translation, limits)
                                            : OrderedJson{{"text", nullptr}, {"error", nullptr}};
                          return json;
                        });
}

Result<JudgeAnswer> difference_request(const ServedRequest& served) {
  const auto start = Clock::now();
  const auto candidate = compiled_for(TranslationPurpose::running, served);
  Session session(candidate, served.task, served.processor);
  const auto map = difference_map(session, nonce_of(served.options.verdict));
  if (!map) return map.error();
  const auto* failure = std::get_if<Failure>(&*map);
  const auto json = failure ? to_line(OrderedJson{{"missing", failure->message}})
                            : to_json(std::get<DifferenceMap>(*map));
  return JudgeAnswer{json, seconds_of(candidate, start), !failure};
}

Result<JudgeAnswer> draft_request(const ServedRequest& served) {
  return answer_reading(
      TranslationPurpose::running, served,
      [&](const Translation* translation, const std::string& rejection) -> OrderedJson {
        if (translation) return draft_json(served.request.source, *translation);
        return {{"plan", nullptr}, {"reference", nullptr}, {"missing", rejection}};
      });
}

}  // namespace msci
