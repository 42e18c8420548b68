#include "search/loop.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "base/json.h"
#include "evaluator/server/answer_source.h"

namespace msci::search {
namespace {

// NN_generator.json: the usage and the failure of a generator in an iteration.
struct Generated {
  double seconds = 0;
  Usage usage;
  std::optional<std::string> failure;
};

std::string to_json(const Generated& generated) {
  const OrderedJson json = {
      {"seconds", generated.seconds},
      {"input_tokens", generated.usage.input_tokens},
      {"output_tokens", generated.usage.output_tokens},
      {"cost", generated.usage.cost},
      {"failure", generated.failure ? OrderedJson(*generated.failure) : OrderedJson(nullptr)}};
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

Result<Generated> read_generated(const std::string& text) {
  const auto json = parse_json<OrderedJson>(text);
  if (!json) return json.error();
  Generated generated;
  std::string failure;
  ObjectReader reader(*json, "a generator's record");
  reader.require("seconds", generated.seconds);
  reader.require("input_tokens", generated.usage.input_tokens);
  reader.require("output_tokens", generated.usage.output_tokens);
  reader.require("cost", generated.usage.cost);
  if (const auto* value = reader.find("failure"); value && !value->is_null()) {
    reader.read("failure", failure);
    generated.failure = std::move(failure);
  }
  if (auto error = reader.finish()) return *error;
  return generated;
}

// What is known of a candidate's speed against an iteration before it. Its rival is one of the
// search's files.
std::optional<Speedup> speedup_of(const Record& candidate, const EvaluationResult& judgement,
                                  const History& before) {
  if (candidate.same_program_as) return Speedup{*candidate.same_program_as, same_program_ratio};
  const auto ratio = judgement.comparison ? judgement.comparison->ratio() : std::nullopt;
  if (!ratio) return std::nullopt;
  for (const auto& known : before)
    if (known.source_path == judgement.comparison->rival) return Speedup{known.iteration, *ratio};
  return std::nullopt;
}

class Loop {
 public:
  explicit Loop(const Search& search) : search_(search) {}

  Result<History> run() {
    if (auto error = start()) return *error;
    while (!is_spent())
      if (auto error = next_generation()) return *error;
    return history_;
  }

 private:
  // One iteration of a generation.
  struct Member {
    unsigned iteration;
    CandidateRequest request;
    Generated generated = {};
    bool has_source = false;
    std::string no_source = {};  // why an answer holds none
  };

  // Tells what the search waits for, from its construction to its end.
  class Activity {
   public:
    template <typename Item, typename Iteration>
    Activity(const Loop& loop, std::string_view what, const std::vector<Item>& items,
             Iteration iteration)
        : search_(loop.search_) {
      if (items.empty() || !search_.on_activity) return;
      const auto first = std::invoke(iteration, items.front());
      const auto last = std::invoke(iteration, items.back());
      search_.on_activity(first == 0 ? fmt::format("{} the seed", what)
                                     : fmt::format("{}, iteration {}{} of {}", what, first,
                                                   last == first ? "" : fmt::format(" to {}", last),
                                                   search_.budget.iterations));
    }
    ~Activity() {
      if (search_.on_activity) search_.on_activity("");
    }
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

   private:
    const Search& search_;
  };

  std::optional<Error> start() {
    if (const auto made = search_.store.last_iteration(); made > search_.budget.iterations)
      return Error{fmt::format(
          "{} holds {} iterations, and --iterations {} would replace its best kernel by "
          "that of the first ones; give --iterations {} or more, or another --out",
          search_.store.folder(), made, search_.budget.iterations, made)};
    if (!search_.store.has(source_of(0)))
      if (auto error = search_.store.write(source_of(0), search_.task.seed)) return error;
    if (auto error = judge_seed()) return error;
    const auto seed = attempt(0);
    if (!seed) return seed.error();
    if (const auto* error = std::get_if<Error>(&(*seed)->judgement.result)) return *error;
    Record record = record_of(0, **seed);
    if (!record.score)
      return Error{fmt::format("the seed kernel of {} is not right here: {}", search_.task.name,
                               (*seed)->judgement.fail_reason().value_or("it was not timed"))};
    if (const auto unlike = why_unlike(record); !unlike.empty())
      return Error{
          fmt::format("the seed kernel of {} is unlike what the model was fitted to ({}), so no "
                      "prediction could promote a candidate; use --score measured",
                      search_.task.name, unlike)};
    record.role = Record::Role::seed;
    record.is_new_best = true;
    return add(std::move(record));
  }

  // A search ends if its seed could not be judged; one that goes on judges it again.
  std::optional<Error> judge_seed() {
    if (search_.store.has(file_of(0, "result.json"))) {
      const auto kept = attempt(0);
      if (!kept) return kept.error();
      if ((*kept)->judgement.is_checked()) return std::nullopt;
      attempts_.erase(0);
    }
    return judge({0});
  }

  bool is_spent() const {
    if (history_.size() > search_.budget.iterations) return true;
    // What was made before is not dropped where a limit is lower now.
    if (history_.size() <= search_.store.last_iteration()) return false;
    return ended_by(search_.budget, history_).has_value();
  }

  std::optional<Error> next_generation() {
    auto members = plan();
    if (auto error = generate(members)) return error;
    if (auto error = extract(members)) return error;
    std::vector<unsigned> sources;
    for (const auto& member : members)
      if (member.has_source) sources.push_back(member.iteration);
    if (auto error = judge_missing(sources)) return error;
    const auto generation = history_.back().generation + 1;
    for (const auto& member : members)
      if (auto error = decide(member, generation)) return error;
    return std::nullopt;
  }

  std::vector<Member> plan() const {
    std::vector<Member> members;
    auto iteration = static_cast<unsigned>(history_.size());
    for (const auto& request : search_.strategy.next(history_))
      if (iteration <= search_.budget.iterations) members.push_back({iteration++, request});
    return members;
  }

  // Requests the answers that are not in the store yet.
  std::optional<Error> generate(std::vector<Member>& members) {
    std::vector<GeneratorRequest> requests;
    for (const auto& member : members) {
      if (search_.store.has(file_of(member.iteration, "generator.json"))) continue;
      auto request = request_for(member);
      if (!request) return request.error();
      requests.push_back(*std::move(request));
    }
    const Activity activity(*this, "asking the generator", requests, &GeneratorRequest::iteration);
    const auto on_answer = [&](std::size_t which, GeneratorReply answer) {
      auto error = search_.store.check_unaltered();
      return error ? error : keep(requests[which].iteration, answer);
    };
    if (auto error = search_.generator.answer(requests, on_answer)) return error;
    for (auto& member : members) {
      auto generated = read<Generated>(file_of(member.iteration, "generator.json"), read_generated);
      if (!generated) return generated.error();
      member.generated = *std::move(generated);
    }
    return std::nullopt;
  }

  Result<GeneratorRequest> request_for(const Member& member) {
    if (!search_.generator.reads_prompts())
      return GeneratorRequest{.iteration = member.iteration, .history = &history_};
    const auto previous = attempt(member.request.previous);
    if (!previous) return previous.error();
    const auto parent = attempt(member.request.parent);
    if (!parent) return parent.error();
    const auto name = file_of(member.iteration, "prompt.md");
    GeneratorRequest request{
        .iteration = member.iteration,
        .history = &history_,
        .prompt = write_prompt(search_.task, **previous, **parent, history_),
        .prompt_path = search_.store.path(name),
        .usage_path = search_.store.path(file_of(member.iteration, "usage.json"))};
    if (auto error = search_.store.write_derived(name, request.prompt)) return *error;
    return request;
  }

  // The record comes last: if it exists, the answer is whole.
  std::optional<Error> keep(unsigned iteration, const GeneratorReply& answer) {
    if (auto error = search_.store.write(file_of(iteration, "response.md"), answer.text))
      return error;
    return search_.store.write(file_of(iteration, "generator.json"),
                               to_json({answer.seconds, answer.usage, answer.failure}));
  }

  // Extracts the sources from the answers.
  std::optional<Error> extract(std::vector<Member>& members) {
    for (auto& member : members) {
      if (member.generated.failure) continue;
      const auto response = search_.store.read(file_of(member.iteration, "response.md"));
      if (!response) return response.error();
      const auto source = find_source(response->value_or(""));
      if (!source) {
        member.no_source = source.error().message;
        continue;
      }
      member.has_source = true;
      const auto name = source_of(member.iteration);
      const auto written = search_.store.read(name);
      if (!written) return written.error();
      if (*written == *source) continue;
      if (auto error = search_.store.write_derived(name, *source)) return error;
    }
    return std::nullopt;
  }

  std::optional<Error> judge_missing(std::vector<unsigned> iterations) {
    std::erase_if(iterations, [&](unsigned iteration) {
      return search_.store.has(file_of(iteration, "result.json"));
    });
    return judge(iterations);
  }

  std::optional<Error> judge(const std::vector<unsigned>& iterations) {
    std::vector<JudgeRequest> requests;
    for (const auto iteration : iterations) {
      requests.push_back({.candidate = source_of(iteration), .judged_programs = judged_programs()});
      if (search_.strategy.wants_pairs() && iteration > 0)
        requests.back().rival = source_of(incumbent(history_).iteration);
    }
    const Activity activity(*this, "judging", iterations, std::identity());
    const auto on_judgement = [&](std::size_t which, const std::string& json,
                                  double seconds) -> std::optional<Error> {
      const auto own = result_of(iterations[which], json);
      if (!own) return own.error();
      const auto result = with_elapsed_seconds(*own, seconds);
      if (!result) return result.error();
      return search_.store.write(file_of(iterations[which], "result.json"), *result);
    };
    return search_.judge.judge(requests, on_judgement);
  }

  // What the judge says; of an equal program, which it has not judged again, what it said of that.
  Result<std::string> result_of(unsigned iteration, const std::string& json) const {
    const auto judgement = evaluation_from_json(json);
    if (!judgement || judgement->is_checked()) return json;
    const auto same = find_same_program(history_, judgement->program);
    if (!same) return json;
    auto known = read<EvaluationResult>(
        file_of(*same, "result.json"), [](const auto& text) { return evaluation_from_json(text); });
    if (!known) return known.error();
    known->file = source_of(iteration);
    known->source_bytes = judgement->source_bytes;
    known->comparison.reset();  // of the other file, at its time
    return msci::to_json(*known);
  }

  // Those of the iterations with a score.
  std::vector<std::string> judged_programs() const {
    std::vector<std::string> programs;
    for (const auto& record : history_)
      if (record.score && !record.program.empty() && !record.same_program_as)
        programs.push_back(record.program);
    return programs;
  }

  std::optional<Error> decide(const Member& member, unsigned generation) {
    Record record{.iteration = member.iteration,
                  .role = Record::Role::skipped,
                  .fail_reason = member.generated.failure.value_or(member.no_source),
                  .no_source = member.no_source};
    if (member.has_source) {
      const auto judged = attempt(member.iteration);
      if (!judged) return judged.error();
      record = record_of(member.iteration, **judged);
      record.same_program_as = find_same_program(history_, record.program);
      record.speedup = speedup_of(record, (*judged)->judgement, history_);
      record.claim = claim_over(record, incumbent(history_));
      record.is_new_best = !record.same_program_as && search_.strategy.promotes(history_, record);
    }
    record.parent = member.request.parent;
    record.generation = generation;
    record.elapsed_s += member.generated.seconds;
    record.usage = member.generated.usage;
    return add(std::move(record));
  }

  Record record_of(unsigned iteration, const PromptAttempt& attempt) const {
    const auto& judgement = attempt.judgement;
    return {.iteration = iteration,
            .checked = judgement.is_checked(),
            .compile_ok = judgement.compile_ok(),
            .correct = judgement.correct(),
            .score = search_.is_predicted ? judgement.predicted_score() : judgement.score(),
            .predicted =
                search_.is_predicted ? std::optional(judgement.predicted_passes()) : std::nullopt,
            .fail_reason = judgement.fail_reason(),
            .pairs = judgement.comparison ? judgement.comparison->times.sizes
                                          : std::vector<PairedTimes>(),
            .regime = regime_of(attempt.source) + features_of(judgement),
            .source_path = source_of(iteration),
            .elapsed_s = judgement.elapsed_seconds.value_or(0),
            .program = judgement.program};
  }

  // Adds a record to the history and to the files.
  std::optional<Error> add(Record record) {
    history_.push_back(std::move(record));
    const auto& added = history_.back();
    if (auto error = search_.store.write_derived("history.json", search::to_json(history_)))
      return error;
    if (search_.on_record) search_.on_record(added);
    if (!added.is_new_best) return std::nullopt;
    const auto result = search_.store.read(file_of(added.iteration, "result.json"));
    if (!result) return result.error();
    const auto best = attempt(added.iteration);
    if (!best) return best.error();
    if (auto error = search_.store.write_derived("best_result.json", result->value_or("")))
      return error;
    return search_.store.write_derived("best.metal", (*best)->source);
  }

  // The source and judgement of an iteration, from the store.
  Result<const PromptAttempt*> attempt(unsigned iteration) {
    const auto known = attempts_.find(iteration);
    if (known != attempts_.end()) return &known->second;
    const auto source = search_.store.read(source_of(iteration));
    if (!source) return source.error();
    auto judgement =
        read<EvaluationResult>(file_of(iteration, "result.json"),
                               [](const std::string& text) { return evaluation_from_json(text); });
    if (!judgement) return judgement.error();
    if (search_.is_strict) apply_strict_verdict(*judgement);
    return &attempts_.emplace(iteration, PromptAttempt{source->value_or(""), *std::move(judgement)})
                .first->second;
  }

  template <typename T, typename Parse>
  Result<T> read(const std::string& name, Parse parse) const {
    const auto text = search_.store.read(name);
    if (!text) return text.error();
    auto parsed = parse(text->value_or(""));
    if (!parsed)
      return Error{fmt::format("{}: {}; remove the file to have it made anew",
                               search_.store.path(name), parsed.error().message)};
    return parsed;
  }

  const Search& search_;
  History history_;
  std::map<unsigned, PromptAttempt> attempts_;  // by iteration
};

}  // namespace

std::optional<std::string_view> ended_by(const Budget& budget, const History& history) {
  double seconds = 0;
  std::uint64_t tokens = 0;
  for (const auto& record : history) {
    seconds += record.elapsed_s;
    tokens += record.usage.tokens();
  }
  if (history.size() > budget.iterations) return std::nullopt;
  if (budget.seconds && seconds >= *budget.seconds) return "--max-seconds";
  if (budget.tokens && tokens >= *budget.tokens) return "--max-tokens";
  return std::nullopt;
}

Result<History> run(const Search& search) { return Loop(search).run(); }

}  // namespace msci::search
