#include "evaluator/server/judge_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "base/files/read_file.h"
#include "base/json.h"

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
    "cancel": {"type": ["string", "integer"],
               "description": "Alone in its object: the id of an earlier request of this client."}
  },
  "oneOf": [
    {"required": ["cancel"], "maxProperties": 1},
    {"not": {"required": ["cancel"]},
     "oneOf": [{"required": ["file"]}, {"required": ["source"]}],
     "if": {"properties": {"verdict": {"enum": ["lint", "opencl", "code", "draft"]}},
            "required": ["verdict"]},
     "then": {"not": {"required": ["task", "plan"]}},
     "else": {"oneOf": [{"required": ["task"]}, {"required": ["plan"]}]}}
  ],
  "dependentSchemas": {
    "rival": {"properties": {"verdict": {"enum": ["verify", "strict", "timed", "compared"]}}}
  },
  "additionalProperties": false
})";

// In the order of the enumeration.
constexpr std::array<std::string_view, 12> verdict_names = {
    "lint",    "verify", "strict", "timed",      "predicted", "check",
    "profile", "opencl", "code",   "difference", "compared",  "draft"};

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
  if (file) return read_source(*file);
  return source_from(name.value_or("<source>"), *std::move(text));
}

void read_verdict(ObjectReader& reader, WantedVerdict& verdict) {
  std::string name;
  if (!reader.read("verdict", name)) return;
  const auto found = std::ranges::find(verdict_names, name);
  if (found == verdict_names.end())
    reader.report_error("verdict",
                        fmt::format("expected one of {}", fmt::join(verdict_names, ", ")));
  else
    verdict = static_cast<WantedVerdict>(found - verdict_names.begin());
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
  if (!needs_no_task(request.verdict) && request.task.empty() && request.plan.empty())
    return Error{
        "a request needs a \"task\" or a \"plan\"; only the verdicts lint, opencl, code and draft "
        "need none"};
  for (const auto& [name, about, verdict, pattern] :
       rows | std::views::transform(&OptionRow::field))
    if (verdict && json.contains(name) && to_string(request.verdict) != verdict)
      return Error{fmt::format("\"{}\" belongs to the verdict {}", name, verdict)};
  return std::nullopt;
}

// The text is the author's answer, so that its faults are the kernel's.
void refuse_text(JudgeRequest& request, const std::optional<std::string>& name, const Error& why) {
  request.source.name = name.value_or("<source>");
  request.no_text = why.message;
  request.uses_cache = false;
}

Result<JudgeRequest> with_rival(JudgeRequest request, std::string rival) {
  using enum WantedVerdict;
  constexpr std::array with = {verify, strict, timed, compared};
  if (std::ranges::find(with, request.verdict) == with.end())
    return Error{"a \"rival\" belongs to the verdicts verify, strict, timed and compared"};
  auto other = source_from("<rival>", std::move(rival));
  if (!other) return other.error();
  request.rival = *std::move(other);
  request.uses_cache = false;
  return request;
}

Result<JudgeRequest> without_rival(JudgeRequest request) {
  if (request.verdict == WantedVerdict::compared)
    return Error{"the verdict compared needs a \"rival\""};
  return request;
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
  request.uses_cache = request.verdict != WantedVerdict::timed;
  reader.read("cache", request.uses_cache);
  if (auto error = reader.finish()) return *error;
  if (auto refusal = refuse(request, json, rows)) return *std::move(refusal);
  const bool is_text = text.has_value();
  auto source = source_of(file, std::move(text), name);
  if (source)
    request.source = *std::move(source);
  else if (is_text && !file && answer_kind(request.verdict) == "evaluation")
    refuse_text(request, name, source.error());
  else
    return source.error();
  return rival ? with_rival(std::move(request), *std::move(rival))
               : without_rival(std::move(request));
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

std::string_view to_string(WantedVerdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

bool needs_no_task(WantedVerdict verdict) {
  using enum WantedVerdict;
  return verdict == lint || verdict == opencl || verdict == code || verdict == draft;
}

std::string_view answer_kind(WantedVerdict verdict) {
  switch (verdict) {
    case WantedVerdict::lint:
      return "report";
    case WantedVerdict::check:
    case WantedVerdict::profile:
    case WantedVerdict::opencl:
    case WantedVerdict::code:
    case WantedVerdict::difference:
    case WantedVerdict::draft:
      return to_string(verdict);
    default:
      return "evaluation";
  }
}

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
  schema["properties"]["verdict"]["enum"] = OrderedJson::array();
  for (const auto name : verdict_names) schema["properties"]["verdict"]["enum"].push_back(name);
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
