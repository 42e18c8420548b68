#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "lint/host/api_names.h"
#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/known_functions.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

// The index of bindings whose index is unknown. Bindings with a higher index are not reported.
constexpr unsigned unknown_index = 1000;
constexpr std::size_t most_bindings = 256;

Value new_function(Interpreter& interpreter, const Call& call) {
  const auto* name = call.argument(0);
  return name ? fetch(interpreter.state(), call, *name) : Value();
}

Value create_kernel(Interpreter& interpreter, const Call& call) {
  const auto* name = call.argument(1);
  return name ? fetch(interpreter.state(), call, *name) : Value();
}

// clCreateKernelsInProgram()
Value fetch_all(Interpreter& interpreter, const Call&) {
  auto& state = interpreter.state();
  state.host.names_known = state.host.dispatches_known = false;
  return {};
}

// The encoder is concurrent if the call says so itself: `MTLDispatchTypeConcurrent`.
Value new_encoder(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  auto encoder = state.make_object(Object::Role::encoder);
  const bool is_concurrent = std::ranges::any_of(
      call.nodes, [](const auto& node) { return node->text.ends_with("DispatchTypeConcurrent"); });
  if (is_concurrent) encoder->overlapping = ++state.overlaps;
  return object_value(std::move(encoder));
}

// The encoders that a message goes to. An unknown receiver becomes a new encoder.
std::vector<std::shared_ptr<Object>> encoders(Interpreter& interpreter, const Call& call) {
  std::vector<std::shared_ptr<Object>> all;
  if (!call.receiver) return all;
  for (const auto& object : objects_of(target_of(*call.receiver)))
    if (object->role == Object::Role::encoder) all.push_back(object);
  if (!all.empty()) return all;
  auto made = interpreter.state().make_object(Object::Role::encoder);
  made->bindings_known = false;
  interpreter.store(call.receiver_node, object_value(made), "=", call.node->range);
  return {made};
}

Value set_pipeline(Interpreter& interpreter, const Call& call) {
  const auto* pipeline = call.argument(0);
  if (!pipeline) return {};
  for (const auto& encoder : encoders(interpreter, call)) {
    const bool adds =
        interpreter.state().open_branches > 0 && encoder->pipeline.kind != Value::Kind::unknown;
    encoder->pipeline = adds ? join(encoder->pipeline, *pipeline) : *pipeline;
  }
  return {};
}

void bind_at(State& state, Object& object, const Value* index, HostBinding binding,
             std::vector<std::shared_ptr<Object>> memory) {
  const auto number = index ? number_of(*index) : std::nullopt;
  // Code for the elements of a parameter pack is interpreted once only.
  if (!number || !(*number >= 0) || state.packs > 0) {
    object.bindings_known = false;
    for (const auto& each : memory)
      if (object.bindings.size() < most_bindings)
        object.bindings.push_back(
            {HostBinding{.index = unknown_index, .range = binding.range}, {each}});
    return;
  }
  binding.index = static_cast<unsigned>(std::min(*number, 1e9));
  if (state.open_branches == 0)
    std::erase_if(object.bindings,
                  [&](const Bound& bound) { return bound.binding.index == binding.index; });
  if (object.bindings.size() < most_bindings)
    object.bindings.push_back({std::move(binding), std::move(memory)});
}

// The type of an element of these buffers, if they agree.
std::string type_of(const std::vector<std::shared_ptr<Object>>& memory) {
  std::string type;
  for (const auto& each : memory) {
    if (!type.empty() && each->type != type) return {};
    type = each->type;
  }
  return type == contradictory_type ? "" : type;
}

// The number of the memory that is bound from its first byte on; 0 if it is not known.
std::size_t number_of_memory(State& state, const Call& call,
                             const std::vector<std::shared_ptr<Object>>& memory) {
  const auto* offset = call.arguments.size() == 3 ? call.argument(1) : nullptr;
  const auto bytes = offset ? number_of(*offset) : std::nullopt;
  if (memory.size() != 1 || bytes != 0.0) return 0;
  auto& number = memory[0]->number;
  if (number == 0) number = ++state.bound_memories;
  return number;
}

Value set_buffer(Interpreter& interpreter, const Call& call) {
  const auto* buffer = call.argument(0);
  if (!buffer) return {};
  const auto memory = objects_of(*buffer);
  const auto* offset = call.arguments.size() == 3 ? call.argument(1) : nullptr;
  // Behind an offset, there may be elements of another type.
  const bool begins = !offset || number_of(*offset) == 0.0;
  const HostBinding binding{.type = begins ? "" : contradictory_type,
                            .is_buffer = true,
                            .memory = number_of_memory(interpreter.state(), call, memory),
                            .range = call.node->range};
  for (const auto& encoder : encoders(interpreter, call))
    bind_at(interpreter.state(), *encoder, call.argument(call.arguments.size() - 1), binding,
            memory);
  return {};
}

// setBufferOffset(offset, index): where the memory begins is not followed.
Value set_offset(Interpreter& interpreter, const Call& call) {
  for (const auto& encoder : encoders(interpreter, call))
    for (auto& bound : encoder->bindings) bound.binding.memory = 0;
  return {};
}

// What is dispatched behind a barrier does not overlap with what was dispatched before.
Value set_barrier(Interpreter& interpreter, const Call& call) {
  for (const auto& encoder : encoders(interpreter, call))
    if (encoder->overlapping != 0) encoder->overlapping = ++interpreter.state().overlaps;
  return {};
}

// The binding of the value that an argument points to.
HostBinding value_binding(Interpreter& interpreter, const Call& call, std::size_t value,
                          const Value* length) {
  HostBinding binding{.range = call.node->range};
  if (length)
    if (const auto bytes = number_of(*length); bytes && *bytes > 0 && *bytes < 1e15)
      binding.bytes = static_cast<std::size_t>(*bytes);
  const auto& node = call.nodes[value];
  const bool addressed =
      node->kind == Kind::unary && node->text == "&" && node->children[0]->kind == Kind::name;
  if (addressed)
    if (const auto found = interpreter.state().find(node->children[0]->text))
      binding.type = found->type;
  if (binding.bytes && binding.bytes == interpreter.layouts().bytes_of(binding.type))
    binding.members = interpreter.layouts().members_of(binding.type);
  return binding;
}

Value set_bytes(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  if (call.arguments.size() < 3) return {};
  const auto binding = value_binding(interpreter, call, 0, call.argument(1));
  for (const auto& encoder : encoders(interpreter, call))
    bind_at(state, *encoder, call.argument(2), binding, {});
  return {};
}

// setBuffers(buffers, offsets, range)
Value set_many(Interpreter& interpreter, const Call& call) {
  for (const auto& encoder : encoders(interpreter, call)) {
    encoder->bindings_known = false;
    for (const auto& value : call.arguments)
      for (const auto& list : objects_of(value))
        for (const auto& item : list->items)
          bind_at(interpreter.state(), *encoder, nullptr, {}, objects_of(item));
  }
  return {};
}

std::vector<std::shared_ptr<Object>> buffers_of(const Value& value) {
  auto all = objects_of(target_of(value));
  std::erase_if(all, [](const auto& object) { return object->role != Object::Role::buffer; });
  return all;
}

// clSetKernelArg(kernel, index, size, &value)
Value set_kernel_arg(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  if (call.arguments.size() < 4) return {};
  const auto memory = buffers_of(call.arguments[3]);
  auto binding = value_binding(interpreter, call, 3, call.argument(2));
  binding.is_buffer = !memory.empty() || is_buffer_type(binding.type);
  for (const auto& kernel : alternatives(call.arguments[0]))
    if (kernel.kind == Value::Kind::kernel)
      bind_at(state, *kernel.object, call.argument(1), binding, memory);
  return {};
}

// kernel.setArg(index, value)
Value set_arg(Interpreter& interpreter, const Call& call) {
  if (call.arguments.size() < 2 || !call.receiver) return {};
  const auto memory = buffers_of(call.arguments[1]);
  HostBinding binding{.is_buffer = !memory.empty(), .range = call.node->range};
  for (const auto& kernel : alternatives(target_of(*call.receiver)))
    if (kernel.kind == Value::Kind::kernel)
      bind_at(interpreter.state(), *kernel.object, call.argument(0), binding, memory);
  return {};
}

constexpr std::array<const char*, 3> sides_of_a_size = {"width", "height", "depth"};

// A side of a size, or of a list in its place.
std::optional<std::size_t> side_of(const Object& size, std::size_t side) {
  const auto field = size.fields.find(sides_of_a_size[side]);
  const auto number = field != size.fields.end() ? number_of(field->second)
                      : side < size.items.size() ? number_of(size.items[side])
                                                 : std::nullopt;
  // Zeros are more often the contents before code that we do not see.
  if (!number || *number < 1 || *number > 1e6 || *number != std::floor(*number))
    return std::nullopt;
  return static_cast<std::size_t>(*number);
}

// The threads of a threadgroup of that size, if all paths agree in it.
std::optional<std::size_t> threads_of(const Value& size) {
  std::optional<std::size_t> threads;
  for (const auto& each : alternatives(target_of(size))) {
    if (each.kind != Value::Kind::object || each.object->role != Object::Role::object)
      return std::nullopt;
    std::size_t product = 1;
    for (std::size_t side = 0; side < 3; ++side) {
      const auto count = side_of(*each.object, side);
      if (!count) return std::nullopt;
      product *= *count;
    }
    if (threads && *threads != product) return std::nullopt;
    threads = product;
  }
  return threads;
}

// The binding as a kernel sees it: what the elements of a buffer are. `is_one`: no other kernel may
// run in its place, which may take other types.
HostBinding described(const Interpreter& interpreter, const Bound& bound, bool is_one) {
  auto binding = bound.binding;
  if (binding.is_buffer && binding.type.empty()) {
    binding.type = type_of(bound.memory);
    binding.members = interpreter.layouts().members_of(binding.type);
    if (!binding.members.empty()) binding.bytes = interpreter.layouts().bytes_of(binding.type);
  }
  if (is_one && binding.type != contradictory_type) return binding;
  return {.index = binding.index,
          .is_buffer = binding.is_buffer,
          .memory = binding.memory,
          .range = binding.range};
}

// Adds the bindings of the same dispatch on another path.
void merge(HostDispatch& known, const HostDispatch& more) {
  if (known.threads != more.threads) known.threads.reset();
  known.bindings_known = known.bindings_known && more.bindings_known;
  if (known.overlapping != more.overlapping) known.overlapping = 0;
  for (const auto& binding : more.bindings)
    if (std::find(known.bindings.begin(), known.bindings.end(), binding) == known.bindings.end())
      known.bindings.push_back(binding);
}

// Adds a dispatch to the result; its buffers now hold what the kernel computes.
void report_dispatch(Interpreter& interpreter, const Value& kernel, Object& arguments,
                     const Call& call, bool is_one,
                     std::optional<std::size_t> threads = std::nullopt) {
  auto& state = interpreter.state();
  state.uses_gpu = true;
  if (kernel.kind != Value::Kind::kernel || kernel.text.empty())
    state.host.dispatches_known = false;
  const auto name = kernel.kind == Value::Kind::kernel ? kernel.text : "";
  HostDispatch dispatch{name, call.node->range, {}, arguments.bindings_known};
  dispatch.threads = threads;
  if (!state.may_repeat()) dispatch.overlapping = arguments.overlapping;
  for (const auto& each : arguments.bindings) {
    auto binding = described(interpreter, each, is_one);
    if (binding.index < unknown_index) dispatch.bindings.push_back(std::move(binding));
    for (const auto& memory : each.memory) {
      memory->bound_to.insert({name, each.binding.index});
      memory->cpu_work.reset();
    }
  }
  std::stable_sort(dispatch.bindings.begin(), dispatch.bindings.end(),
                   [](const auto& a, const auto& b) { return a.index < b.index; });
  if (name.empty()) return;
  for (auto& known : state.host.dispatched)
    if (known.kernel == name && known.range == dispatch.range) return merge(known, dispatch);
  state.host.dispatched.push_back(std::move(dispatch));
}

// executeCommandsInBuffer()
Value dispatch_unknown(Interpreter& interpreter, const Call&) {
  interpreter.state().host.dispatches_known = false;
  return {};
}

// dispatchThreads(grid, threadgroup), dispatchThreadgroups(buffer, offset, threadgroup)
Value dispatch(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  const auto threads =
      call.arguments.size() >= 2 ? threads_of(call.arguments.back()) : std::nullopt;
  for (const auto& encoder : encoders(interpreter, call)) {
    if (encoder->pipeline.kind == Value::Kind::unknown) state.host.dispatches_known = false;
    const auto kernels = alternatives(encoder->pipeline);
    for (const auto& kernel : kernels)
      report_dispatch(interpreter, kernel, *encoder, call, kernels.size() == 1, threads);
  }
  return {};
}

// clEnqueueNDRangeKernel(queue, kernel, …), queue.enqueueNDRangeKernel(kernel, …)
Value enqueue(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  const auto* kernels = call.argument(call.receiver ? 0 : 1);
  if (!kernels) return {};
  bool any = false;
  for (const auto& kernel : alternatives(target_of(*kernels))) {
    if (kernel.kind != Value::Kind::kernel) continue;
    any = true;
    report_dispatch(interpreter, kernel, *kernel.object, call, /*is_one=*/true);
  }
  if (!any) state.host.dispatches_known = false;
  return {};
}

Value ignore_encoding(Interpreter&, const Call&) { return {}; }

constexpr std::array<KnownFunction, 29> gpu_table = {{
    {"newFunction", new_function},
    {"clCreateKernel", create_kernel},
    {"clCreateKernelsInProgram", fetch_all},
    {"newDefaultLibrary", new_library},
    {"newLibrary", new_library},
    {"clCreateProgramWithSource", new_library},
    {"clCreateProgramWithBinary", new_library},
    {"clCreateProgramWithIL", new_library},
    {"computeCommandEncoder", new_encoder},
    {"setComputePipelineState", set_pipeline},
    {"setBuffer", set_buffer},
    {"setBytes", set_bytes},
    {"setBuffers", set_many},
    {"setArgumentTable", set_many},
    {"setBufferOffset", set_offset},
    {"memoryBarrier", set_barrier},
    {"barrierAfterStages", set_barrier},  // of Metal 4, as the next two
    {"barrierAfterEncoderStages", set_barrier},
    {"barrierAfterQueueStages", set_barrier},
    {"setThreadgroupMemoryLength", ignore_encoding},
    {"endEncoding", ignore_encoding},
    {"clSetKernelArg", set_kernel_arg},
    {"setArg", set_arg},
    {"dispatchThreads", dispatch},
    {"dispatchThreadgroups", dispatch},
    {"clEnqueueNDRangeKernel", enqueue},
    {"clEnqueueTask", enqueue},
    {"enqueueNDRangeKernel", enqueue},
    {"executeCommandsInBuffer", dispatch_unknown},
}};

}  // namespace

Value new_library(Interpreter& interpreter, const Call& call) {
  auto& state = interpreter.state();
  state.uses_gpu = true;
  state.library_calls.insert(call.node);
  state.host.libraries = state.library_calls.size();
  return object_value(state.make_object(Object::Role::library));
}

bool is_size_type(std::string_view type) {
  const auto name = element_type(type);
  return name == "MTL::Size" || name == "MTLSize";
}

Value size_value(State& state, const std::vector<Value>& sides) {
  if (sides.size() != 3) return {};
  auto made = state.make_object();
  for (std::size_t i = 0; i < sides.size(); ++i) made->fields[sides_of_a_size[i]] = sides[i];
  made->type = "MTL::Size";  // so that a copy has its own sides
  return object_value(std::move(made));
}

Value fetch(State& state, const Call& call, const Value& names) {
  state.uses_gpu = true;
  Value result;
  bool first = true;
  for (const auto& name : alternatives(names)) {
    Value kernel;
    kernel.kind = Value::Kind::kernel;
    kernel.object = state.make_object();
    if (name.kind == Value::Kind::string)
      kernel.text = name.text;
    else
      state.host.names_known = false;
    HostFetch fetch{kernel.text, call.node->range};
    if (!kernel.text.empty() && std::find(state.host.fetched.begin(), state.host.fetched.end(),
                                          fetch) == state.host.fetched.end())
      state.host.fetched.push_back(std::move(fetch));
    result = first ? kernel : join(result, kernel);
    first = false;
  }
  return result;
}

GpuStep gpu_step(std::string_view function) {
  const auto* known = known_function(function);
  if (!known) return GpuStep::none;
  const auto is_any_of = [&](auto... models) { return ((known->call == models) || ...); };
  if (is_any_of(new_function, create_kernel, fetch_all)) return GpuStep::fetch;
  return is_any_of(dispatch, enqueue, dispatch_unknown) ? GpuStep::dispatch : GpuStep::none;
}

std::span<const KnownFunction> gpu_functions() { return gpu_table; }

}  // namespace msci::host
