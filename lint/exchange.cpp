#include "lint/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "lint/command.h"
#include "lint/format.h"
#include "lint/metal/read_file.h"
#include "lint/text.h"
#include "rules/rules.h"

namespace msci {
namespace {

using Json = nlohmann::ordered_json;
using Done = Result<std::monostate>;

constexpr std::array<std::string_view, 12> keys = {"id",     "file",     "source", "name",
                                                   "task",   "kernel",   "host",   "select",
                                                   "ignore", "severity", "std",    "config"};

constexpr int most_depth = 4;

// A request on its way to a question.
struct Draft {
  Wishes wishes;
  Configs configs;
  std::string task;
  std::vector<std::string> kernels;
};

Error wrong(std::string_view key, std::string_view what) {
  return {fmt::format("\"{}\": {} belongs here", key, what)};
}

Error unknown(std::string_view key) {
  const auto near = nearest(key, keys);
  return {fmt::format(
      "\"{}\" is no field of a request{}", key,
      near.empty() ? fmt::format("; they are {}", fmt::join(keys, ", ")) : did_you_mean(near))};
}

Result<std::string> string(std::string_view key, const Json& value) {
  if (!value.is_string()) return wrong(key, "a string");
  return value.get<std::string>();
}

Result<std::vector<std::string>> strings(std::string_view key, const Json& value) {
  const auto is_string = [](const Json& each) { return each.is_string(); };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_string))
    return wrong(key, "a list of strings");
  return value.get<std::vector<std::string>>();
}

template <typename T>
Done put(Result<T> value, T& place) {
  if (!value) return value.error();
  place = *std::move(value);
  return std::monostate();
}

Done put_severity(const Json& value, std::vector<Override>& overrides) {
  if (!value.is_object()) return wrong("severity", "an object of rules and severities");
  for (const auto& [rules, severity] : value.items()) {
    if (!severity.is_string()) return wrong(rules, "a string: error, warning, note or off");
    auto each = override_from(fmt::format("{}={}", rules, severity.get<std::string>()));
    if (!each) return each.error();
    overrides.push_back(*std::move(each));
  }
  return std::monostate();
}

Done put_version(const Json& value, std::optional<LanguageVersion>& version) {
  const auto text = string("std", value);
  if (!text) return text.error();
  const auto known = language_version(*text);
  if (!known) return known.error();
  version = *known;
  return std::monostate();
}

Done put_hosts(const Json& value, std::vector<Source>& hosts) {
  const auto files = strings("host", value);
  if (!files) return files.error();
  hosts.clear();
  for (const auto& file : *files) {
    if (file == "-") return Error{"\"host\": standard input is taken by requests; name a file"};
    auto host = read_source(file);
    if (!host) return host.error();
    hosts.push_back(*std::move(host));
  }
  return std::monostate();
}

// A file's name, or false for none.
Done put_config(const Json& value, Configs& configs) {
  if (value == false) {
    configs = Configs::always({});
    return std::monostate();
  }
  if (!value.is_string()) return wrong("config", "a file's name, or false,");
  auto config = read_config(value.get<std::string>());
  if (!config) return config.error();
  configs = Configs::always(*std::move(config));
  return std::monostate();
}

// Of the fields that say how to lint; those that say what are read later.
Done put_key(const std::string& key, const Json& value, Draft& draft) {
  auto& wishes = draft.wishes;
  if (key == "task") return put(string(key, value), draft.task);
  if (key == "kernel") return put(strings(key, value), draft.kernels);
  if (key == "host") return put_hosts(value, wishes.host);
  if (key == "select") return put(strings(key, value), wishes.select);
  if (key == "ignore") return put(strings(key, value), wishes.ignore);
  if (key == "severity") return put_severity(value, wishes.severity);
  if (key == "std") return put_version(value, wishes.version);
  if (key == "config") return put_config(value, draft.configs);
  for (const std::string_view other : {"id", "file", "source", "name"})
    if (key == other) return std::monostate();
  return unknown(key);
}

Result<Source> source_of(const Json& json) {
  const bool is_file = json.contains("file");
  if (is_file == json.contains("source"))
    return Error{"a request has a \"file\", or a \"source\" with its text"};
  if (is_file && json.contains("name"))
    return Error{"\"name\" goes with a \"source\"; a \"file\" has its own"};
  auto word = string(is_file ? "file" : "source", json[is_file ? "file" : "source"]);
  if (!word) return word.error();
  if (is_file && *word == "-")
    return Error{"\"file\": standard input is taken by requests; send the text as \"source\""};
  if (is_file) return read_source(*word);
  if (!json.contains("name")) return source_from("<source>", *std::move(word));
  auto name = string("name", json["name"]);
  if (!name) return name.error();
  return source_from(*std::move(name), *std::move(word));
}

Result<Question> question_of(const Json& json, const Wishes& wishes, const Configs& configs) {
  Draft draft{.wishes = wishes, .configs = configs};
  for (const auto& [key, value] : json.items())
    if (auto done = put_key(key, value, draft); !done) return done.error();
  if (!draft.task.empty() || !draft.kernels.empty()) {
    auto expectation = expectation_from(draft.task, std::move(draft.kernels), "the request");
    if (!expectation) return expectation.error();
    draft.wishes.expectation = *std::move(expectation);
  }
  auto source = source_of(json);
  if (!source) return source.error();
  const auto config = draft.configs.of(source->name);
  if (!config) return config.error();
  auto request = request_from(draft.wishes, *config, all_rules());
  if (!request) return request.error();
  return Question{*std::move(source), *std::move(request)};
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Asked asked_by(std::string_view line, const Wishes& wishes, const Configs& configs) {
  // What lies deeper is not kept: it would take a hundred times the memory of its text.
  bool is_deep = false;
  const auto keeps = [&](int depth, Json::parse_event_t, const Json&) {
    is_deep = is_deep || depth > most_depth;
    return depth <= most_depth;
  };
  const auto json = Json::parse(line, keeps, /*allow_exceptions=*/false);
  if (is_deep) return {.question = Error{"a request has no values that are nested so deeply"}};
  if (json.is_discarded()) return {.question = Error{"the line is no JSON"}};
  if (!json.is_object()) return {.question = Error{"a request is a JSON object"}};
  if (!json.contains("id")) return {.question = question_of(json, wishes, configs)};
  const auto& id = json["id"];
  if (!id.is_string() && !id.is_number_integer())
    return {.question = Error{"\"id\": a string or a whole number belongs here"}};
  return {.id = dumped(id), .question = question_of(json, wishes, configs)};
}

std::string answer_to(const std::string& id, const Result<Examination>& examination) {
  if (!examination)
    return fmt::format("{{\"id\":{},\"error\":{}}}\n", id, dumped(examination.error().message));
  return fmt::format("{{\"id\":{},\"report\":{}}}\n", id, to_json(examination->report));
}

}  // namespace msci
