// Models of the library functions that the interpreter knows, in lists by subject.
#pragma once

#include <span>
#include <string_view>

#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {

class Interpreter;

struct KnownFunction {
  std::string_view name;
  Value (*call)(Interpreter& interpreter, const Call& call);
};

// The model of a function, or null.
const KnownFunction* known_function(std::string_view name);

// What a call does for a kernel, by the name of the function.
enum class GpuStep { none, fetch, dispatch };
GpuStep gpu_step(std::string_view function);

// Libraries, kernels, encoders, dispatches: Metal and OpenCL.
std::span<const KnownFunction> gpu_functions();
// Buffers, copies, allocation.
std::span<const KnownFunction> memory_functions();
std::span<const KnownFunction> container_functions();
// Algorithms that compute on the CPU.
std::span<const KnownFunction> cpu_work_functions();

// The models that constructors use, too.
Value new_library(Interpreter& interpreter, const Call& call);
Value new_buffer(Interpreter& interpreter, const Call& call);
// "MTL::Size" or "MTLSize", of a grid or a threadgroup; and a value of it, unknown without its
// three sides.
bool is_size_type(std::string_view type);
Value size_value(State& state, const std::vector<Value>& sides);
// The kernels with these names.
Value fetch(State& state, const Call& call, const Value& names);

// A function of Accelerate: "vDSP_vadd", "cblas_saxpy".
Value call_bulk_math(Interpreter& interpreter, const Call& call);
// A scalar function: "sqrt".
Value call_math(const Call& call);
// What an unknown function may return of what it was given.
Value passed_on(const Call& call);

}  // namespace msci::host
