// A Result as bytes, on its way from one process to another. The JSON library converts the value;
// MessagePack, unlike JSON's text, holds strings of any bytes.
#pragma once

#include "base/json.h"

namespace msci {

template <typename T>
std::string to_msgpack(const Result<T>& result) {
  Json json;
  if (result)
    json["value"] = *result;
  else
    json["error"] = result.error().message;
  std::string bytes;
  Json::to_msgpack(json, bytes);
  return bytes;
}

// The result that was sent. Errors: also malformed bytes, or more than the options allow.
template <typename T>
Result<T> from_msgpack(std::string_view bytes, const JsonOptions& options = {}) {
  const auto malformed = [](std::string_view why) {
    return Error{"the process that read the source returned malformed data: " + std::string(why)};
  };
  auto json = parse_msgpack<Json>(bytes, options);
  if (!json) return malformed(json.error().message);
  try {
    if (json->contains("error")) return Error{json->at("error").template get<std::string>()};
    return json->at("value").template get<T>();
  } catch (const Json::exception& error) {
    return malformed(error.what());
  }
}

}  // namespace msci
