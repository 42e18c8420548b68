#include "lint/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "lint/metal/read_file.h"
#include "lint/wire.h"

namespace msci {
namespace {

template <typename T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// Errors: a word of the configuration that fits no rule.
Result<std::monostate> check_words(const Config& config, std::span<const ListedRule> rules) {
  const auto check = [&](std::string_view key, Request request) -> Result<std::monostate> {
    const auto known = checked(std::move(request), rules);
    if (known) return std::monostate();
    return Error{fmt::format("{}: \"{}\": {}", config.path, key, known.error().message)};
  };
  auto done = check("select", {.select = config.select});
  if (done) done = check("ignore", {.ignore = config.ignore});
  if (done) done = check("severity", {.overrides = config.severity});
  return done;
}

Result<Source> read(const std::string& file, const Wishes& wishes) {
  auto source = read_source(file);
  if (source && file == "-" && !wishes.stdin_name.empty()) source->name = wishes.stdin_name;
  return source;
}

// So many sources that begin alike make up for the reading of all headers.
constexpr unsigned worth_preparing = 16;

// What each comes to, in their order. Those that begin alike follow each other, so that the headers
// are read once for all of them.
std::vector<Result<Examination>> answers_to(const std::vector<Question>& questions,
                                            std::span<const ListedRule> rules, unsigned at_once) {
  std::vector<Preamble> preambles;
  std::map<Preamble, unsigned> counts;
  for (const auto& question : questions) {
    preambles.push_back(preamble_of(question.source.text, question.request.version));
    ++counts[preambles.back()];
  }
  std::vector<std::size_t> order(questions.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return preambles[a] < preambles[b]; });
  HeadStarts head_starts;
  const auto work_at = [&](std::size_t turn) -> Work {
    const auto& preamble = preambles[order[turn]];
    if (counts[preamble] >= worth_preparing) head_starts.prepare(preamble);
    return [&, turn] { return to_wire(examine(questions[order[turn]], rules, &head_starts)); };
  };
  const auto ended = run_apart(questions.size(), work_at, at_once);
  std::vector<Result<Examination>> answers(questions.size(), Examination());
  for (std::size_t turn = 0; turn < order.size(); ++turn)
    answers[order[turn]] = answer_of(ended[turn], questions[order[turn]]);
  return answers;
}

}  // namespace

Result<Request> request_from(const Wishes& wishes, const Config& config,
                             std::span<const ListedRule> rules) {
  if (auto known = check_words(config, rules); !known) return known.error();
  Request request{.expectation = wishes.expectation,
                  .host = wishes.host,
                  .select = wishes.select.empty() ? config.select : wishes.select,
                  .ignore = config.ignore,
                  .overrides = config.severity};
  append(request.ignore, wishes.ignore);
  append(request.overrides, wishes.severity);
  if (config.version) request.version = *config.version;
  if (wishes.version) request.version = *wishes.version;
  return checked(std::move(request), rules);
}

Result<Examination> examine(const Question& question, std::span<const ListedRule> rules,
                            HeadStarts* head_starts) {
  const auto& [source, request, mend] = question;
  if (mend) return examine_and_mend(source, rules, request, *mend, head_starts);
  auto report = examine(source, rules, request, head_starts);
  if (!report) return report.error();
  return Examination{.report = *std::move(report)};
}

Examination refused(const Question& question, const Broken& broken) {
  return {.report = refused(question.source, question.request, broken.reason)};
}

Result<Examination> answer_of(const Result<Ended>& ended, const Question& question) {
  if (!ended) return ended.error();
  if (const auto* bytes = std::get_if<std::string>(&*ended)) return from_wire(*bytes);
  return refused(question, std::get<Broken>(*ended));
}

Files files_of(const std::vector<std::string>& arguments, Configs& configs) {
  return expand(arguments, [&](const std::string& path) {
    const auto config = configs.of(path);
    return config && excludes(*config, path);  // check() tells of one that is wrong
  });
}

Result<std::vector<Result<Examination>>> check(const std::vector<std::string>& files,
                                               const Wishes& wishes, Configs& configs,
                                               std::span<const ListedRule> rules) {
  std::vector<Question> questions;
  std::vector<std::optional<Error>> errors;  // of each file
  for (const auto& file : files) {
    const auto config =
        configs.of(file == "-" && !wishes.stdin_name.empty() ? wishes.stdin_name : file);
    if (!config) return config.error();
    auto request = request_from(wishes, *config, rules);
    if (!request) return request.error();
    request->is_alone = files.size() == 1;
    auto source = read(file, wishes);
    errors.push_back(source ? std::nullopt : std::optional(source.error()));
    if (source) questions.push_back({*std::move(source), *std::move(request), wishes.mend});
  }
  auto answered = answers_to(questions, rules, wishes.at_once);
  std::vector<Result<Examination>> answers;
  auto next = answered.begin();
  for (const auto& error : errors)
    answers.push_back(error ? Result<Examination>(*error) : std::move(*next++));
  return answers;
}

}  // namespace msci
