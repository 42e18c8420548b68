#include "lint/check.h"

#include <fmt/format.h>

#include "lint/apart.h"
#include "lint/files.h"
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

// A source, and what is asked about it.
struct Question {
  Source source;
  Request request;
};

Result<Source> read(const std::string& file, const Wishes& wishes) {
  auto source = read_source(file);
  if (source && file == "-" && !wishes.stdin_name.empty()) source->name = wishes.stdin_name;
  return source;
}

Result<Examination> examine(const Question& question, std::span<const ListedRule> rules,
                            const std::optional<Fixes>& mend) {
  if (mend) return examine_and_mend(question.source, rules, question.request, *mend);
  auto report = examine(question.source, rules, question.request);
  if (!report) return report.error();
  return Examination{.report = *std::move(report)};
}

Result<Examination> answer_of(const Result<Ended>& ended, const Question& question) {
  if (!ended) return ended.error();
  if (const auto* bytes = std::get_if<std::string>(&*ended)) return from_wire(*bytes);
  return Examination{
      .report = refused(question.source, question.request, std::get<Broken>(*ended).reason)};
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

Result<std::vector<std::string>> files_of(const std::vector<std::string>& arguments,
                                          Configs& configs) {
  return expand(arguments, [&](const std::string& path) {
    const auto config = configs.of(path);
    return config && excludes(*config, path);  // check() tells of one that is wrong
  });
}

Result<std::vector<Result<Examination>>> check(const std::vector<std::string>& files,
                                               const Wishes& wishes, Configs& configs,
                                               std::span<const ListedRule> rules) {
  std::vector<Result<Question>> questions;
  for (const auto& file : files) {
    const auto config =
        configs.of(file == "-" && !wishes.stdin_name.empty() ? wishes.stdin_name : file);
    if (!config) return config.error();
    auto request = request_from(wishes, *config, rules);
    if (!request) return request.error();
    request->is_alone = files.size() == 1;
    auto source = read(file, wishes);
    if (source)
      questions.push_back(Question{*std::move(source), *std::move(request)});
    else
      questions.push_back(source.error());
  }
  std::vector<std::function<std::string()>> works;
  for (const auto& question : questions)
    if (question) works.push_back([&] { return to_wire(examine(*question, rules, wishes.mend)); });
  const auto ended = run_apart(works, wishes.at_once);
  std::vector<Result<Examination>> answers;
  auto next = ended.begin();
  for (const auto& question : questions)
    answers.push_back(question ? answer_of(*next++, *question)
                               : Result<Examination>(question.error()));
  return answers;
}

}  // namespace msci
