#include <array>

#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/known_functions.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

// push_back(value), emplace_back(arguments…)
Value append(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  if (!call.receiver || call.arguments.empty()) return {};
  for (const auto& object : interpreter.containers(call.receiver_node)) {
    const auto& value = call.arguments[0];
    interpreter.run_closures(call, 0);
    if (state.may_repeat()) object->exact = false;
    if (call.name == "emplace_back" && interpreter.symbols().has_type(object->type))
      object->items.push_back(interpreter.construct(object->type, call.arguments, call.nodes));
    else if (value.kind != Value::Kind::unknown && object->items.size() < most_items)
      object->items.push_back(value);
    else
      object->exact = false;
    if (state.loops > 0 && value.computed)
      compute(state, *object, Work{call.node->range, value.computed->call}, value.loaded);
  }
  return {};
}

// insert(key, value), insert({key, value}), insert(position, first, last)
Value insert(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  if (!call.receiver) return {};
  for (const auto& object : objects_of(target_of(*call.receiver))) {
    if (call.arguments.size() == 2) {
      store_item(state, *object, call.arguments[0], call.arguments[1]);
    } else if (call.arguments.size() == 1) {
      for (const auto& pair : objects_of(call.arguments[0]))
        if (pair->items.size() == 2) store_item(state, *object, pair->items[0], pair->items[1]);
    } else if (call.arguments.size() == 3) {
      copy_between(state, *call.receiver, call.arguments[1]);
    }
  }
  return {};
}

// [dictionary setObject:value forKey:key]
Value set_object(Interpreter& interpreter, const Call& call) {
  if (!call.receiver || call.arguments.size() < 2) return {};
  for (const auto& object : interpreter.containers(call.receiver_node))
    store_item(interpreter.state(), *object, call.arguments[1], call.arguments[0]);
  return {};
}

Value item(Interpreter&, const Call& call) {
  if (!call.receiver || call.arguments.empty()) return {};
  return load_item(target_of(*call.receiver), call.arguments[0]);
}

// map.find(key): the pair that the iterator shows.
Value find(Interpreter& interpreter, const Call& call) {
  if (!call.receiver || call.arguments.size() != 1) return {};
  return pair_value(call.arguments[0], item(interpreter, call));
}

// swap(a, b): each may hold what the other one held. exchange(a, value) returns the old value.
Value swap(Interpreter& interpreter, const Call& call) {
  if (call.arguments.size() != 2)
    return call.name == "swap" ? Value() : first_memory(call.arguments);
  if (call.name == "exchange") {
    interpreter.store(call.nodes[0], call.arguments[1], "=", call.node->range);
    return call.arguments[0];
  }
  const auto both = join(call.arguments[0], call.arguments[1]);
  if (both.kind != Value::Kind::one_of) return {};
  const OpenBranch branch(interpreter.state());
  for (const auto& node : call.nodes) interpreter.store(node, both, "=", call.node->range);
  return {};
}

constexpr std::array<KnownFunction, 15> container_table = {{
    {"insert", insert},
    {"emplace", insert},
    {"try_emplace", insert},
    {"push_back", append},
    {"emplace_back", append},
    {"addObject", append},
    {"setObject", set_object},
    {"objectForKey", item},
    {"objectForKeyedSubscript", item},
    {"objectAtIndex", item},
    {"objectAtIndexedSubscript", item},
    {"at", item},
    {"find", find},
    {"swap", swap},
    {"exchange", swap},
}};

}  // namespace

std::span<const KnownFunction> container_functions() { return container_table; }

}  // namespace msci::host
