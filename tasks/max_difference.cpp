#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "tasks/launch.h"

namespace msci {
namespace {

// "[5]", or "[1].z" of elements with components.
std::string place_of(std::size_t i, std::string_view components) {
  if (components.empty()) return fmt::format("[{}]", i);
  return fmt::format("[{}].{}", i / components.size(), components[i % components.size()]);
}

Differences beyond(std::span<const float> got, std::span<const float> expected, double tolerance,
                   std::string_view components) {
  return find_differences(
      got.size(), [&](std::size_t i) { return got[i]; }, [&](std::size_t i) { return expected[i]; },
      [&](std::size_t i, double, double) {
        return !(double{std::abs(got[i] - expected[i])} <= tolerance);  // as max_difference()
      },
      [&](std::size_t i) {
        return difference_text(place_of(i, components), float_text(got[i]),
                               float_text(expected[i]));
      });
}

}  // namespace

double max_difference(std::span<const float> got, std::span<const float> expected) {
  assert(got.size() == expected.size() && "the plan and the reference agree on the layout");
  float worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const float difference = std::abs(got[i] - expected[i]);
    if (std::isnan(difference)) return difference;
    worst = std::max(worst, difference);
  }
  return worst;
}

double max_magnitude(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

Verdict within(std::string error_kind, double error_value, double tolerance) {
  return {.correct = error_value <= tolerance,
          .error_value = error_value,
          .error_kind = std::move(error_kind),
          .tolerance = tolerance};
}

Verdict within(std::string error_kind, std::span<const float> got, std::span<const float> expected,
               double tolerance, std::string_view components) {
  auto verdict = within(std::move(error_kind), max_difference(got, expected), tolerance);
  if (!verdict.correct) verdict.differences = beyond(got, expected, tolerance, components);
  return verdict;
}

decltype(Task::judge) within_first(std::string error_kind, double absolute, double relative) {
  return [=](const Size&, const Bytes& reference, const Outputs& output, const Outputs&) {
    const auto expected = reference.as<float>();
    return within(error_kind, output[0].as<float>(), expected,
                  absolute + relative * max_magnitude(expected));
  };
}

}  // namespace msci
