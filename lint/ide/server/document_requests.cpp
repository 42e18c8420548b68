#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/files/read_file.h"
#include "base/process/run_command.h"
#include "lint/ide/features.h"
#include "lint/ide/protocol/code_actions.h"
#include "lint/ide/protocol/replies.h"
#include "lint/ide/server/documents.h"
#include "lint/output/rule_pages.h"

namespace msci {
namespace {

constexpr std::chrono::seconds formatting_limit(30);  // an editor cancels what takes too long

// What triggers completion. Editors send a request at the last character of a pair.
constexpr std::array triggers = {".", "[[", "::", "->"};

// Whether the typed character is the half of a pair: a subscript "[", a label ":".
bool is_half_a_trigger(const Json& params, std::string_view before) {
  const auto written = params.value(Json::json_pointer("/context/triggerCharacter"), std::string());
  if (written.empty()) return false;
  return std::none_of(triggers.begin(), triggers.end(), [&](std::string_view trigger) {
    return trigger.ends_with(written) && before.ends_with(trigger);
  });
}

// The document that a request is about; an item of a call hierarchy names it.
std::string document_of(const Json& params) {
  return params.contains("item") ? params.at("item").at("data").at("uri")
                                 : params.at("textDocument").at("uri");
}

// The lines of a range for clang-format. A line counts only if a part of it lies in the range.
std::string lines_option(const Range& range) {
  auto last = range.end.line;
  if (range.end.column == 1 && last > range.begin.line) --last;
  return fmt::format("--lines={}:{}", range.begin.line, last);
}

// The lines that differ, as one edit.
Edit difference(const Source& source, std::string_view after) {
  const std::string_view before = source.text;
  const auto most = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < most && before[head] == after[head]) ++head;
  head = before.substr(0, head).rfind('\n') + 1;  // npos + 1 is 0
  std::size_t tail = 0;
  while (tail < most - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  const auto end = std::min(before.find('\n', before.size() - tail), before.size() - 1) + 1;
  const auto kept = before.size() - end;
  return {{"", {location_at(source, head), location_at(source, end)}},
          std::string(after.substr(head, after.size() - kept - head))};
}

}  // namespace

void DocumentRequests::code_actions(const Json& id, const Json& params) {
  const std::string uri = params.at("textDocument").at("uri");
  auto* found = documents_.find(uri);
  if (!found || !found->report) return session_.client.respond(id, Json::array());
  const auto& report = *found->report;
  const Converter converter(report.source, session_.unit, session_.options.rule_pages);
  session_.client.respond(
      id, msci::code_actions({.report = report,
                              .converter = converter,
                              .uri = uri,
                              .range = converter.range_from(params.at("range")),
                              .only = params.value(Json::json_pointer("/context/only"),
                                                   std::vector<std::string>())}));
}

void DocumentRequests::hover(const Json& id, const Json& params) {
  auto* found = documents_.find(params.at("textDocument").at("uri"));
  if (!found) return session_.client.respond(id, nullptr);
  if (const auto& report = found->report) {
    const Converter converter(report->source, session_.unit);
    const auto place = converter.location(params.at("position"));
    for (const auto& finding : report->findings)
      if (const auto* rule = find_rule(session_.options.rules, finding.rule);
          rule && finding.place.file.empty() && finding.place.range.begin <= place &&
          place <= finding.place.range.end)
        return session_.client.respond(id, {{"contents", markdown(beginning_of(rule->page))},
                                            {"range", converter.range(finding.place.range)}});
  }
  ask(id, params, answers::hover);
}

void DocumentRequests::ask(const Json& id, const Json& params, Answer answer) {
  ask(id, params, answer, session_.responding_to(id));
}

void DocumentRequests::ask(const Json& id, const Json& params, Answer answer, Then then) {
  const auto uri = document_of(params);
  auto* found = documents_.find(uri);
  if (!found) return then(nullptr);
  documents_.ask(id, uri, *found, answer, params, std::move(then));
}

void DocumentRequests::colour(const Json& id, const Json& params) {
  const std::string uri = params.at("textDocument").at("uri");
  const auto previous = params.value("previousResultId", std::string());
  ask(id, params, answers::all_tokens, [this, id, uri, previous](Json result) {
    auto* found = documents_.find(uri);
    if (!found || result.is_null()) return session_.client.respond(id, nullptr);
    auto& document = *found;
    auto before = std::exchange(document.semantic_data, result["data"]);
    const auto before_id = std::exchange(document.semantic_id, std::to_string(++semantic_results_));
    result["resultId"] = document.semantic_id;
    if (!previous.empty() && previous == before_id)
      return session_.client.respond(id,
                                     {{"resultId", document.semantic_id},
                                      {"edits", difference_json(before, document.semantic_data)}});
    session_.client.respond(id, std::move(result));
  });
}

void DocumentRequests::complete(const Json& id, const Json& params) {
  auto* found = documents_.find(params.at("textDocument").at("uri"));
  if (!found) return session_.client.respond(id, nullptr);
  const auto& source = found->source;
  const auto place = Converter(source, session_.unit).location(params.at("position"));
  const auto before = std::string_view(source.text).substr(0, offset_of(source, place));
  if (is_half_a_trigger(params, before)) return session_.client.respond(id, Json::array());
  const auto compile = documents_.request_of(*found).compile;
  session_.start_request(
      id, preamble_of(source.text, compile), session_.responding_to(id),
      [&](PrecompiledPreamble start) {
        return completion_items(completions_at(std::move(start), source, compile, place));
      });
}

void DocumentRequests::help_with_call(const Json& id, const Json& params) {
  auto* found = documents_.find(params.at("textDocument").at("uri"));
  if (!found) return session_.client.respond(id, nullptr);
  const auto& source = found->source;
  const auto place = Converter(source, session_.unit).location(params.at("position"));
  const auto compile = documents_.request_of(*found).compile;
  session_.start_request(id, preamble_of(source.text, compile), session_.responding_to(id),
                         [&](PrecompiledPreamble start) {
                           return signatures_json(
                               signatures_at(std::move(start), source, compile, place),
                               session_.unit);
                         });
}

void DocumentRequests::format(const Json& id, const Json& params) {
  auto* found = documents_.find(params.at("textDocument").at("uri"));
  if (!found) return session_.client.respond(id, nullptr);
  const auto& source = found->source;
  const Converter converter(source, session_.unit);
  std::vector<std::string> arguments{"clang-format",
                                     fmt::format("--assume-filename={}.cpp", source.name)};
  if (params.contains("range")) {
    const auto range = converter.range_from(params.at("range"));
    const auto end = location_at(source, source.text.size());
    if (range.end < range.begin || range.begin.line > end.line)
      return session_.client.respond(id, Json::array());
    arguments.push_back(lines_option({range.begin, std::min(range.end, end)}));
  }
  session_.requests.start(id, session_.responding_to(id), [&]() -> std::string {
    const auto done = run_command({.arguments = arguments,
                                   .input = source.text,
                                   .time_limit = formatting_limit,
                                   .output_limit = 2 * source_size_limit});
    if (!done || !done->succeeded() || done->truncated) return "null";
    if (done->out == source.text) return "[]";
    return to_line(converter.edits({difference(source, done->out)}));
  });
}

}  // namespace msci
