// Writes values as JSON, reads them back, and makes the schema of that JSON. A value lists its
// fields once, in a function describe(Fields&, value) beside it. The last argument of each call
// describes the field for users; only the schema shows it.
//
// Reading tolerates unknown keys, and missing or null ones unless they are required. A value of
// another type than the field's is a problem, which names the key.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"
#include "base/result.h"

namespace msci {

class Fields;

// The type of a value at run time, so that the code for JSON needs no templates.
struct ValueType {
  enum class Kind { boolean, number, integer, text, choice, object, list, optional };
  Kind kind = Kind::object;
  // Of an integer, and of a choice as the number of its enumerator: 64 bits, with the sign.
  bool is_signed = false;
  std::uint64_t (*get)(const void*) = nullptr;
  bool (*set)(void*, std::uint64_t bits, bool is_negative) = nullptr;  // false: out of range
  std::vector<std::string> names = {};                                 // of a choice
  std::string_view (*text)(const void*) = nullptr;
  // Of an object: lists the fields; null stands for a default value.
  std::function<void(Fields&, void*)> describe = nullptr;
  // Of a list, and of an optional value as a list of at most one.
  const ValueType* element = nullptr;
  std::size_t (*size)(const void*) = nullptr;
  void* (*at)(void*, std::size_t) = nullptr;
  void (*resize)(void*, std::size_t) = nullptr;
};

template <typename T>
const ValueType& type_of();

// A value, or null where it is absent, of a type that is known at run time.
struct ValueRef {
  void* value;
  const ValueType& type;
};

// Goes through the fields of a value. Who only writes leaves the values as they are.
class Fields {
 public:
  virtual ~Fields() = default;
  // Whether describe() shall set the value from what was read.
  virtual bool reads() const { return false; }

  template <typename T>
  void operator()(const char* key, const T& value, const char* about = "") {
    add(key, value, Use::optional, about);
  }
  template <typename T>
  void required(const char* key, const T& value, const char* about = "") {
    add(key, value, Use::required, about);
  }
  // A field that follows from others: written, never read.
  template <typename T>
  void derived(const char* key, const T& value, const char* about = "") {
    add(key, value, Use::derived, about);
  }
  // A text that is null where it is empty.
  void text(const char* key, const std::string& value, const char* about = "") {
    add(key, value, Use::text, about);
  }
  // A key that is absent without a value; a reader ignores one of another type.
  template <typename T>
  void if_present(const char* key, const std::optional<T>& value, const char* about = "") {
    add(key, value, Use::if_present, about);
  }
  // An enumerator, which may be optional, by its to_string(); `last` is the enumeration's last one.
  template <typename Value, typename Enum>
  void choice(const char* key, const Value& value, Enum last, const char* about = "") {
    add_choice(key, value, last, Use::optional, about);
  }
  template <typename Enum>
  void required_choice(const char* key, const Enum& value, Enum last, const char* about = "") {
    add_choice(key, value, last, Use::required, about);
  }
  // A member of a value that may be absent as a whole.
  template <typename Whole, typename Member>
  void part(const char* key, const std::optional<Whole>& whole, Member Whole::* member,
            const char* about = "") {
    if (!reads()) {
      const auto* value = whole ? &((*whole).*member) : nullptr;
      visit(key, {const_cast<Member*>(value), type_of<Member>()}, Use::optional, about);
    } else if (Member read = {}; add(key, read, Use::optional, about)) {
      auto& target = const_cast<std::optional<Whole>&>(whole);
      if (!target) target.emplace();
      (*target).*member = std::move(read);
    }
  }
  // A list whose elements have a list of fields of their own.
  template <typename T, typename Describe>
  void elements(const char* key, const std::vector<T>& values, Describe describe_element,
                const char* about = "");

 protected:
  enum class Use { optional, required, derived, text, if_present };
  // Returns whether it set the value.
  virtual bool visit(const char* key, ValueRef value, Use use, const char* about) = 0;

 private:
  template <typename T>
  bool add(const char* key, const T& value, Use use, const char* about) {
    return visit(key, {const_cast<T*>(&value), type_of<T>()}, use, about);
  }
  template <typename Value, typename Enum>
  void add_choice(const char* key, const Value& value, Enum last, Use use, const char* about);
};

namespace value_types {

template <typename List>
ValueType list(const ValueType& element) {
  return {.kind = ValueType::Kind::list,
          .element = &element,
          .size = [](const void* list) { return static_cast<const List*>(list)->size(); },
          .at = [](void* list, std::size_t i) -> void* { return &(*static_cast<List*>(list))[i]; },
          .resize = [](void* list, std::size_t size) { static_cast<List*>(list)->resize(size); }};
}

template <typename Optional>
ValueType optional(const ValueType& element) {
  return {.kind = ValueType::Kind::optional,
          .element = &element,
          .size = [](const void* value) -> std::size_t {
            return static_cast<const Optional*>(value)->has_value();
          },
          .at = [](void* value, std::size_t) -> void* { return &**static_cast<Optional*>(value); },
          .resize =
              [](void* value, std::size_t size) {
                auto& optional = *static_cast<Optional*>(value);
                if (size > 0)
                  optional.emplace();
                else
                  optional.reset();
              }};
}

template <typename Integer>
ValueType integer() {
  return {.kind = ValueType::Kind::integer,
          .is_signed = std::is_signed_v<Integer>,
          .get = [](const void* value) -> std::uint64_t {
            return static_cast<std::uint64_t>(*static_cast<const Integer*>(value));
          },
          .set =
              [](void* value, std::uint64_t bits, bool is_negative) {
                *static_cast<Integer*>(value) = static_cast<Integer>(bits);
                return is_negative ? std::in_range<Integer>(static_cast<std::int64_t>(bits))
                                   : std::in_range<Integer>(bits);
              }};
}

template <typename Enum>
ValueType choice(Enum last) {
  ValueType type{.kind = ValueType::Kind::choice,
                 .get = [](const void* value) -> std::uint64_t {
                   return static_cast<std::uint64_t>(*static_cast<const Enum*>(value));
                 },
                 .set =
                     [](void* value, std::uint64_t number, bool) {
                       *static_cast<Enum*>(value) = static_cast<Enum>(number);
                       return true;
                     }};
  for (int i = 0; i <= static_cast<int>(last); ++i)
    type.names.emplace_back(to_string(static_cast<Enum>(i)));
  return type;
}

// `describe_value`: as describe().
template <typename T, typename Describe>
ValueType object(Describe describe_value) {
  return {.kind = ValueType::Kind::object,
          .describe = [describe_value](Fields& fields, void* value) {
            if (value) return describe_value(fields, *static_cast<T*>(value));
            T some = {};
            describe_value(fields, some);
          }};
}

template <typename T>
ValueType make() {
  if constexpr (std::is_same_v<T, bool>)
    return {.kind = ValueType::Kind::boolean};
  else if constexpr (std::is_same_v<T, double>)
    return {.kind = ValueType::Kind::number};
  else if constexpr (std::is_integral_v<T>)
    return integer<T>();
  else if constexpr (std::is_convertible_v<T, std::string_view>)
    return {.kind = ValueType::Kind::text, .text = [](const void* value) -> std::string_view {
              return *static_cast<const T*>(value);
            }};
  else if constexpr (requires(T value) { value.has_value(); })
    return optional<T>(type_of<typename T::value_type>());
  else if constexpr (requires(T value) { value.resize(1); })
    return list<T>(type_of<typename T::value_type>());
  else
    return object<T>([](Fields& fields, T& value) { describe(fields, value); });
}

}  // namespace value_types

template <typename T>
const ValueType& type_of() {
  static const ValueType type = value_types::make<T>();
  return type;
}

template <typename T, typename Describe>
void Fields::elements(const char* key, const std::vector<T>& values, Describe describe_element,
                      const char* about) {
  const auto element = value_types::object<T>(describe_element);
  const auto type = value_types::list<std::vector<T>>(element);
  visit(key, {const_cast<std::vector<T>*>(&values), type}, Use::optional, about);
}

template <typename Value, typename Enum>
void Fields::add_choice(const char* key, const Value& value, Enum last, Use use,
                        const char* about) {
  const auto one = value_types::choice(last);
  auto* place = const_cast<Value*>(&value);
  if constexpr (std::is_same_v<Value, Enum>)
    visit(key, {place, one}, use, about);
  else
    visit(key, {place, value_types::optional<Value>(one)}, use, about);
}

// Diagnostics are one flat object each.
void describe_place(Fields& field, Place& place);
void describe(Fields& field, Diagnostic& diagnostic);
void describe(Fields& field, Note& note);
// A fault that a run found: with its notes, which the findings of lint do not have.
void describe_finding(Fields& field, Diagnostic& finding);

OrderedJson to_json_value(ValueRef value);
// The first problem; empty if there is none. What does not fit stays as it is.
std::string read_object(const OrderedJson& json, ValueRef value);
// Errors: no JSON object, or a field that is missing or of another type.
std::optional<Error> read_object(std::string_view text, ValueRef value);
// The schema as text, in lines. `name` is a part of its identifier; `title` is the command whose
// output it describes.
std::string json_schema(const ValueType& type, std::string_view name, std::string_view title,
                        std::string_view about);

template <typename T>
OrderedJson json_of(const T& value) {
  return to_json_value({const_cast<T*>(&value), type_of<T>()});
}

// On lines of its own, with a line break at the end.
std::string indented(const OrderedJson& json);

// What fits of an object of another tool; the rest stays as it is by default.
template <typename T>
T read_leniently(const OrderedJson& json) {
  T value = {};
  read_object(json, {&value, type_of<T>()});
  return value;
}

// Errors: as of read_object().
template <typename T>
Result<T> read_strictly(std::string_view text) {
  T value = {};
  if (auto error = read_object(text, {&value, type_of<T>()})) return *std::move(error);
  return value;
}

}  // namespace msci
