#include "lint/host/api_names.h"
#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/known_functions.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {

using Kind = Node::Kind;

namespace {

// MTL::Size(…), MTL::Size::Make(…), MTLSizeMake(…)
bool makes_size(const Call& call) {
  if (call.receiver || call.node->children.empty()) return false;
  const auto& callee = call.node->children[0]->text;
  return callee == "MTL::Size" || callee == "MTL::Size::Make" || callee == "MTLSizeMake";
}

}  // namespace

Value Interpreter::call_library(const Call& call) {
  if (makes_size(call)) return size_value(state_, call.arguments);
  if (const auto* known = known_function(call.name)) {
    auto result = known->call(*this, call);
    if (call.name != "setBytes" && call.name != "clSetKernelArg") forget_addressed(call);
    return result;
  }
  return is_bulk_math(call.name) ? call_bulk_math(*this, call) : call_unknown(call);
}

Value Interpreter::call_unknown(const Call& call) {
  forget_addressed(call);
  const bool passes = passes_through(call.name) || is_math(call.name);
  const bool harmless = !passes && is_harmless(call.name);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& value = call.arguments[i];
    run_closures(call, i);
    if (harmless || passes) continue;
    if (i < call.nodes.size()) forget(call.nodes[i]);
    escape(value);
  }
  if (is_math(call.name)) return call_math(call);
  if (harmless) return call.name == "newComputePipelineState" ? passed_on(call) : Value();
  return passed_on(call);
}

void Interpreter::run_closures(const Call& call, std::size_t index) {
  const auto rest = static_cast<std::ptrdiff_t>(index + 1);
  for (const auto& each : alternatives(call.arguments[index])) {
    if (each.kind != Value::Kind::closure) continue;
    const OpenBranch branch(state_);
    call_closure(each, {call.arguments.begin() + rest, call.arguments.end()});
  }
}

void Interpreter::forget_addressed(const Call& call) {
  for (const auto& node : call.nodes)
    if (node->kind == Kind::unary && node->text == "&") forget(node);
}

void Interpreter::escape(const Value& value) {
  std::set<const Variable*> seen;
  escape(value, seen);
}

void Interpreter::escape(const Value& value, std::set<const Variable*>& seen) {
  for (const auto& each : alternatives(value)) {
    if (each.kind == Value::Kind::string) state_.host.mentioned.push_back(each.text);
    if (each.kind == Value::Kind::kernel) state_.host.dispatches_known = false;
    if (each.kind == Value::Kind::address && seen.insert(each.variable.get()).second)
      escape(each.variable->value, seen);
    if (each.kind != Value::Kind::object) continue;
    if (!each.object->owner.empty()) given_away_.push_back(each.object);
    if (each.object->role == Object::Role::library) state_.host.names_known = false;
    if (each.object->role == Object::Role::encoder) {
      state_.host.dispatches_known = false;
      each.object->bindings_known = false;
    }
  }
}

}  // namespace msci::host
