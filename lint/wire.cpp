#include "lint/wire.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "lint/metal/diagnostic_json.h"

// What the JSON library does not know: a value that may be absent is null.
template <typename T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& json, const std::optional<T>& value) {
    if (value) json = *value;
  }
  static void from_json(const json& json, std::optional<T>& value) {
    if (!json.is_null()) value = json.get<T>();
  }
};
template <typename T>
struct nlohmann::adl_serializer<std::shared_ptr<const T>> {
  static void to_json(json& json, const std::shared_ptr<const T>& value) {
    if (value) json = *value;
  }
  static void from_json(const json& json, std::shared_ptr<const T>& value) {
    if (!json.is_null()) value = std::make_shared<const T>(json.get<T>());
  }
};

namespace msci {

using Json = nlohmann::json;

// The members of the values that travel, for the JSON library; it calls these functions by name.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Source, name, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Fix, edits, safe)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, rule, severity, file, range, message, notes, fixes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Allowed, finding, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostFetch, kernel, range)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostBinding, index, bytes, type, is_buffer, range)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostDispatch, kernel, range, bindings, bindings_known)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BoundArgument, kernel, index)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CpuWork, range, call, target, lands_in, reads, remains,
                                   in_buffer, handed_out, read_back)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Host, files, fetched, names_known, dispatched, dispatches_known,
                                   mentioned, libraries, cpu_work)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Promise, kernel, index, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Expectation, kernels, promises, from, host)
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
