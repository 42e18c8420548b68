#include <algorithm>

#include "lint/host/api_names.h"
#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/known_functions.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

// Whether a function can change the caller's memory through a parameter of this type.
bool is_mutable_reference(std::string_view type) {
  const bool refers = type.find('*') != std::string_view::npos ||
                      type.find('&') != std::string_view::npos ||
                      type.find("[]") != std::string_view::npos;
  return refers && type.find("const") == std::string_view::npos;
}

// The constructor with the fewest parameters that takes so many arguments, or null.
const Node* constructor_for(const std::vector<const Node*>& constructors, std::size_t arguments) {
  const Node* best = nullptr;
  for (const auto* each : constructors)
    if (arguments <= each->parameters && (!best || each->parameters < best->parameters))
      best = each;
  return best;
}

Value typed(Value value, const std::string& type) {
  for (const auto& object : objects_of(value))
    if (object->type.empty()) object->type = element_type(type);
  return value;
}

}  // namespace

std::shared_ptr<Object> Interpreter::shared_instance(const std::string& owner) {
  auto& instance = instances_[owner];
  if (!instance) instance = make_instance(owner);
  return instance;
}

std::shared_ptr<Object> Interpreter::make_instance(const std::string& owner) {
  auto made = state_.make_object();
  made->owner = owner;
  const auto* type = symbols_.type(owner);
  // A broken class may hold itself.
  if (!type || !in_making_.insert(owner).second) return made;
  for (const auto& member : type->children) {
    if (member->kind != Kind::variable) continue;
    Value value = member->children.empty() ? Value() : initial_value(*member);
    if (value.kind == Value::Kind::unknown && is_container_type(member->type))
      value = value_of_type(member->type, member->text, /*from_caller=*/false);
    made->fields[field_name(member->text)] = value;
  }
  in_making_.erase(owner);
  return made;
}

Value Interpreter::kernel_of_unknown_name() {
  Value kernel;
  kernel.kind = Value::Kind::kernel;
  kernel.object = state_.make_object();
  kernel.object->bindings_known = false;
  return kernel;
}

Value Interpreter::value_of_type(const std::string& type, const std::string& name,
                                 bool from_caller) {
  const bool is_container = is_container_type(type);
  if (is_kernel_type(type) && !is_container) return kernel_of_unknown_name();
  std::shared_ptr<Object> object;
  if (is_encoder_type(type)) {
    object = state_.make_object(Object::Role::encoder);
    object->bindings_known = false;
  } else if (is_library_type(type)) {
    object = state_.make_object(Object::Role::library);
  } else if (is_buffer_type(type) && !is_container) {
    object = state_.make_object(Object::Role::buffer);
  } else if (is_container || is_memory_type(type)) {
    object = state_.make_object();
    object->exact = !from_caller;
    object->is_callers = from_caller && is_mutable_reference(type);
    object->type = element_type(type);
  } else if (symbols_.has_type(element_type(type))) {
    object = make_instance(element_type(type));
  } else {
    return {};
  }
  object->name = name;
  return object_value(object, type.find('*') != std::string::npos);
}

Value Interpreter::construct(const std::string& type, const std::vector<Value>& arguments,
                             const std::vector<NodePtr>& nodes) {
  const auto made = make_instance(type);
  if (const auto* constructor = constructor_for(symbols_.functions(type), arguments.size())) {
    invoke(*constructor, arguments, nodes, made, state_.globals);
    return object_value(made);
  }
  const auto* definition = symbols_.type(type);
  if (!definition || arguments.empty()) return object_value(made);
  std::size_t at = 0;
  for (const auto& member : definition->children)
    if (member->kind == Kind::variable && at < arguments.size())
      made->fields[field_name(member->text)] = arguments[at++];
  return object_value(made);
}

Value Interpreter::constructed(const std::string& type, const Node& node) {
  const auto name = last_name(element_type(type));
  const bool is_list = node.kind == Kind::init_list && !node.children.empty();
  if (is_size_type(type) && is_list) return coerced(init_list(node), type);
  if (symbols_.has_type(name) && !is_container_type(type)) return constructed_own(name, node);
  Call call{.name = name, .node = &node, .nodes = node.children};
  for (const auto& child : node.children) call.arguments.push_back(evaluate(child));
  const auto has = [&](std::string_view word) { return type.find(word) != std::string::npos; };
  if (name == "Kernel" || has("KernelFunctor"))
    return call.arguments.size() >= 2 ? fetch(state_, call, call.arguments[1]) : Value();
  if (has("cl::Buffer")) return new_buffer(*this, call);
  if (has("cl::Program")) return new_library(*this, call);
  if (has("string") && !call.arguments.empty()) return call.arguments[0];
  if (is_memory_type(type) || is_container_type(type) || is_map_type(type)) {
    const bool has_elements =
        node.kind == Kind::init_list && node.text != "(" && !node.children.empty();
    return has_elements ? coerced(typed(init_list(node), type), type) : array(type, call);
  }
  const bool wraps = has("SharedPtr") || size_of_type(type) || type.starts_with("auto");
  if (call.arguments.size() == 1 && wraps) return call.arguments[0];
  if (has("std::") && !has("thread")) return passed_on(call);
  return call_unknown(call);
}

Value Interpreter::constructed_own(const std::string& type, const Node& node) {
  const bool is_designated =
      std::any_of(node.children.begin(), node.children.end(),
                  [](const NodePtr& child) { return child->kind == Kind::assign; });
  if (is_designated) {
    auto value = init_list(node);
    for (const auto& object : objects_of(value)) object->owner = type;
    return value;
  }
  std::vector<Value> arguments;
  for (const auto& child : node.children) arguments.push_back(evaluate(child));
  return construct(type, arguments, node.children);
}

Value Interpreter::array(const std::string& type, const Call& call) {
  auto made = state_.make_object();
  made->type = element_type(type);
  std::set<std::shared_ptr<Object>> from;
  for (const auto& argument : call.arguments)
    for (const auto& object : objects_of(argument)) from.insert(object);
  if (!from.empty()) copy(state_, *made, from);
  return object_value(made);
}

void Interpreter::initialise_member(const Node& initialiser) {
  if (!state_.self) return;
  const auto& value = *initialiser.children[1];
  const auto& name = initialiser.children[0]->text;
  const auto known = state_.self->fields.find(field_name(name));
  const auto type = symbols_.member_type(state_.self->owner, name);
  if (value.children.size() == 1 && !is_container_type(type) &&
      !symbols_.has_type(element_type(type)))
    state_.assign_field(*state_.self, name, evaluate(value.children[0]));
  else if (known != state_.self->fields.end())
    state_.assign_field(*state_.self, name, constructed(type, value));
}

}  // namespace msci::host
