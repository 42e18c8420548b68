#include "evaluator/result/json_fields.h"

#include <algorithm>
#include <cmath>

namespace msci {
namespace {

using Kind = ValueType::Kind;

class FieldWriter : public Fields {
 public:
  explicit FieldWriter(OrderedJson& json) : json_(json) {}

 private:
  bool visit(const char* key, ValueRef value, Use use, const char*) override {
    if (use == Use::if_present && value.type.size(value.value) == 0) return false;
    const bool is_null = !value.value || (use == Use::text && value.type.text(value.value).empty());
    json_[key] = is_null ? OrderedJson(nullptr) : to_json_value(value);
    return false;
  }

  OrderedJson& json_;
};

class FieldReader : public Fields {
 public:
  // `problem` receives the first problem; `path` is the key of the object itself.
  FieldReader(const OrderedJson& json, std::string path, std::string& problem)
      : json_(json), path_(std::move(path)), problem_(problem) {}

  bool reads() const override { return true; }

 private:
  bool visit(const char* key, ValueRef value, Use use, const char*) override {
    if (use == Use::derived) return false;
    const auto path = path_.empty() ? key : path_ + "." + key;
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) {  // null is as good as absent
      if (use == Use::required) report(path, "is missing");
      return false;
    }
    if (use != Use::if_present) return decode(*found, path, value);
    std::string ignored;
    return FieldReader(json_, path_, ignored).decode(*found, path, value);
  }

  bool report(const std::string& path, std::string_view what) {
    if (problem_.empty()) problem_ = "'" + path + "' " + std::string(what);
    return false;
  }

  bool decode(const OrderedJson& json, const std::string& path, ValueRef value) {
    switch (value.type.kind) {
      case Kind::boolean:
        if (!json.is_boolean()) return report(path, "must be a boolean");
        *static_cast<bool*>(value.value) = json.get<bool>();
        return true;
      case Kind::number:
        if (!json.is_number()) return report(path, "must be a number");
        *static_cast<double*>(value.value) = json.get<double>();
        return true;
      case Kind::integer:
        return decode_integer(json, path, value);
      case Kind::text:
        if (!json.is_string()) return report(path, "must be a string");
        *static_cast<std::string*>(value.value) = json.get<std::string>();
        return true;
      case Kind::choice:
        return decode_choice(json, path, value);
      case Kind::object: {
        if (!json.is_object()) return report(path, "must be an object");
        FieldReader reader(json, path, problem_);
        value.type.describe(reader, value.value);
        return true;
      }
      case Kind::list:
        return decode_list(json, path, value);
      case Kind::optional:
        value.type.resize(value.value, 1);
        if (decode(json, path, {value.type.at(value.value, 0), *value.type.element})) return true;
        value.type.resize(value.value, 0);
        return false;
    }
    return false;
  }
  bool decode_integer(const OrderedJson& json, const std::string& path, ValueRef value) {
    const bool is_negative = !json.is_number_unsigned();
    const bool fits =
        json.is_number_integer() &&
        value.type.set(value.value,
                       is_negative ? static_cast<std::uint64_t>(json.get<std::int64_t>())
                                   : json.get<std::uint64_t>(),
                       is_negative);
    return fits || report(path, "must be an integer in range");
  }
  bool decode_choice(const OrderedJson& json, const std::string& path, ValueRef value) {
    if (!json.is_string()) return report(path, "must be a string");
    const auto& names = value.type.names;
    const auto name = json.get<std::string>();
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return report(path, "has the unknown value \"" + name + "\"");
    return value.type.set(value.value, static_cast<std::uint64_t>(found - names.begin()), false);
  }
  // Leaves out elements of another type.
  bool decode_list(const OrderedJson& json, const std::string& path, ValueRef list) {
    if (!json.is_array()) return report(path, "must be an array");
    std::size_t size = 0;
    list.type.resize(list.value, 0);
    for (std::size_t i = 0; i < json.size(); ++i) {
      list.type.resize(list.value, size + 1);
      const auto at = path + "[" + std::to_string(i) + "]";
      if (decode(json[i], at, {list.type.at(list.value, size), *list.type.element})) ++size;
    }
    list.type.resize(list.value, size);
    return true;
  }

  const OrderedJson& json_;
  std::string path_;
  std::string& problem_;
};

OrderedJson schema_of(const ValueType& type);

// The schema, or null; unchanged if it accepts null.
OrderedJson nullable(OrderedJson schema) {
  if (schema.contains("enum")) {
    schema["enum"].push_back(nullptr);
  } else if (schema["type"] == "object") {
    return {{"anyOf", {std::move(schema), {{"type", "null"}}}}};
  } else if (schema["type"].is_string()) {
    schema["type"] = {schema["type"], "null"};
  }
  return schema;
}

// The values do not matter.
class SchemaWriter : public Fields {
 public:
  explicit SchemaWriter(OrderedJson& schema) : schema_(schema) {
    schema_ = {{"type", "object"},
               {"properties", OrderedJson::object()},
               {"required", OrderedJson::array()},
               {"additionalProperties", false}};
  }

 private:
  bool visit(const char* key, ValueRef value, Use use, const char* about) override {
    const bool is_optional_key = use == Use::if_present;
    auto field = schema_of(is_optional_key ? *value.type.element : value.type);
    if (!value.value || use == Use::text) field = nullable(std::move(field));
    if (*about) field["description"] = about;
    schema_["properties"][key] = std::move(field);
    if (!is_optional_key) schema_["required"].push_back(key);
    return false;
  }

  OrderedJson& schema_;
};

OrderedJson schema_of(const ValueType& type) {
  switch (type.kind) {
    case Kind::boolean:
      return {{"type", "boolean"}};
    case Kind::number:
      return {{"type", "number"}};
    case Kind::integer:
      return type.is_signed ? OrderedJson{{"type", "integer"}}
                            : OrderedJson{{"type", "integer"}, {"minimum", 0}};
    case Kind::text:
      return {{"type", "string"}};
    case Kind::choice:
      return {{"enum", type.names}};
    case Kind::list:
      return {{"type", "array"}, {"items", schema_of(*type.element)}};
    case Kind::optional:
      return nullable(schema_of(*type.element));
    case Kind::object:
      break;
  }
  OrderedJson schema;
  SchemaWriter writer(schema);
  type.describe(writer, nullptr);
  return schema;
}

}  // namespace

void describe_place(Fields& field, Place& place) {
  auto file = place.file.empty() ? std::nullopt : std::optional(place.file);
  field.if_present("file", file, "the included file that it lies in; absent for the source itself");
  if (field.reads()) place.file = file.value_or("");
  auto& range = place.range;
  field.required("line", range.begin.line, "counts from 1");
  field.required("column", range.begin.column, "counts bytes from 1");
  field("end_line", range.end.line, "of the end of the range");
  field("end_column", range.end.column, "behind the last byte");
}

void describe(Fields& field, Diagnostic& diagnostic) {
  field.choice("severity", diagnostic.severity, Severity::note, "error, warning or note");
  field("id", diagnostic.id, "the rule");
  describe_place(field, diagnostic.place);
  field("message", diagnostic.message, "one sentence");
}

void describe(Fields& field, Note& note) {
  describe_place(field, note.place);
  field("message", note.message, "one sentence");
}

void describe_finding(Fields& field, Diagnostic& finding) {
  describe(field, finding);
  field("notes", finding.notes, "further places that explain the finding");
}

OrderedJson to_json_value(ValueRef value) {
  const auto& type = value.type;
  switch (type.kind) {
    case Kind::boolean:
      return *static_cast<const bool*>(value.value);
    case Kind::number: {
      const auto number = *static_cast<const double*>(value.value);
      return std::isfinite(number) ? OrderedJson(number) : OrderedJson(nullptr);
    }
    case Kind::integer: {
      const auto bits = type.get(value.value);
      return type.is_signed ? OrderedJson(static_cast<std::int64_t>(bits)) : OrderedJson(bits);
    }
    case Kind::text:
      return type.text(value.value);
    case Kind::choice:
      return type.names.at(type.get(value.value));
    case Kind::list: {
      auto json = OrderedJson::array();
      for (std::size_t i = 0; i < type.size(value.value); ++i)
        json.push_back(to_json_value({type.at(value.value, i), *type.element}));
      return json;
    }
    case Kind::optional:
      if (type.size(value.value) == 0) return nullptr;
      return to_json_value({type.at(value.value, 0), *type.element});
    case Kind::object:
      break;
  }
  auto json = OrderedJson::object();
  FieldWriter writer(json);
  type.describe(writer, value.value);
  return json;
}

std::string read_object(const OrderedJson& json, ValueRef value) {
  std::string problem;
  FieldReader reader(json, "", problem);
  if (json.is_object()) value.type.describe(reader, value.value);
  return problem;
}

std::optional<Error> read_object(std::string_view text, ValueRef value) {
  const auto json = OrderedJson::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{"it is not valid JSON"};
  if (!json.is_object()) return Error{"it is not a JSON object"};
  auto problem = read_object(json, value);
  return problem.empty() ? std::nullopt : std::optional(Error{std::move(problem)});
}

std::string json_schema(const ValueType& type, std::string_view name, std::string_view title,
                        std::string_view about) {
  OrderedJson schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                        {"$id", "https://msci.invalid/schemas/" + std::string(name) + "/1"},
                        {"title", title},
                        {"description", about}};
  schema.update(schema_of(type));
  return schema.dump(2) + "\n";
}

std::string indented(const OrderedJson& json) {
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace msci
