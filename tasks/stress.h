// What the stress problems of all tasks share: keyed inputs, poisoned outputs, expectations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/keyed_random.h"
#include "plan/plan.h"
#include "plan/task.h"
#include "tasks/array.h"

namespace msci {

// The next `count` numbers of the stream, within [low, high).
Array<float> uniform(KeyedRandom& draws, std::size_t count, double low, double high);

// The same numbers in double precision.
template <typename Values>
std::vector<double> widened(const Values& values) {
  return {values.begin(), values.end()};
}

// A buffer of `count` values of type T that the kernel has to fill.
template <typename T>
PlanBuffer poisoned(std::string name, std::size_t count) {
  return {.name = std::move(name), .bytes = count * sizeof(T), .poison = true};
}

// The place of the buffer of that name in a plan that has one.
std::size_t place_of(const Plan& plan, std::string_view name);

}  // namespace msci
