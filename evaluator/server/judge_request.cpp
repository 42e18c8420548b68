#include "evaluator/server/judge_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/files/read_file.h"
#include "base/json.h"
#include "base/judging/nonce.h"
#include "base/judging/timing_protocol.h"

namespace msci {
namespace {

constexpr JsonOptions json_options{.max_depth = 4};

constexpr std::array verdicts = {WantedVerdict::lint, WantedVerdict::verify, WantedVerdict::strict,
                                 WantedVerdict::timed, WantedVerdict::predicted};

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
  const auto found = std::ranges::find(verdicts, std::string_view(name),
                                       [](auto each) { return to_string(each); });
  if (found == verdicts.end())
    reader.report_error("verdict", "expected lint, verify, strict, timed or predicted");
  else
    verdict = *found;
}

// Why the members do not belong together.
std::optional<Error> refuse(const JudgeRequest& request) {
  const bool is_lint = request.verdict == WantedVerdict::lint;
  if (!request.task.empty() && !request.plan.empty())
    return Error{"a request has a \"task\" or a \"plan\", not both"};
  if (!is_lint && request.task.empty() && request.plan.empty())
    return Error{"a request needs a \"task\" or a \"plan\"; only the verdict lint needs none"};
  if (!request.protocol.empty() && request.verdict != WantedVerdict::timed)
    return Error{"\"protocol\" belongs to the verdict timed"};
  if (!request.chip.empty() && request.verdict != WantedVerdict::predicted)
    return Error{"\"chip\" belongs to the verdict predicted"};
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
  if (reader.read("nonce", request.nonce) && !is_nonce(request.nonce))
    reader.report_error("nonce", not_a_nonce);
  if (reader.read("protocol", request.protocol) && !timing_protocol_of(request.protocol))
    reader.report_error(
        "protocol", fmt::format("expected one of {}", fmt::join(timing_protocol_names(), ", ")));
  reader.read("chip", request.chip);
  if (reader.read("fuzz_sizes", request.fuzz_sizes) && request.fuzz_sizes > 1000)
    reader.report_error("fuzz_sizes", "at most 1000");
  reader.read("held_out", request.held_out);
  reader.read("stop_at_wrong", request.stop_at_wrong);
  request.uses_cache = request.verdict != WantedVerdict::timed;
  reader.read("cache", request.uses_cache);
  if (auto done = reader.finish(); !done) return done.error();
  if (auto refusal = refuse(request)) return *std::move(refusal);
  auto source = source_of(file, std::move(text), name);
  if (!source) return source.error();
  request.source = *std::move(source);
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

std::string_view to_string(WantedVerdict verdict) {
  switch (verdict) {
    case WantedVerdict::lint:
      return "lint";
    case WantedVerdict::verify:
      return "verify";
    case WantedVerdict::strict:
      return "strict";
    case WantedVerdict::timed:
      return "timed";
    case WantedVerdict::predicted:
      return "predicted";
  }
  return "";
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
