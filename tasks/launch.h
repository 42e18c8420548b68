// What the hosts of all tasks share: threadgroups by the thread limits of the kernels, grids,
// bindings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tasks/array.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

// The most threads that a threadgroup of `kernel` may have. Errors: the program lacks the kernel,
// or its limit is 0.
Result<unsigned> cap_of(const Translation& program, std::string_view kernel);

// `preferred` threads in a row, or as many as the cap allows.
Result<Extent> row_group(const Translation& program, std::string_view kernel, unsigned preferred);

// 16 x 16, its height halved until the cap holds. Errors: a cap below 16, for which no height is
// left.
Result<Extent> tile_group(const Translation& program, std::string_view kernel);

// 8 x 8 x 4, halved along z, then y, then x until the cap holds.
Result<Extent> brick_group(const Translation& program, std::string_view kernel);

// Exactly `width` threads in a row. Errors: a cap below that.
Result<Extent> fixed_group(const Translation& program, std::string_view kernel, unsigned width);

// The smallest grid of whole threadgroups that covers `problem`.
Extent cover(Extent problem, Extent threadgroup);

// Binds the given buffers of a plan to indices 0, 1, 2 and so on.
std::vector<Binding> bind(const std::vector<std::size_t>& buffers);

// A buffer that starts with `values`.
template <typename T>
PlanBuffer filled(std::string name, Array<T> values) {
  const std::size_t bytes = values.size() * sizeof(T);
  return {.name = std::move(name), .bytes = bytes, .initial = std::move(values).take_bytes()};
}

// A read-only buffer that holds just `value`.
template <typename T>
PlanBuffer scalar(std::string name, T value) {
  Array<T> values(1);
  values[0] = value;
  return filled(std::move(name), std::move(values));
}

// A buffer that starts with `count` zeros of type T.
template <typename T>
PlanBuffer zeros(std::string name, std::size_t count) {
  return {.name = std::move(name), .bytes = count * sizeof(T)};
}

}  // namespace msci
