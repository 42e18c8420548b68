// What the lists of fields in this folder share; json_fields.h runs through them.
#pragma once

#include <concepts>
#include <type_traits>

namespace msci {

// A writer describes a const T, a reader a T.
template <typename Value, typename T>
concept Described = std::same_as<std::remove_const_t<Value>, T>;

}  // namespace msci
