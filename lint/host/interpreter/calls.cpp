#include <algorithm>
#include <utility>

#include "lint/host/api_names.h"
#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

constexpr std::size_t deepest_call = 40;
constexpr unsigned deepest_recursion = 2;

bool is_pack(const Node& parameter) { return parameter.type.find("...") != std::string::npos; }

}  // namespace

Value Interpreter::call(const NodePtr& node) {
  const auto& callee = node->children[0];
  Call call{.node = node.get()};
  call.nodes.assign(node->children.begin() + 1, node->children.end());
  if (callee->kind == Kind::member) {
    call.receiver_node = callee->children[0];
    call.receiver = evaluate(call.receiver_node);
  }
  if (callee->kind == Kind::member || callee->kind == Kind::name)
    call.name = last_name(callee->text);
  for (const auto& each : call.nodes) call.arguments.push_back(evaluate(each));
  if (callee->kind != Kind::member)
    for (const auto& each : alternatives(evaluate(callee)))
      if (each.kind == Value::Kind::closure && each.code->kind == Kind::lambda)
        return invoke(*each.code, call.arguments, call.nodes, state_.self, each.scope);
  if (const auto* function = own_function(call)) return call_own(*function, call);
  if (!call.receiver && symbols_.has_type(call.name))
    return construct(call.name, call.arguments, call.nodes);
  return call_library(call);
}

Value Interpreter::message(const NodePtr& node) {
  Call call{.name = node->text, .node = node.get(), .receiver_node = node->children[0]};
  call.receiver = evaluate(call.receiver_node);
  call.nodes.assign(node->children.begin() + 1, node->children.end());
  for (const auto& each : call.nodes) call.arguments.push_back(evaluate(each));
  if (const auto* function = own_function(call)) return call_own(*function, call);
  if (node->text == "alloc" || node->text == "class") {
    const auto& name = call.receiver_node->text;
    return symbols_.has_type(name) ? object_value(make_instance(name)) : Value();
  }
  call.name = canonical_name(node->text);
  return call_library(call);
}

const Node* Interpreter::own_function(const Call& call) const {
  std::string owner;
  if (call.receiver)
    for (const auto& object : objects_of(target_of(*call.receiver))) owner = object->owner;
  const auto count = call.arguments.size();
  const Node* best = nullptr;
  for (const auto* function : symbols_.functions(call.name)) {
    const auto function_owner = owner_of(*function);
    if (call.receiver && function_owner.empty()) continue;
    if (count > function->parameters && !takes_pack(*function)) continue;
    if (!owner.empty() && symbols_.has_type(function_owner) && function_owner != owner) continue;
    if (!best || (function->parameters == count && best->parameters != count)) best = function;
  }
  return best;
}

Value Interpreter::call_own(const Node& function, const Call& call) {
  const auto owner = owner_of(function);
  std::shared_ptr<Object> self;
  if (call.receiver) {
    const auto objects = objects_of(target_of(*call.receiver));
    if (!objects.empty()) self = objects.front();
  } else {
    self = state_.self;
  }
  if (!self && symbols_.has_type(owner)) self = shared_instance(owner);
  auto result = invoke(function, call.arguments, call.nodes, self, state_.globals);
  if (is_conversion(call.name)) result.computed.reset();
  return result;
}

Value Interpreter::invoke(const Node& function, std::vector<Value> arguments,
                          const std::vector<NodePtr>& nodes, std::shared_ptr<Object> self,
                          std::shared_ptr<Scope> around) {
  if (std::count(stack_.begin(), stack_.end(), &function) >= deepest_recursion) return {};
  if (stack_.size() >= deepest_call) {
    use_up_steps();
    return {};
  }
  const auto inside = std::make_shared<Scope>(Scope{around ? around : state_.globals, {}});
  bind_parameters(function, arguments, nodes, inside);
  const auto outer_scope = std::exchange(state_.scope, inside);
  const auto outer_self = std::exchange(state_.self, std::move(self));
  ran_.insert(&function);
  stack_.push_back(&function);
  results_.emplace_back();
  run_body(function);
  stack_.pop_back();
  state_.self = outer_self;
  state_.scope = outer_scope;
  return_references(function, nodes, *inside);
  auto result = results_.back().value_or(Value());
  results_.pop_back();
  return result;
}

void Interpreter::run_body(const Node& function) {
  const bool has_pack = takes_pack(function);
  if (has_pack) ++state_.packs;
  for (auto i = function.parameters; i + 1 < function.children.size(); ++i)
    initialise_member(*function.children[i]);
  execute(function.children.back());
  if (has_pack) --state_.packs;
}

Value Interpreter::call_closure(const Value& closure, std::vector<Value> arguments) {
  return invoke(*closure.code, std::move(arguments), {}, state_.self, closure.scope);
}

void Interpreter::bind_parameters(const Node& function, const std::vector<Value>& arguments,
                                  const std::vector<NodePtr>& nodes,
                                  const std::shared_ptr<Scope>& inside) {
  for (std::size_t i = 0; i < function.parameters; ++i) {
    const auto& parameter = *function.children[i];
    const auto value = argument_for(function, i, arguments);
    const bool is_reference = !is_pack(parameter) && parameter.type.find('&') != std::string::npos;
    if (is_reference && i < nodes.size() && nodes[i]->kind == Kind::name)
      if (const auto found = state_.find(nodes[i]->text)) {
        inside->variables[parameter.text] = found;
        continue;
      }
    const auto outer = std::exchange(state_.scope, inside);
    const auto made = state_.declare(
        parameter.text,
        coerced(is_reference ? value : own_copy(value, parameter.type), parameter.type),
        parameter.type);
    state_.scope = outer;
    // An algorithm's closure takes a reference to an element of the memory.
    if (is_reference && nodes.empty() && value.kind == Value::Kind::unknown &&
        value.loaded.size() == 1) {
      made->value = object_value(*value.loaded.begin(), true);
      made->is_element = true;
    }
  }
}

Value Interpreter::argument_for(const Node& function, std::size_t index,
                                const std::vector<Value>& arguments) {
  const auto& parameter = *function.children[index];
  if (index >= arguments.size())
    return parameter.children.empty() ? Value() : evaluate(parameter.children[0]);
  auto value = arguments[index];
  for (auto rest = index + 1; is_pack(parameter) && rest < arguments.size(); ++rest)
    value = join(value, arguments[rest]);
  return value;
}

void Interpreter::return_references(const Node& function, const std::vector<NodePtr>& nodes,
                                    const Scope& inside) {
  for (std::size_t i = 0; i < std::min(function.parameters, nodes.size()); ++i) {
    const auto& parameter = *function.children[i];
    const bool refers = parameter.type.find('&') != std::string::npos &&
                        parameter.type.find("const ") != 0 && nodes[i]->kind == Kind::member;
    const auto found = inside.variables.find(parameter.text);
    if (!refers || found == inside.variables.end()) continue;
    const auto& value = found->second->value;
    if (holds(value, Value::Kind::kernel) || !objects_of(value).empty())
      store(nodes[i], value, "=", nodes[i]->range);
  }
}

}  // namespace msci::host
