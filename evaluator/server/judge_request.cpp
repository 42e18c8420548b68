#include "evaluator/server/judge_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>
#include <utility>

#include "base/files/read_file.h"
#include "base/json.h"
#include "lint/host/embedded/composed_sources.h"

namespace msci {
namespace {

constexpr JsonOptions json_options{.max_depth = 4};

// The schema of a request, without the fields that are options.
constexpr std::string_view schema_frame = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "msci/judge_request/1",
  "title": "A request to msci-eval --server",
  "description":
    "One object per line: a kernel to judge, or the id of an earlier request that is cancelled.",
  "type": "object",
  "properties": {
    "id": {"type": ["string", "integer"], "description": "The answer repeats it."},
    "file": {"type": "string", "description": "A source to read, relative to the server's folder."},
    "source": {"type": "string", "description": "The text of a source, instead of a file."},
    "name": {"type": "string",
             "description": "The name of the source in messages; <source> by default."},
    "task": {"type": "string", "description": "The name of a task, or a plan file."},
    "plan": {"type": "string", "description": "A plan file, instead of a task."},
    "verdict": {"description": "verify by default."},
    "rival": {"type": "string",
              "description": "A kernel's text, or seed: a right kernel is timed in turns with it."},
    "cache": {"type": "boolean",
              "description": "Whether a kept verdict may answer; not by default if it is timed."},
    "diagnosis": {"type": "boolean",
                  "description": "Whether to look for the cause if it is wrong; not by default."},
    "cancel": {"type": ["string", "integer"],
               "description": "Alone in its object: the id of an earlier request of this client."}
  },
  "oneOf": [
    {"required": ["cancel"], "maxProperties": 1},
    {"not": {"required": ["cancel"]},
     "oneOf": [{"required": ["file"]}, {"required": ["source"]}],
     "if": {"properties": {"verdict": {}}, "required": ["verdict"]},
     "then": {"not": {"required": ["task", "plan"]}},
     "else": {"oneOf": [{"required": ["task"]}, {"required": ["plan"]}]}}
  ],
  "dependentSchemas": {"rival": {"properties": {"verdict": {}}},
                       "diagnosis": {"properties": {"verdict": {}}}},
  "additionalProperties": false
})";

constexpr std::array verdicts = {
#define MSCI_VERDICT(verdict, function, ...) VerdictTraits{.name = #verdict, __VA_ARGS__},
#include "evaluator/server/verdicts.def"
#undef MSCI_VERDICT
};

template <typename Test>
std::vector<std::string_view> names_of(Test is_meant) {
  std::vector<std::string_view> names;
  for (const auto& verdict : verdicts)
    if (std::invoke(is_meant, verdict)) names.push_back(verdict.name);
  return names;
}

bool takes_rival(const VerdictTraits& verdict) { return verdict.rival != RivalUse::refused; }

std::optional<std::string> read_string(ObjectReader& reader, std::string_view key) {
  std::string text;
  return reader.read(key, text) ? std::optional(std::move(text)) : std::nullopt;
}

// The source: the member "file", or "source" with an optional "name".
Result<Source> source_of(const std::optional<std::string>& file, std::optional<std::string> text,
                         const std::optional<std::string>& name) {
  if (file.has_value() == text.has_value())
    return Error{"a request has a \"file\", or a \"source\" with its text"};
  if (file && name) return Error{"\"name\" belongs to a \"source\"; a \"file\" has its own name"};
  if (file == "-")
    return Error{"\"file\": standard input holds requests; send the text as \"source\""};
  if (file) return metal_in(read_source(*file));
  return source_from(name.value_or("<source>"), *std::move(text));
}

void read_verdict(ObjectReader& reader, WantedVerdict& verdict) {
  std::string name;
  if (!reader.read("verdict", name)) return;
  const auto found = std::ranges::find(verdicts, name, &VerdictTraits::name);
  if (found == verdicts.end())
    reader.report_error(
        "verdict",
        fmt::format("expected one of {}",
                    fmt::join(verdicts | std::views::transform(&VerdictTraits::name), ", ")));
  else
    verdict = static_cast<WantedVerdict>(found - verdicts.begin());
}

// The options that are fields of a request.
std::vector<OptionRow> option_rows(JudgeRequest& request) {
  auto rows = rows_of(request.judging);
  for (auto& row : rows_of(request.timing)) rows.push_back(std::move(row));
  std::erase_if(rows, [](const OptionRow& row) { return !row.field.name; });
  return rows;
}

// Why the members do not belong together.
std::optional<Error> refuse(const JudgeRequest& request, const OrderedJson& json,
                            const std::vector<OptionRow>& rows) {
  if (!request.task.empty() && !request.plan.empty())
    return Error{"a request has a \"task\" or a \"plan\", not both"};
  if (!traits_of(request.verdict).reads_only && request.task.empty() && request.plan.empty())
    return Error{fmt::format("a request needs a \"task\" or a \"plan\", except for the verdicts {}",
                             fmt::join(names_of(&VerdictTraits::reads_only), ", "))};
  for (const auto& [name, about, verdict, pattern] :
       rows | std::views::transform(&OptionRow::field))
    if (verdict && json.contains(name) && traits_of(request.verdict).name != verdict)
      return Error{fmt::format("\"{}\" belongs to the verdict {}", name, verdict)};
  const auto& verdict = traits_of(request.verdict);
  if (json.contains("rival") && !takes_rival(verdict))
    return Error{fmt::format("a \"rival\" belongs to the verdicts {}",
                             fmt::join(names_of(takes_rival), ", "))};
  if (json.contains("diagnosis") && !verdict.is_evaluation())
    return Error{fmt::format("a \"diagnosis\" belongs to the verdicts {}",
                             fmt::join(names_of(&VerdictTraits::is_evaluation), ", "))};
  if (!json.contains("rival") && verdict.rival == RivalUse::required)
    return Error{fmt::format("the verdict {} needs a \"rival\"", verdict.name)};
  return std::nullopt;
}

// The text is the author's answer, so that its faults are the kernel's.
void refuse_text(JudgeRequest& request, const std::optional<std::string>& name, const Error& why) {
  request.source.name = name.value_or("<source>");
  request.no_text = why.message;
  request.uses_cache = false;
}

// Sets the kernel to compare with, if there is one. Errors: its text is empty or binary.
std::optional<Error> set_rival(JudgeRequest& request, std::optional<std::string> text) {
  if (!text) return std::nullopt;
  auto rival = source_from("<rival>", *std::move(text));
  if (!rival) return rival.error();
  request.rival = *std::move(rival);
  request.uses_cache = false;
  return std::nullopt;
}

Result<JudgeRequest> request_of(const OrderedJson& json) {
  JudgeRequest request;
  ObjectReader reader(json, "a request");
  reader.find("id");
  const auto file = read_string(reader, "file");
  auto text = read_string(reader, "source");
  const auto name = read_string(reader, "name");
  reader.read("task", request.task);
  reader.read("plan", request.plan);
  read_verdict(reader, request.verdict);
  auto rival = read_string(reader, "rival");
  const auto rows = option_rows(request);
  read_fields(reader, rows);
  request.uses_cache = !traits_of(request.verdict).is_timed;
  reader.read("cache", request.uses_cache);
  reader.read("diagnosis", request.wants_diagnosis);
  if (auto error = reader.finish()) return *error;
  if (auto refusal = refuse(request, json, rows)) return *std::move(refusal);
  const bool is_text = text.has_value();
  auto source = source_of(file, std::move(text), name);
  if (source)
    request.source = *std::move(source);
  else if (is_text && !file && traits_of(request.verdict).is_evaluation())
    refuse_text(request, name, source.error());
  else
    return source.error();
  if (auto error = set_rival(request, std::move(rival))) return *std::move(error);
  return request;
}

Result<std::string> id_of(const OrderedJson& id, std::string_view key) {
  if (id.is_string() || id.is_number_integer()) return to_line(id);
  return Error{fmt::format("\"{}\": expected a string or an integer", key)};
}

using Content = std::variant<JudgeRequest, Cancellation>;

Result<Content> content_of(const OrderedJson& json) {
  if (!json.contains("cancel")) {
    auto request = request_of(json);
    if (!request) return request.error();
    return Content(*std::move(request));
  }
  if (json.size() != 1) return Error{"\"cancel\" stands alone: {\"cancel\": ID}"};
  auto id = id_of(json.at("cancel"), "cancel");
  if (!id) return id.error();
  return Content(Cancellation{*std::move(id)});
}

}  // namespace

const VerdictTraits& traits_of(WantedVerdict verdict) {
  return verdicts[static_cast<std::size_t>(verdict)];
}

std::vector<std::string_view> verdicts_on_page() { return names_of(&VerdictTraits::is_on_page); }

ServedLine parse_served_line(std::string_view line) {
  const auto json = parse_json<OrderedJson>(line, json_options);
  if (!json)
    return {.content =
                Error{fmt::format("the line is not a JSON object: {}", json.error().message)}};
  if (!json->is_object()) return {.content = Error{"a request must be a JSON object"}};
  if (!json->contains("id")) return {.content = content_of(*json)};
  auto id = id_of(json->at("id"), "id");
  if (!id) return {.content = id.error()};
  return {.id = *std::move(id), .content = content_of(*json)};
}

std::string judge_request_schema() {
  JudgeRequest request;
  const auto rows = option_rows(request);
  auto schema = parse_json<OrderedJson>(schema_frame).value();
  for (const auto& row : rows)
    if (row.field.verdict)
      schema["dependentSchemas"][row.field.name] = {
          {"properties", {{"verdict", {{"const", row.field.verdict}}}}},
          {"required", OrderedJson::array({"verdict"})}};
  schema["properties"]["verdict"]["enum"] = names_of([](const auto&) { return true; });
  schema["oneOf"][1]["if"]["properties"]["verdict"]["enum"] = names_of(&VerdictTraits::reads_only);
  schema["dependentSchemas"]["rival"]["properties"]["verdict"]["enum"] = names_of(takes_rival);
  schema["dependentSchemas"]["diagnosis"]["properties"]["verdict"]["enum"] =
      names_of(&VerdictTraits::is_evaluation);
  schema["properties"].update(schema_of_fields(rows));
  return schema.dump(2) + "\n";
}

std::string to_answer(const std::string& id, std::string_view kind, std::string_view json,
                      std::string_view seconds) {
  return fmt::format("{{\"id\":{},\"{}\":{},{}}}\n", id, kind, json,
                     seconds.empty() ? "\"cached\":true" : fmt::format("\"seconds\":{}", seconds));
}

std::string to_answer(const std::string& id, const Error& error) {
  return fmt::format("{{\"id\":{},\"error\":{}}}\n", id, to_line(OrderedJson(error.message)));
}

std::string to_cancelled_answer(const std::string& id) {
  return fmt::format("{{\"id\":{},\"cancelled\":true}}\n", id);
}

}  // namespace msci
