#include "evaluator/plan/file/expected_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "evaluator/plan/elements.h"
#include "evaluator/plan/file/texture/texture_numbers.h"

namespace msci {
namespace {

std::size_t count_of(const ExpectedResult& expected) {
  return expected.contents.data.size() / *element_bytes(expected.type);
}

double element(const ExpectedResult& expected, std::size_t i) {
  return get_element(expected.type, expected.contents.data, i);
}

// Whether the element at index `i` has the same bytes in both.
bool is_equal(const ExpectedResult& expected, const Bytes& output, std::size_t i) {
  const auto bytes = *element_bytes(expected.type);
  return std::memcmp(expected.contents.data.data() + i * bytes, output.data.data() + i * bytes,
                     bytes) == 0;
}

// NaN if an element of the output is NaN. Different integers differ by 1 at least, also where a
// double holds neither.
double largest_difference(const ExpectedResult& expected, const Bytes& output) {
  double largest = 0;
  for (std::size_t i = 0; i < count_of(expected); ++i) {
    auto difference = distance(get_element(expected.type, output.data, i), element(expected, i));
    if (std::isnan(difference)) return difference;
    if (!is_floating(expected.type) && !is_equal(expected, output, i))
      difference = std::max(difference, 1.0);
    largest = std::max(largest, difference);
  }
  return largest;
}

// How a texture differs from what it must be.
struct TextureDifference {
  std::size_t count = 0;  // of components that differ by more than the format's rounding
  double largest = 0;     // of their differences; NaN if one is
};

TextureDifference texture_difference(const ExpectedResult& expected, const Bytes& output) {
  const auto format = expected.texture->format;
  const auto wanted = texel_numbers(format, expected.contents.data);
  const auto got = texel_numbers(*expected.texture, output.data);
  const auto rounding = texel_rounding(format);
  TextureDifference all;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double difference = distance(got[i], wanted[i]);
    if (difference <= rounding[i % rounding.size()]) continue;
    ++all.count;
    if (!std::isnan(all.largest) && !(difference <= all.largest)) all.largest = difference;
  }
  return all;
}

// "y[3] is 7, not 8".
std::string difference_text(const ExpectedResult& expected, const Bytes& output, std::size_t i) {
  return fmt::format("{}[{}] is {}, not {}", expected.name, i,
                     element_text(expected.type, output.data, i),
                     element_text(expected.type, expected.contents.data, i));
}

void add_differences(const ExpectedResult& expected, const Bytes& output, Verdict& verdict) {
  for (std::size_t i = 0; i < count_of(expected); ++i) {
    if (is_equal(expected, output, i)) continue;
    ++verdict.error_value;
    verdict.correct = false;
    if (verdict.first_difference.empty())
      verdict.first_difference = difference_text(expected, output, i);
  }
}

std::vector<double> magnitudes(const ExpectedResult& expected) {
  std::vector<double> numbers;
  if (expected.texture)
    numbers = texel_numbers(expected.texture->format, expected.contents.data);
  else
    for (std::size_t i = 0; i < count_of(expected); ++i) numbers.push_back(element(expected, i));
  for (auto& number : numbers) number = std::abs(number);
  return numbers;
}

double largest_magnitude(const ExpectedResult& expected) {
  double largest = 0;
  for (const auto magnitude : magnitudes(expected)) largest = std::max(largest, magnitude);
  return largest;
}

// Whether rounding hides that a texture that is not all zeros stays so.
bool rounds_to_zeros(const ExpectedResult& expected) {
  const auto numbers = texel_numbers(expected.texture->format, expected.contents.data);
  const auto rounding = texel_rounding(expected.texture->format);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::abs(numbers[i]) > rounding[i % rounding.size()]) return false;
  return largest_magnitude(expected) > 0;
}

bool contains_nan(const ExpectedResult& expected) {
  if (expected.texture)
    return std::ranges::any_of(texel_numbers(expected.texture->format, expected.contents.data),
                               [](double number) { return std::isnan(number); });
  if (!is_floating(expected.type)) return false;
  for (std::size_t i = 0; i < count_of(expected); ++i)
    if (std::isnan(element(expected, i))) return true;
  return false;
}

}  // namespace

double Tolerance::limit(const ExpectedResult& expected) const {
  if (exact) return 0;
  double largest = 0;
  for (const auto magnitude : magnitudes(expected))
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  return max_abs + relative * largest;
}

std::optional<std::string> why_useless(const ExpectedResult& expected, const Tolerance& tolerance,
                                       const PlanBuffer& buffer, const Size& size) {
  const auto bytes = expected.texture ? encoded_bytes(*expected.texture) : buffer.bytes;
  if (expected.contents.data.size() != bytes)
    return fmt::format("{} bytes are expected at size {}, and the {} has {}",
                       expected.contents.data.size(), size.label,
                       expected.texture ? "texture" : "buffer", bytes);
  if (contains_nan(expected))
    return fmt::format("the expected values at size {} contain a NaN, which equals no value",
                       size.label);
  const auto limit = tolerance.limit(expected), largest = largest_magnitude(expected);
  if (!tolerance.exact && limit >= largest)
    return fmt::format(
        "a result of zeros would pass: at size {} the tolerance is {:g}, and the largest expected "
        "value {:g}",
        size.label, limit, largest);
  if (expected.texture && rounds_to_zeros(expected))
    return fmt::format(
        "a result of zeros would pass: at size {} all values differ from zero by the rounding of "
        "the "
        "format at most",
        size.label);
  return std::nullopt;
}

Verdict judge(std::span<const ExpectedResult> expected, const Tolerance& tolerance,
              const Outputs& outputs) {
  Verdict worst{.correct = true, .error_kind = tolerance.exact ? "different" : "max_abs"};
  if (tolerance.exact) worst.tolerance = 0;
  std::optional<double> worst_excess;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!expected[i].is_compared) continue;
    const auto texture =
        expected[i].texture ? texture_difference(expected[i], outputs[i]) : TextureDifference();
    if (tolerance.exact) {
      if (!expected[i].texture) {
        add_differences(expected[i], outputs[i], worst);
        continue;
      }
      worst.error_value += static_cast<double>(texture.count);
      worst.correct = worst.correct && texture.count == 0;
      continue;
    }
    const double limit = tolerance.limit(expected[i]);
    const double error =
        expected[i].texture ? texture.largest : largest_difference(expected[i], outputs[i]);
    worst.correct = worst.correct && error <= limit;  // a NaN is not
    const double excess = std::isnan(error) ? HUGE_VAL : error - limit;
    if (worst_excess && excess <= *worst_excess) continue;
    worst_excess = excess;
    worst.error_value = error;
    worst.tolerance = limit;
  }
  return worst;
}

}  // namespace msci
