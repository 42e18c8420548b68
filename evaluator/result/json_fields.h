// Writes values as JSON and reads them back. A value lists its fields once, in a function
// describe(fields, value) beside the value; FieldWriter and FieldReader both run through this list,
// and so does the schema (json_schema.h). The last argument of each call describes the field for
// users; only the schema shows it.
//
// Reading tolerates unknown keys, and missing or null ones unless they are required. A value of
// another type than the field's is a problem, which names the key.
#pragma once

#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace msci {

class FieldWriter {
 public:
  static constexpr bool reads = false;
  explicit FieldWriter(OrderedJson& json) : json_(json) {}

  template <typename T>
  void operator()(const char* key, const T& value, const char* = "") {
    json_[key] = encoded(value);
  }
  template <typename T>
  void required(const char* key, const T& value, const char* = "") {
    json_[key] = encoded(value);
  }
  // A field that follows from others: written, never read.
  template <typename T>
  void derived(const char* key, const T& value, const char* = "") {
    json_[key] = encoded(value);
  }
  // A text that is null where it is empty.
  void text(const char* key, const std::string& value, const char* = "") {
    json_[key] = value.empty() ? OrderedJson(nullptr) : OrderedJson(value);
  }
  // A key that is absent without a value; a reader ignores one of another type.
  template <typename T>
  void if_present(const char* key, const std::optional<T>& value, const char* = "") {
    if (value) json_[key] = encoded(*value);
  }
  // An enumerator by its to_string(); `last` is the enumeration's last one.
  template <typename Enum>
  void choice(const char* key, Enum value, Enum, const char* = "") {
    json_[key] = to_string(value);
  }
  template <typename Enum>
  void choice(const char* key, const std::optional<Enum>& value, Enum, const char* = "") {
    json_[key] = value ? OrderedJson(to_string(*value)) : OrderedJson(nullptr);
  }
  template <typename Enum>
  void required_choice(const char* key, Enum value, Enum last, const char* = "") {
    choice(key, value, last);
  }
  // A member of a value that may be absent as a whole.
  template <typename Whole, typename Member>
  void part(const char* key, const std::optional<Whole>& whole, Member Whole::* member,
            const char* = "") {
    json_[key] = whole ? encoded((*whole).*member) : OrderedJson(nullptr);
  }
  // A list whose elements have a list of fields of their own.
  template <typename T, typename Describe>
  void elements(const char* key, const std::vector<T>& values, Describe describe_element,
                const char* = "") {
    json_[key] = OrderedJson::array();
    for (const auto& value : values) {
      json_[key].push_back(OrderedJson::object());
      FieldWriter element(json_[key].back());
      describe_element(element, value);
    }
  }

 private:
  template <typename T>
  static OrderedJson encoded(const std::optional<T>& value) {
    return value ? encoded(*value) : OrderedJson(nullptr);
  }
  template <typename T>
  static OrderedJson encoded(const std::vector<T>& values) {
    OrderedJson json = OrderedJson::array();
    for (const auto& value : values) json.push_back(encoded(value));
    return json;
  }
  template <typename T>
  static OrderedJson encoded(const T& value) {
    if constexpr (std::floating_point<T>) {
      return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
    } else if constexpr (std::integral<T> || std::convertible_to<T, std::string_view>) {
      return value;
    } else {
      OrderedJson json = OrderedJson::object();
      FieldWriter writer(json);
      describe(writer, value);
      return json;
    }
  }

  OrderedJson& json_;
};

class FieldReader {
 public:
  static constexpr bool reads = true;
  // `problem` receives the first problem; `path` is the key of the object itself.
  FieldReader(const OrderedJson& json, std::string path, std::string& problem)
      : json_(json), path_(std::move(path)), problem_(problem) {}

  template <typename T>
  void operator()(const char* key, T& value, const char* = "") {
    if (const auto* found = find(key)) decode(*found, path_of(key), value);
  }
  template <typename T>
  void required(const char* key, T& value, const char* = "") {
    if (const auto* found = find(key))
      decode(*found, path_of(key), value);
    else
      report(path_of(key), "is missing");
  }
  template <typename T>
  void derived(const char*, const T&, const char* = "") {}
  void text(const char* key, std::string& value, const char* = "") { (*this)(key, value); }
  template <typename T>
  void if_present(const char* key, std::optional<T>& value, const char* = "") {
    std::string ignored;
    if (const auto* found = find(key)) FieldReader(json_, path_, ignored).decode(*found, "", value);
  }
  template <typename Enum>
  void choice(const char* key, Enum& value, Enum last, const char* = "") {
    if (const auto* found = find(key)) decode_choice(*found, path_of(key), value, last);
  }
  template <typename Enum>
  void choice(const char* key, std::optional<Enum>& value, Enum last, const char* = "") {
    const auto* found = find(key);
    if (Enum read = {}; found && decode_choice(*found, path_of(key), read, last)) value = read;
  }
  template <typename Enum>
  void required_choice(const char* key, Enum& value, Enum last, const char* = "") {
    if (!find(key)) report(path_of(key), "is missing");
    choice(key, value, last);
  }
  template <typename Whole, typename Member>
  void part(const char* key, std::optional<Whole>& whole, Member Whole::* member,
            const char* = "") {
    const auto* found = find(key);
    Member read = {};
    if (!found || !decode(*found, path_of(key), read)) return;
    if (!whole) whole.emplace();
    (*whole).*member = std::move(read);
  }
  template <typename T, typename Describe>
  void elements(const char* key, std::vector<T>& values, Describe describe_element,
                const char* = "") {
    if (const auto* found = find(key))
      decode_elements(*found, path_of(key), values,
                      [&](const OrderedJson& json, const std::string& path, T& value) {
                        return decode_object(json, path, value, describe_element);
                      });
  }

 private:
  // Null is as good as absent.
  const OrderedJson* find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }
  std::string path_of(const char* key) const { return path_.empty() ? key : path_ + "." + key; }
  bool report(const std::string& path, std::string_view what) {
    if (problem_.empty()) problem_ = "'" + path + "' " + std::string(what);
    return false;
  }

  bool decode(const OrderedJson& json, const std::string& path, bool& value) {
    return json.is_boolean() ? (value = json.get<bool>(), true) : report(path, "must be a boolean");
  }
  bool decode(const OrderedJson& json, const std::string& path, std::string& value) {
    return json.is_string() ? (value = json.get<std::string>(), true)
                            : report(path, "must be a string");
  }
  bool decode(const OrderedJson& json, const std::string& path, double& value) {
    return json.is_number() ? (value = json.get<double>(), true) : report(path, "must be a number");
  }
  template <std::integral T>
  bool decode(const OrderedJson& json, const std::string& path, T& value) {
    const bool fits = json.is_number_unsigned()
                          ? std::in_range<T>(json.get<std::uint64_t>())
                          : json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
    return fits ? (value = json.get<T>(), true) : report(path, "must be an integer in range");
  }
  template <typename T>
  bool decode(const OrderedJson& json, const std::string& path, std::optional<T>& value) {
    T read = {};
    if (!decode(json, path, read)) return false;
    value = std::move(read);
    return true;
  }
  template <typename T>
  bool decode(const OrderedJson& json, const std::string& path, std::vector<T>& values) {
    return decode_elements(json, path, values,
                           [&](const OrderedJson& element, const std::string& at, T& value) {
                             return decode(element, at, value);
                           });
  }
  template <typename T>
  bool decode(const OrderedJson& json, const std::string& path, T& value) {
    return decode_object(json, path, value,
                         [](FieldReader& reader, T& object) { describe(reader, object); });
  }

  // Leaves out elements of another type.
  template <typename T, typename Decode>
  bool decode_elements(const OrderedJson& json, const std::string& path, std::vector<T>& values,
                       Decode decode_element) {
    if (!json.is_array()) return report(path, "must be an array");
    values.clear();
    for (std::size_t i = 0; i < json.size(); ++i)
      if (T value = {}; decode_element(json[i], path + "[" + std::to_string(i) + "]", value))
        values.push_back(std::move(value));
    return true;
  }
  template <typename T, typename Describe>
  bool decode_object(const OrderedJson& json, const std::string& path, T& value,
                     Describe describe_object) {
    if (!json.is_object()) return report(path, "must be an object");
    FieldReader reader(json, path, problem_);
    describe_object(reader, value);
    return true;
  }
  template <typename Enum>
  bool decode_choice(const OrderedJson& json, const std::string& path, Enum& value, Enum last) {
    std::string name;
    if (!decode(json, path, name)) return false;
    for (int i = 0; i <= static_cast<int>(last); ++i) {
      if (name != to_string(static_cast<Enum>(i))) continue;
      value = static_cast<Enum>(i);
      return true;
    }
    return report(path, "has the unknown value \"" + name + "\"");
  }

  const OrderedJson& json_;
  std::string path_;
  std::string& problem_;
};

template <typename T>
OrderedJson json_of(const T& value) {
  OrderedJson json = OrderedJson::object();
  FieldWriter writer(json);
  describe(writer, value);
  return json;
}

// One line. A source may hold any bytes, and a message may quote it.
inline std::string dumped(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// On lines of its own, with a line break at the end.
inline std::string indented(const OrderedJson& json) {
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

// What fits of an object of another tool; the rest stays as it is by default.
template <typename T>
T read_leniently(const OrderedJson& json) {
  T value = {};
  std::string ignored;
  FieldReader reader(json, "", ignored);
  if (json.is_object()) describe(reader, value);
  return value;
}

// Errors: no JSON object, or a field that is missing or of another type.
template <typename T>
Result<T> read_strictly(std::string_view text) {
  const auto json = OrderedJson::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{"it is not valid JSON"};
  if (!json.is_object()) return Error{"it is not a JSON object"};
  T value = {};
  std::string problem;
  FieldReader reader(json, "", problem);
  describe(reader, value);
  if (!problem.empty()) return Error{problem};
  return value;
}

}  // namespace msci
