// The JSON schema of a value, from the list of its fields (json_fields.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluator/result/json_fields.h"

namespace msci {

// Runs through the list of fields of any value of the type; the values do not matter.
class SchemaWriter {
 public:
  static constexpr bool reads = false;
  explicit SchemaWriter(OrderedJson& schema) : schema_(schema) {
    schema_ = {{"type", "object"},
               {"properties", OrderedJson::object()},
               {"required", OrderedJson::array()},
               {"additionalProperties", false}};
  }

  template <typename T>
  void operator()(const char* key, const T&, const char* about = "") {
    add(key, schema_of<T>(), about);
  }
  template <typename T>
  void required(const char* key, const T&, const char* about = "") {
    add(key, schema_of<T>(), about);
  }
  template <typename T>
  void derived(const char* key, const T&, const char* about = "") {
    add(key, schema_of<T>(), about);
  }
  void text(const char* key, const std::string&, const char* about = "") {
    add(key, nullable({{"type", "string"}}), about);
  }
  template <typename T>
  void if_present(const char* key, const std::optional<T>&, const char* about = "") {
    schema_["properties"][key] = with_description(schema_of<T>(), about);
  }
  template <typename Enum>
  void choice(const char* key, Enum, Enum last, const char* about = "") {
    add(key, choices(last), about);
  }
  template <typename Enum>
  void choice(const char* key, const std::optional<Enum>&, Enum last, const char* about = "") {
    add(key, nullable(choices(last)), about);
  }
  template <typename Enum>
  void required_choice(const char* key, Enum, Enum last, const char* about = "") {
    add(key, choices(last), about);
  }
  template <typename Whole, typename Member>
  void part(const char* key, const std::optional<Whole>&, Member Whole::*, const char* about = "") {
    add(key, nullable(schema_of<Member>()), about);
  }
  template <typename T, typename Describe>
  void elements(const char* key, const std::vector<T>&, Describe describe_element,
                const char* about = "") {
    OrderedJson items;
    SchemaWriter element(items);
    const T value = {};
    describe_element(element, value);
    add(key, {{"type", "array"}, {"items", std::move(items)}}, about);
  }

 private:
  template <typename T>
  struct Type {
    static OrderedJson schema() {
      if constexpr (std::same_as<T, bool>) {
        return {{"type", "boolean"}};
      } else if constexpr (std::floating_point<T>) {
        return {{"type", "number"}};
      } else if constexpr (std::unsigned_integral<T>) {
        return {{"type", "integer"}, {"minimum", 0}};
      } else if constexpr (std::integral<T>) {
        return {{"type", "integer"}};
      } else if constexpr (std::convertible_to<T, std::string_view>) {
        return {{"type", "string"}};
      } else {
        OrderedJson schema;
        SchemaWriter writer(schema);
        const T value = {};
        describe(writer, value);
        return schema;
      }
    }
  };
  template <typename T>
  struct Type<std::optional<T>> {
    static OrderedJson schema() { return nullable(schema_of<T>()); }
  };
  template <typename T>
  struct Type<std::vector<T>> {
    static OrderedJson schema() { return {{"type", "array"}, {"items", schema_of<T>()}}; }
  };
  template <typename T>
  static OrderedJson schema_of() {
    return Type<T>::schema();
  }

  template <typename Enum>
  static OrderedJson choices(Enum last) {
    OrderedJson names = OrderedJson::array();
    for (int i = 0; i <= static_cast<int>(last); ++i)
      names.push_back(to_string(static_cast<Enum>(i)));
    return {{"enum", std::move(names)}};
  }
  // The schema, or null; unchanged if it accepts null.
  static OrderedJson nullable(OrderedJson schema) {
    if (schema.contains("enum")) {
      schema["enum"].push_back(nullptr);
    } else if (schema["type"] == "object") {
      return {{"anyOf", {std::move(schema), {{"type", "null"}}}}};
    } else if (schema["type"].is_string()) {
      schema["type"] = {schema["type"], "null"};
    }
    return schema;
  }
  static OrderedJson with_description(OrderedJson schema, std::string_view about) {
    if (!about.empty()) schema["description"] = about;
    return schema;
  }
  void add(const char* key, OrderedJson schema, std::string_view about) {
    schema_["properties"][key] = with_description(std::move(schema), about);
    schema_["required"].push_back(key);
  }

  OrderedJson& schema_;
};

// The schema as text, in lines. `name` is a part of its identifier; `title` is the command whose
// output it describes.
template <typename T>
std::string json_schema(std::string_view name, std::string_view title, std::string_view about) {
  OrderedJson schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                        {"$id", "https://msci.invalid/schemas/" + std::string(name) + "/1"},
                        {"title", title},
                        {"description", about}};
  OrderedJson fields;
  SchemaWriter writer(fields);
  const T value = {};
  describe(writer, value);
  schema.update(fields);
  return schema.dump(2) + "\n";
}

}  // namespace msci
