#include "evaluator/frontend.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evaluator/translate/translate.h"
#include "lint/apart.h"
#include "lint/lint.h"
#include "lint/metal/diagnostic_json.h"
#include "rules/rules.h"

namespace msci {
namespace {

using Json = nlohmann::json;

Diagnostic to_diagnostic(const Finding& finding) {
  return {.severity = finding.severity,
          .id = finding.rule,
          .range = finding.range,
          .message = finding.message,
          .notes = finding.notes};
}

// Takes the findings over; says whether one of them refuses the source.
bool refused(Prepared& prepared, const Source& source, const std::vector<Finding>& findings) {
  for (const auto& finding : findings) prepared.diagnostics.push_back(to_diagnostic(finding));
  const auto error = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Severity::error;
  });
  if (error == findings.end()) return false;
  prepared.rejection = fmt::format("{}:{}:{}: error: {} [{}]", source.name, error->range.begin.line,
                                   error->range.begin.column, error->message, error->rule);
  return true;
}

Result<Prepared> prepare(const Source& source, Result<Translation> (*into_text)(Unit&)) {
  Prepared prepared;
  // Of that memory evaluate() tells, for the kernels that the task uses.
  const Request request{.ignore = {"resource.threadgroup_memory"}};
  auto unit = parse(source, request.version);
  if (!unit) return unit.error();
  if (refused(prepared, source, lint(*unit, all_rules(), request))) return prepared;
  auto translation = into_text(*unit);
  if (!translation) return Error{fmt::format("{}: {}", source.name, translation.error().message)};
  prepared.translation = *std::move(translation);
  return prepared;
}

std::string to_wire(const Result<Prepared>& prepared) {
  Json json;
  if (prepared) {
    json = {{"rejection", prepared->rejection}, {"diagnostics", prepared->diagnostics}};
    if (prepared->translation) json["program"] = to_program_file(*prepared->translation);
  } else {
    json["error"] = prepared.error().message;
  }
  std::string bytes;
  Json::to_msgpack(json, bytes);  // unlike JSON's text, it takes any bytes
  return bytes;
}

Result<Prepared> from_wire(const std::string& bytes) {
  try {
    const auto json = Json::from_msgpack(bytes);
    if (json.contains("error")) return Error{json.at("error").get<std::string>()};
    Prepared prepared{.diagnostics = json.at("diagnostics"), .rejection = json.at("rejection")};
    if (!json.contains("program")) return prepared;
    auto translation = from_program_file(json.at("program").get<std::string>());
    if (!translation) return translation.error();
    prepared.translation = *std::move(translation);
    return prepared;
  } catch (const Json::exception& error) {
    return Error{std::string("the process that read the source answered nonsense: ") +
                 error.what()};
  }
}

}  // namespace

Result<PreparingApart> PreparingApart::start(const Source& source,
                                             Result<Prepared> (*prepare)(const Source&)) {
  auto copy = Apart::start([&] { return to_wire(prepare(source)); });
  if (!copy) return copy.error();
  return PreparingApart(source, *std::move(copy));
}

PreparingApart::PreparingApart(Source source, Apart copy)
    : source_(std::move(source)), copy_(std::move(copy)) {}

Result<Prepared> PreparingApart::finish() {
  while (!copy_.take()) {
  }
  const auto ended = copy_.finish();
  if (!ended) return ended.error();
  if (const auto* bytes = std::get_if<std::string>(&*ended)) return from_wire(*bytes);
  Prepared prepared;
  refused(prepared, source_, refused(source_, {}, std::get<Broken>(*ended).reason).findings);
  return prepared;
}

Result<Translation> translate_unchecked(const Source& source) {
  auto unit = parse(source);
  if (!unit) return unit.error();
  auto translation = translate(*unit);
  if (!translation) return Error{fmt::format("{}: {}", source.name, translation.error().message)};
  return translation;
}

Result<Prepared> prepare(const Source& source) { return prepare(source, translate); }

Result<Prepared> prepare_checked(const Source& source) {
  return prepare(source, translate_checked);
}

}  // namespace msci
