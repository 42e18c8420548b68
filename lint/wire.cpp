#include "lint/wire.h"

#include <nlohmann/json.hpp>

namespace msci {

using Json = nlohmann::json;

// The members of the values that travel, for the JSON library; it calls these functions by name.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Location, line, column)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Range, begin, end)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Source, name, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Note, range, message)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Edit, range, replacement)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Fix, edits, safe)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, rule, severity, range, message, notes, fixes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Allowed, finding, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Expectation, kernels, from)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report, source, compiled, kernels, findings, allowed,
                                   expectation)

namespace {

Json json_of(const Result<Examination>& examination) {
  if (!examination) return {{"error", examination.error().message}};
  Json json{{"report", examination->report}, {"fixes", examination->fixes}};
  if (examination->mended) json["mended"] = *examination->mended;
  return json;
}

}  // namespace

std::string to_wire(const Result<Examination>& examination) {
  std::string bytes;
  Json::to_msgpack(json_of(examination), bytes);  // unlike JSON's text, it takes any bytes
  return bytes;
}

Result<Examination> from_wire(std::string_view bytes) {
  try {
    const auto json = Json::from_msgpack(bytes);
    if (json.contains("error")) return Error{json["error"].get<std::string>()};
    Examination examination{.report = json.at("report"), .fixes = json.at("fixes")};
    if (json.contains("mended")) examination.mended = json["mended"].get<Report>();
    return examination;
  } catch (const Json::exception& error) {
    return Error{std::string("the process that read the source answered nonsense: ") +
                 error.what()};
  }
}

}  // namespace msci
