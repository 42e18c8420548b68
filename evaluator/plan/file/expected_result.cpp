#include "evaluator/plan/file/expected_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evaluator/plan/elements.h"

namespace msci {
namespace {

std::size_t count_of(const ExpectedResult& expected) {
  return expected.contents.data.size() / *element_bytes(expected.type);
}

double element(const ExpectedResult& expected, std::size_t i) {
  return get_element(expected.type, expected.contents.data, i);
}

// NaN if an element of the output is NaN.
double largest_difference(const ExpectedResult& expected, const Bytes& output) {
  double largest = 0;
  for (std::size_t i = 0; i < count_of(expected); ++i) {
    const auto difference =
        std::abs(get_element(expected.type, output.data, i) - element(expected, i));
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

double largest_magnitude(const ExpectedResult& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < count_of(expected); ++i)
    largest = std::max(largest, std::abs(element(expected, i)));
  return largest;
}

bool contains_nan(const ExpectedResult& expected) {
  for (std::size_t i = 0; i < count_of(expected); ++i)
    if (std::isnan(element(expected, i))) return true;
  return false;
}

}  // namespace

double Tolerance::limit(const ExpectedResult& expected) const {
  return exact ? 0 : max_abs + relative * largest_magnitude(expected);
}

std::optional<std::string> why_useless(const ExpectedResult& expected, const Tolerance& tolerance,
                                       const PlanBuffer& buffer, const Size& size) {
  if (expected.contents.data.size() != buffer.bytes)
    return fmt::format("{} bytes are expected at size {}, and the buffer has {}",
                       expected.contents.data.size(), size.label, buffer.bytes);
  if (is_floating(expected.type) && contains_nan(expected))
    return fmt::format("the expected values at size {} contain a NaN, which equals no value",
                       size.label);
  const auto limit = tolerance.limit(expected), largest = largest_magnitude(expected);
  if (!tolerance.exact && limit >= largest)
    return fmt::format(
        "a result of zeros would pass: at size {} the tolerance is {:g}, and the largest expected "
        "value {:g}",
        size.label, limit, largest);
  return std::nullopt;
}

Verdict judge(std::span<const ExpectedResult> expected, const Tolerance& tolerance,
              const Outputs& outputs) {
  Verdict worst{.correct = true, .error_kind = "max_abs"};
  double worst_excess = -1;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double limit = tolerance.limit(expected[i]);
    const double error = largest_difference(expected[i], outputs[i]);
    const bool correct =  // a NaN is not
        tolerance.exact ? outputs[i] == expected[i].contents : error <= limit;
    const double excess = std::isnan(error) ? HUGE_VAL : error - limit;
    worst.correct = worst.correct && correct;
    if (excess <= worst_excess && i > 0) continue;
    worst_excess = excess;
    worst.error_value = error;
    worst.tolerance = limit;
  }
  return worst;
}

}  // namespace msci
