#include <utility>

#include "lint/host/interpreter/value.h"

namespace msci::host {

State::~State() {
  for (const auto& variable : variables_) variable->value = {};
  for (const auto& object : objects_) *object = {};
}

std::shared_ptr<Object> State::make_object(Object::Role role) {
  objects_.push_back(std::make_shared<Object>());
  objects_.back()->role = role;
  return objects_.back();
}

std::shared_ptr<Variable> State::find(const std::string& name) const {
  for (auto each = scope; each; each = each->parent)
    if (const auto found = each->variables.find(name); found != each->variables.end())
      return found->second;
  return nullptr;
}

std::shared_ptr<Variable> State::declare(const std::string& name, Value value, std::string type) {
  const auto made = variables_.emplace_back(std::make_shared<Variable>());
  for (const auto& object : objects_of(value))
    if (object->name.empty()) object->name = name;
  made->value = std::move(value);
  made->constant = type.starts_with("const") || type.starts_with("static const") ||
                   type.starts_with("inline const");
  made->type = std::move(type);
  made->declared_at = open_branches;
  return scope->variables[name] = made;
}

void State::assign(Variable& variable, const Value& value) const {
  variable.value = open_branches > variable.declared_at ? join(variable.value, value) : value;
}

void State::assign_field(Object& object, const std::string& name, const Value& value) const {
  auto& field = object.fields[field_name(name)];
  const bool is_new = field.kind == Value::Kind::unknown;
  field = open_branches > 0 && !is_new ? join(field, value) : value;
  for (const auto& each : objects_of(value))
    if (each->name.empty()) each->name = name;
}

}  // namespace msci::host
