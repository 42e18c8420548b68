#include <array>

#include "lint/host/api_names.h"
#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/known_functions.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

// The memory of a buffer. If nothing is known of the receiver, it is a buffer from now on.
Value contents(Interpreter& interpreter, const Call& call) {
  if (!call.receiver) return {};
  auto found = target_of(*call.receiver);
  if (objects_of(found).empty()) {
    found = object_value(interpreter.state().make_object(Object::Role::buffer));
    interpreter.store(call.receiver_node, found, "=", call.node->range);
  }
  found.is_pointer = true;
  return found;
}

Value map_buffer(Interpreter&, const Call& call) {
  const auto* buffer = call.argument(call.receiver ? 0 : 1);
  return buffer ? pointer_to(target_of(*buffer)) : Value();
}

// The first argument from this index on that is memory.
const Value* memory_argument(const Call& call, std::size_t from) {
  for (auto i = from; i < call.arguments.size(); ++i)
    if (!objects_of(target_of(call.arguments[i])).empty()) return &call.arguments[i];
  return nullptr;
}

Value read_buffer(Interpreter& interpreter, const Call& call) {
  const std::size_t first = call.receiver ? 0 : 1;
  const auto* to = memory_argument(call, first + 1);
  if (to && call.argument(first)) copy_between(interpreter.state(), *to, call.arguments[first]);
  return {};
}

Value write_buffer(Interpreter& interpreter, const Call& call) {
  const std::size_t first = call.receiver ? 0 : 1;
  const auto* from = memory_argument(call, first + 1);
  if (from && call.argument(first)) copy_between(interpreter.state(), call.arguments[first], *from);
  return {};
}

Value copy_memory(Interpreter& interpreter, const Call& call) {
  if (call.arguments.size() >= 2)
    copy_between(interpreter.state(), call.arguments[0], call.arguments[1]);
  return {};
}

// copy(first, last, target), copy_n(first, n, target), cl::copy(queue, …) and [x copy].
Value copy_range(Interpreter& interpreter, const Call& call) {
  if (call.arguments.size() < 3) return call.receiver ? *call.receiver : Value();
  copy_between(interpreter.state(), call.arguments.back(), first_memory(call.arguments));
  return call.arguments.back();
}

Value assign_range(Interpreter& interpreter, const Call& call) {
  if (call.receiver && call.arguments.size() == 2)
    copy_between(interpreter.state(), *call.receiver, call.arguments[0]);
  return {};
}

// malloc(size), make_unique<float[]>(n), make_shared<Runner>(…)
Value allocate(Interpreter& interpreter, const Call& call) {
  const auto& callee = *call.node->children[0];
  const auto angle = callee.text.find('<');
  std::string type = "float[]";
  if (angle != std::string::npos)
    type = callee.text.substr(angle + 1, callee.text.rfind('>') - angle - 1);
  if (interpreter.symbols().has_type(type))
    return interpreter.construct(type, call.arguments, call.nodes);
  if (call.name == "make_shared" && !is_container_type(type)) return passed_on(call);
  auto made = interpreter.state().make_object();
  made->type = angle == std::string::npos ? "" : element_type(type);
  return object_value(made, true);
}

Value ignore_contents(Interpreter&, const Call&) { return {}; }

constexpr std::array<KnownFunction, 25> memory_table = {{
    {"newBuffer", new_buffer},
    {"clCreateBuffer", new_buffer},
    {"contents", contents},
    {"clEnqueueMapBuffer", map_buffer},
    {"enqueueMapBuffer", map_buffer},
    {"clEnqueueReadBuffer", read_buffer},
    {"enqueueReadBuffer", read_buffer},
    {"clEnqueueWriteBuffer", write_buffer},
    {"enqueueWriteBuffer", write_buffer},
    {"memcpy", copy_memory},
    {"memmove", copy_memory},
    {"copy", copy_range},
    {"copy_n", copy_range},
    {"getBytes", ignore_contents},
    {"assign", assign_range},
    {"malloc", allocate},
    {"calloc", allocate},
    {"aligned_alloc", allocate},
    {"make_unique", allocate},
    {"make_shared", allocate},
    {"fill", ignore_contents},
    {"fill_n", ignore_contents},
    {"memset", ignore_contents},
    {"generate", ignore_contents},
    {"iota", ignore_contents},
}};

}  // namespace

Value new_buffer(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  state.uses_gpu = true;
  auto made = state.make_object(Object::Role::buffer);
  for (const auto& value : call.arguments)
    for (const auto& object : objects_of(value))
      if (object->role == Object::Role::object) {
        if (made->type.empty()) made->type = object->type;
        copy(state, *made, {object});
      }
  return object_value(made);
}

std::span<const KnownFunction> memory_functions() { return memory_table; }

}  // namespace msci::host
