#include <algorithm>

#include "lint/host/api_names.h"
#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/known_functions.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

// Whether a declaration stands on the line of another one, or on the next line.
bool is_next_to(const Node& first, const Node& second) {
  return second.range.begin.line <= first.range.end.line + 1;
}

// Makes a map of a list of pairs.
void take_pairs(Object& object) {
  for (const auto& item : object.items)
    if (const auto pair = objects_of(item); !pair.empty() && pair.front()->items.size() == 2)
      if (const auto& key = pair.front()->items[0]; key.kind == Value::Kind::string)
        object.fields[key.text] = pair.front()->items[1];
  object.items.clear();
}

void name_members(const Value& value, const Node& type) {
  for (const auto& object : objects_of(value)) {
    if (!object->owner.empty()) continue;
    std::size_t at = 0;
    for (const auto& member : type.children)
      if (member->kind == Kind::variable && at < object->items.size())
        object->fields[field_name(member->text)] = object->items[at++];
    object->items.clear();
    object->owner = type.text;
  }
}

}  // namespace

Value Interpreter::enumerator(const Node& node) {
  if (!node.children.empty()) {
    const auto value = evaluate(node.children[0]);
    next_enumerator_ = number_of(value).value_or(next_enumerator_) + 1;
    return value;
  }
  if (node.range.begin.line != 0 && last_enumerator_ && !is_next_to(*last_enumerator_, node))
    next_enumerator_ = 0;
  last_enumerator_ = &node;
  return number_value(next_enumerator_++);
}

void Interpreter::declare_from(const Node& node) {
  if (node.text.find(',') != std::string::npos)
    return bind_parts(node, node.children.empty() ? Value() : evaluate(node.children[0]));
  const bool is_reference = node.type.find('&') != std::string::npos;
  const auto value = node.children.empty() ? default_value(node) : initial_value(node);
  if (is_reference && !node.children.empty() && declare_reference(node, value)) return;
  auto own = is_reference ? value : own_copy(value, node.type);
  learn_element_type(own, node.type);
  state_.declare(node.text, coerced(std::move(own), node.type), node.type);
}

bool Interpreter::declare_reference(const Node& node, const Value& value) {
  const auto& target = node.children[0];
  if (target->kind == Kind::name)
    if (const auto found = state_.find(target->text)) {
      state_.scope->variables[node.text] = found;
      return true;
    }
  if (target->kind == Kind::index && value.kind == Value::Kind::unknown) {
    const auto objects = objects_of(evaluate(target->children[0]));
    if (objects.empty()) return false;
    const auto made = state_.declare(node.text, object_value(objects.front(), true), node.type);
    made->is_element = true;
    return true;
  }
  return false;
}

Value Interpreter::initial_value(const Node& node) {
  const auto& initial = node.children[0];
  if (initial->kind != Kind::init_list || initial->type.empty()) {
    if (initial->kind == Kind::init_list) return coerced(init_list(*initial), node.type);
    return evaluate(initial);
  }
  return constructed(initial->type, *initial);  // also of `auto x = T{…}`
}

Value Interpreter::default_value(const Node& node) {
  const auto base = element_type(node.type);
  if (node.type.find('*') == std::string::npos && symbols_.has_type(last_name(base)) &&
      !is_container_type(node.type))
    return construct(last_name(base), {}, {});
  if (is_container_type(node.type) || is_kernel_type(node.type) || is_buffer_type(node.type)) {
    auto value = value_of_type(node.type, node.text, /*from_caller=*/false);
    if (value.kind == Value::Kind::kernel) value = {};
    return value;
  }
  return {};
}

void Interpreter::bind_element(const Node& declaration, const Value& item,
                               const std::shared_ptr<Object>& memory) {
  if (declaration.text.find(',') != std::string::npos) return bind_parts(declaration, item);
  const auto made =
      state_.declare(declaration.text, coerced(item, declaration.type), declaration.type);
  if (memory && declaration.type.find('&') != std::string::npos) {
    made->value = object_value(memory, true);
    made->is_element = true;
  }
}

void Interpreter::bind_parts(const Node& declaration, const Value& item) {
  const auto objects = objects_of(item);
  const auto& names = declaration.text;
  std::size_t place = 0;
  for (std::size_t from = 0; from <= names.size(); ++place) {
    const auto to = std::min(names.find(',', from), names.size());
    state_.declare(names.substr(from, to - from), part_of(objects, place), declaration.type);
    from = to + 1;
  }
}

Value Interpreter::part_of(const std::vector<std::shared_ptr<Object>>& objects,
                           std::size_t place) const {
  if (objects.empty()) return {};
  const auto& object = *objects.front();
  if (place < object.items.size()) return object.items[place];
  const auto* type = symbols_.type(object.owner);
  if (!type) return {};
  std::size_t at = 0;
  for (const auto& member : type->children)
    if (member->kind == Kind::variable && at++ == place)
      if (const auto found = object.fields.find(field_name(member->text));
          found != object.fields.end())
        return found->second;
  return {};
}

Value Interpreter::own_copy(const Value& value, const std::string& type) {
  if (value.kind != Value::Kind::object || value.is_pointer || value.object->type.empty() ||
      value.object->role != Object::Role::object || type.find('*') != std::string::npos)
    return value;
  auto copy = state_.make_object();
  const auto name = copy->name;
  *copy = *value.object;
  copy->name = name;
  copy->is_callers = false;
  return object_value(copy);
}

Value Interpreter::coerced(Value value, const std::string& type) {
  const auto objects = objects_of(value);
  if (objects.size() != 1 || value.kind != Value::Kind::object) return value;
  auto& object = *objects.front();
  if (object.items.empty() || !object.owner.empty()) return value;
  if (is_size_type(type)) return size_value(state_, object.items);
  if (is_map_type(type)) {
    take_pairs(object);
    return value;
  }
  // std::array<T, 2> x = {{{…}, {…}}}
  if (type.find("array<") != std::string::npos && object.items.size() == 1)
    if (const auto inner = objects_of(object.items[0]);
        inner.size() == 1 && !inner[0]->items.empty() && !objects_of(inner[0]->items[0]).empty())
      object.items = std::vector<Value>(inner[0]->items);
  const auto element = element_type(type);
  if (is_container_type(type) && object.type.empty()) object.type = element;
  const auto* definition = symbols_.type(last_name(element));
  if (!definition) return value;
  if (is_container_type(type))
    for (const auto& item : object.items) name_members(item, *definition);
  else
    name_members(value, *definition);
  return value;
}

}  // namespace msci::host
