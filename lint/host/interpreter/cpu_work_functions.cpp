#include <array>
#include <optional>
#include <utility>

#include "lint/host/api_names.h"
#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/known_functions.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

// The memory that the arguments refer to.
std::vector<std::shared_ptr<Object>> memory_in(const Call& call) {
  std::vector<std::shared_ptr<Object>> all;
  for (const auto& value : call.arguments)
    for (const auto& object : objects_of(target_of(value)))
      if (object->role == Object::Role::object || object->role == Object::Role::buffer)
        all.push_back(object);
  return all;
}

// A value that is loaded from all of these.
Value loaded_from(const std::vector<std::shared_ptr<Object>>& objects) {
  Value value;
  for (const auto& object : objects) load(value, object);
  return value;
}

// transform(first, last[, second], target, operation)
Value transform(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  const auto memory = memory_in(call);
  if (memory.size() < 3) return {};
  auto sources = memory;
  sources.pop_back();
  const auto from = loaded_from(sources);
  const auto& operation = call.arguments.back();
  auto work = std::optional(Work{call.node->range, "std::transform"});
  if (operation.kind == Value::Kind::closure) {
    Value one;
    one.loaded = from.loaded;
    one.computed = from.computed;
    std::vector<Value> arguments(operation.code->parameters, one);
    const auto result = interpreter.call_closure(operation, std::move(arguments));
    if (!result.computed) work.reset();
  }
  if (work)
    compute(state, *memory.back(), *work, from.loaded);
  else
    copy(state, *memory.back(), from.loaded);
  return {};
}

// Calls a closure once, for all elements.
Value for_each_element(Interpreter& interpreter, const Call& call) {
  const auto memory = memory_in(call);
  const UnknownLoop loop(interpreter.state());
  for (const auto& value : call.arguments)
    if (value.kind == Value::Kind::closure) {
      Value one;
      if (!memory.empty()) load(one, memory.front());
      interpreter.call_closure(value, {one});
    }
  return {};
}

// dispatch_apply(count, queue, block)
Value apply(Interpreter& interpreter, const Call& call) {
  const UnknownLoop loop(interpreter.state());
  for (const auto& value : call.arguments)
    if (value.kind == Value::Kind::closure) interpreter.call_closure(value, {});
  return {};
}

// sort(first, last)
Value in_place(Interpreter& interpreter, const Call& call) {
  const auto memory = memory_in(call);
  if (!memory.empty())
    compute(interpreter.state(), *memory.front(), Work{call.node->range, "std::" + call.name},
            {memory.front()});
  return {};
}

// partial_sum(first, last, target)
Value into_last(Interpreter& interpreter, const Call& call) {
  const auto memory = memory_in(call);
  if (memory.size() >= 3)
    compute(interpreter.state(), *memory.back(), Work{call.node->range, "std::" + call.name},
            {memory.front()});
  return {};
}

Value sum(Interpreter&, const Call& call) {
  Value result;
  for (const auto& object : memory_in(call)) load(result, object);
  if (!result.loaded.empty()) result.computed = Work{call.node->range, "std::" + call.name};
  return result;
}

constexpr std::array<KnownFunction, 16> cpu_work_table = {{
    {"transform", transform},
    {"for_each", for_each_element},
    {"for_each_n", for_each_element},
    {"dispatch_apply", apply},
    {"apply", apply},
    {"sort", in_place},
    {"stable_sort", in_place},
    {"nth_element", in_place},
    {"partial_sum", into_last},
    {"inclusive_scan", into_last},
    {"exclusive_scan", into_last},
    {"adjacent_difference", into_last},
    {"accumulate", sum},
    {"reduce", sum},
    {"inner_product", sum},
    {"transform_reduce", sum},
}};

}  // namespace

Value call_bulk_math(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  const auto memory = memory_in(call);
  if (memory.empty()) return {};
  auto from = loaded_from(memory);
  if (only_moves(call.name)) {
    if (memory.size() > 1) copy(state, *memory.back(), {memory.front()});
    return {};
  }
  if (is_bulk_sum(call.name)) {
    from.computed = Work{call.node->range, call.name};
    for (const auto& value : call.arguments)
      if (value.kind == Value::Kind::address) state.assign(*value.variable, from);
    return from;
  }
  const auto& target = puts_result_first(call.name) ? memory.front() : memory.back();
  compute(state, *target, Work{call.node->range, call.name}, from.loaded);
  return {};
}

std::span<const KnownFunction> cpu_work_functions() { return cpu_work_table; }

}  // namespace msci::host
