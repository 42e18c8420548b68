// What the stress problems of all tasks share: drawn sizes, keyed inputs, poisoned outputs,
// expectations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/keyed_random.h"
#include "tasks/launch.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/task.h"

namespace msci {

// What the contract allows in one parameter, whatever the others are.
struct Side {
  std::string_view parameter;
  unsigned least = 1;
  unsigned most = 1;      // drawn up to here, beyond every declared size
  unsigned multiple = 1;  // the parameter is a multiple of this
  bool power_of_two = false;
};

struct SizeContract {
  std::vector<Side> sides;
  double most_cells = 1 << 16;  // the product of the sides of a drawn size
  double few_cells = 4096;      // of a size that may have all steps
  std::string_view steps = {};  // the parameter that counts steps; empty without steps
  unsigned most_steps = 0;      // of a declared size
};

// A size without a label. Each side is log-uniform, often at an end of its octave, in a random
// order, as long as the product of all allows. Few steps; or, where there are few cells, often as
// many as declared sizes have, so that a kernel that stops early shows.
Size draw_size(const SizeContract& contract, KeyedRandom& draws);

// The next `count` numbers of the stream, within [low, high).
Array<float> uniform(KeyedRandom& draws, std::size_t count, double low, double high);

// The number of that place in a stream of numbers within [low, high) that begins with the key.
double uniform_at(Key key, std::uint64_t place, double low, double high);

// Some of that many elements, which the key draws: what is wrong in one of ten thousand is missed
// once in 700 times.
std::vector<std::size_t> sample_of(Key key, std::size_t elements);

// The largest difference of some elements from their right values, relative to the largest of these
// values; infinite if one is NaN.
struct SampledError {
  double largest = 0, difference = 0;
  void add(double got, double expected);
  double relative() const { return largest > 0 ? difference / largest : difference; }
};

// Adds some of the numbers in half of the runs. In two thirds of the others, makes a part of the
// values extreme: zeros, tiny ones, neighbours that are equal, and ones up to a magnitude that the
// run draws. Others would vanish beside them if all runs had them.
void add_extremes(KeyedRandom& draws, Array<float>& values, std::span<const float> numbers);

// Makes a part of the values zero, one of these numbers, its opposite, or what lies beside them:
// numbers up to a magnitude that the run draws among theirs, but at most `most`.
void add_numbers(KeyedRandom& draws, std::span<float> values, std::span<const float> numbers,
                 float most);

// A number between `low` and `high`, whose logarithm is uniform.
double log_uniform(KeyedRandom& draws, double low, double high);

// Whether a run may start far from what its equations keep stable: a drawn size with few steps.
bool may_be_extreme(const Size& size, std::string_view steps);

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
