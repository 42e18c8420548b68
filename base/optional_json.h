// std::optional for the JSON library: null stands for none.
#pragma once

#include <optional>

#include "base/json.h"

template <typename T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& json, const std::optional<T>& value) {
    if (value) json = *value;
  }
  static void from_json(const json& json, std::optional<T>& value) {
    if (!json.is_null()) value = json.get<T>();
  }
};
