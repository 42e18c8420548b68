// Untrusted JSON: parsed within limits, and read member by member with messages for a person.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"

// The library converts a number that the wanted type cannot hold by a cast, which wraps around or
// is undefined. Here such a number is an exception, as a value of another kind is; so is it for an
// enumeration, which is a number in JSON. All of our code must see this: it includes this header
// and not the library's.
template <typename T>
struct nlohmann::adl_serializer<
    T, std::enable_if_t<(std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>>> {
  template <typename Value>
  static void from_json(const Value& json, T& value) {
    if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(json.template get<std::underlying_type_t<T>>());
    } else {
      const auto take = [&](auto number) {
        if (!std::in_range<T>(number))
          throw Value::out_of_range::create(406, "number out of range: " + json.dump(), &json);
        value = static_cast<T>(number);
      };
      if (json.is_number_unsigned())
        take(json.template get_ref<const typename Value::number_unsigned_t&>());
      else if (json.is_number_integer())
        take(json.template get_ref<const typename Value::number_integer_t&>());
      else
        throw Value::type_error::create(302, "type must be an integer, but is " + json.dump(),
                                        &json);
    }
  }
  template <typename Value>
  static void to_json(Value& json, T value) {
    if constexpr (std::is_enum_v<T>)
      nlohmann::to_json(json, static_cast<std::underlying_type_t<T>>(value));
    else
      nlohmann::to_json(json, value);
  }
};

namespace msci {

using Json = nlohmann::json;                 // members in alphabetical order
using OrderedJson = nlohmann::ordered_json;  // members in the order of the text

struct JsonOptions {
  bool allow_comments = false;
  std::size_t max_bytes = std::size_t{64} << 20;
  std::size_t max_depth = 512;       // of nested arrays and objects; copying and printing recurse
  std::size_t max_members = 10'000;  // of one object; OrderedJson searches them one by one
};

// The value of a JSON text; `Value` is Json or OrderedJson. Errors: malformed text, with the line
// and column; a number out of range; a limit.
template <typename Value>
Result<Value> parse_json(std::string_view text, const JsonOptions& options = {});

// The same for MessagePack, the binary form. It holds strings of any bytes.
template <typename Value>
Result<Value> parse_msgpack(std::string_view bytes, const JsonOptions& options = {});

// The text of a value on one line; malformed UTF-8 becomes U+FFFD.
template <typename Value>
std::string to_line(const Value& value) {
  return value.dump(-1, ' ', false, Value::error_handler_t::replace);
}

// The name of a member's kind in messages, and whether a value is of that kind.
template <typename T>
struct JsonKind;
template <>
struct JsonKind<bool> {
  static constexpr std::string_view name = "true or false";
  static bool matches(const OrderedJson& value) { return value.is_boolean(); }
};
template <>
struct JsonKind<double> {
  static constexpr std::string_view name = "a number";
  static bool matches(const OrderedJson& value) { return value.is_number(); }
};
template <>
struct JsonKind<std::uint64_t> {
  static constexpr std::string_view name = "a non-negative integer";
  static bool matches(const OrderedJson& value) { return value.is_number_unsigned(); }
};
template <>
struct JsonKind<std::string> {
  static constexpr std::string_view name = "a string";
  static bool matches(const OrderedJson& value) { return value.is_string(); }
};
template <>
struct JsonKind<std::vector<std::string>> {
  static constexpr std::string_view name = "a list of strings";
  static bool matches(const OrderedJson& value);
};

// Reads an object whose members are all known. It keeps the first error, so a caller reads all
// members and then asks once:
//
//   ObjectReader reader(json, "a configuration");
//   reader.read("select", config.select);
//   reader.read("std", version);
//   if (auto error = reader.finish()) return *error;
class ObjectReader {
 public:
  // `what` is the object in messages: "a configuration".
  ObjectReader(const OrderedJson& json, std::string what);

  // The member's value, or null.
  const OrderedJson* find(std::string_view key);
  // Sets `value` if there is such a member; returns whether it did.
  template <typename T>
  bool read(std::string_view key, T& value) {
    const auto* member = find(key);
    if (!member) return false;
    if (!JsonKind<T>::matches(*member)) return report_kind(key, JsonKind<T>::name);
    value = member->template get<T>();
    return true;
  }
  // The same; a missing member is an error.
  template <typename T>
  bool require(std::string_view key, T& value) {
    if (!find(key)) return report_error(key, "is missing");
    return read(key, value);
  }

  // Errors in the value of a member; they return false. "key": message.
  bool report_error(std::string_view key, std::string_view message);
  // "key": expected KIND.
  bool report_kind(std::string_view key, std::string_view kind);

  bool ok() const { return !error_; }
  // Errors: the first one; else the first member that was not read.
  [[nodiscard]] std::optional<Error> finish();

 private:
  const OrderedJson& json_;
  std::string what_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

}  // namespace msci
