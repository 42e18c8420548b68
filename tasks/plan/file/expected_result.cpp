#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tasks/plan/elements.h"
#include "tasks/plan/file/plan_results.h"
#include "tasks/plan/file/texture/texture_contents.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

std::size_t count_of(const ExpectedResult& expected) {
  return expected.contents.size() / *element_bytes(expected.type);
}

double element(const ExpectedResult& expected, std::size_t i) {
  return get_element(expected.type, expected.contents, i);
}

// Whether the element at index `i` has the same bytes in both.
bool is_equal(const ExpectedResult& expected, const Bytes& output, std::size_t i) {
  const auto bytes = *element_bytes(expected.type);
  return std::memcmp(expected.contents.data() + i * bytes, output.data() + i * bytes, bytes) == 0;
}

// Different integers differ by 1 at least, also where a double holds neither.
double difference_at(const ExpectedResult& expected, const Bytes& output, std::size_t i) {
  const auto difference = distance(get_element(expected.type, output, i), element(expected, i));
  return !is_floating(expected.type) && !is_equal(expected, output, i) ? std::max(difference, 1.0)
                                                                       : difference;
}

// NaN if an element of the output is NaN.
double largest_difference(const ExpectedResult& expected, const Bytes& output) {
  double largest = 0;
  for (std::size_t i = 0; i < count_of(expected); ++i) {
    const auto difference = difference_at(expected, output, i);
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

// A texture by its components, beside those that it must hold.
class ComparedTexture {
 public:
  ComparedTexture(const ExpectedResult& expected, const Bytes& output)
      : name_(expected.name),
        shape_(*expected.texture),
        wanted_(texel_numbers(shape_.format, expected.contents)),
        got_(texel_numbers(shape_, output)),
        rounding_(texel_rounding(shape_.format)) {}

  // The largest difference beyond the format's rounding; NaN if one is.
  double largest_difference() const {
    double largest = 0;
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      if (const double difference = distance(got_[i], wanted_[i]); is_beyond(i, difference, 0))
        if (!std::isnan(largest) && !(difference <= largest)) largest = difference;
    return largest;
  }

  Differences beyond(double limit) const {
    return find_differences(
        wanted_.size(), [&](std::size_t i) { return got_[i]; },
        [&](std::size_t i) { return wanted_[i]; },
        [&](std::size_t i, double got, double wanted) {
          return is_beyond(i, distance(got, wanted), limit);
        },
        [&](std::size_t i) {
          return difference_text(name_ + texel_place(shape_, i), float_text(got_[i]),
                                 float_text(wanted_[i]));
        });
  }

 private:
  bool is_beyond(std::size_t i, double difference, double limit) const {
    return !(difference <= std::max(limit, rounding_[i % rounding_.size()]));
  }

  const std::string& name_;
  const TextureShape& shape_;
  std::vector<double> wanted_, got_, rounding_;
};

// The elements that differ by more than the limit, or without one in any bit.
Differences beyond(const ExpectedResult& expected, const Bytes& output,
                   std::optional<double> limit) {
  if (expected.texture) return ComparedTexture(expected, output).beyond(limit.value_or(0));
  return find_differences(
      count_of(expected), [&](std::size_t i) { return get_element(expected.type, output, i); },
      [&](std::size_t i) { return element(expected, i); },
      [&](std::size_t i, double, double) {
        return limit ? !(difference_at(expected, output, i) <= *limit)
                     : !is_equal(expected, output, i);
      },
      [&](std::size_t i) {
        return difference_text(fmt::format("{}[{}]", expected.name, i),
                               element_text(expected.type, output, i),
                               element_text(expected.type, expected.contents, i));
      });
}

// The number of all elements that differ, and the first.
Verdict judge_exactly(std::span<const ExpectedResult> expected, const Outputs& outputs) {
  Differences all;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!expected[i].is_compared) continue;
    auto differences = beyond(expected[i], outputs[i], std::nullopt);
    all.compared += differences.compared;
    all.wrong += differences.wrong;
    all.nan += differences.nan;
    if (all.first.empty()) all.first = std::move(differences.first);
  }
  Verdict verdict{.correct = all.wrong == 0,
                  .error_value = static_cast<double>(all.wrong),
                  .error_kind = "different",
                  .tolerance = 0};
  if (!verdict.correct) verdict.differences = std::move(all);
  return verdict;
}

std::vector<double> magnitudes(const ExpectedResult& expected) {
  std::vector<double> numbers;
  if (expected.texture)
    numbers = texel_numbers(expected.texture->format, expected.contents);
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
  const auto numbers = texel_numbers(expected.texture->format, expected.contents);
  const auto rounding = texel_rounding(expected.texture->format);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::abs(numbers[i]) > rounding[i % rounding.size()]) return false;
  return largest_magnitude(expected) > 0;
}

bool contains_nan(const ExpectedResult& expected) {
  if (expected.texture)
    return std::ranges::any_of(texel_numbers(expected.texture->format, expected.contents),
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
  if (expected.contents.size() != bytes)
    return fmt::format("{} bytes are expected at size {}, and the {} has {}",
                       expected.contents.size(), size.label,
                       expected.texture ? "texture" : "buffer", bytes);
  if (contains_nan(expected))
    return fmt::format("the expected values at size {} contain a NaN, which equals no value",
                       size.label);
  // The declared sizes show that zeros do not pass. A tiny one that is drawn may have no other
  // result.
  if (size.is_drawn) return std::nullopt;
  const auto limit = tolerance.limit(expected), largest = largest_magnitude(expected);
  if (!tolerance.exact && limit >= largest)
    return fmt::format(
        "a result of zeros would pass: at size {} the tolerance is {:g}, and the largest expected "
        "value {:g}",
        size.label, limit, largest);
  if (expected.texture && rounds_to_zeros(expected))
    return fmt::format(
        "a result of zeros would pass: at size {} all values differ from zero by the rounding of "
        "the format at most",
        size.label);
  return std::nullopt;
}

Verdict judge(std::span<const ExpectedResult> expected, const Tolerance& tolerance,
              const Outputs& outputs) {
  if (tolerance.exact) return judge_exactly(expected, outputs);
  Verdict worst{.correct = true, .error_kind = "max_abs"};
  std::optional<double> worst_excess;
  std::size_t worst_output = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!expected[i].is_compared) continue;
    const double limit = tolerance.limit(expected[i]);
    const double error = expected[i].texture
                             ? ComparedTexture(expected[i], outputs[i]).largest_difference()
                             : largest_difference(expected[i], outputs[i]);
    worst.correct = worst.correct && error <= limit;  // a NaN is not
    const double excess = std::isnan(error) ? HUGE_VAL : error - limit;
    if (worst_excess && excess <= *worst_excess) continue;
    worst_excess = excess;
    worst_output = i;
    worst.error_value = error;
    worst.tolerance = limit;
  }
  if (!worst.correct)
    worst.differences = beyond(expected[worst_output], outputs[worst_output], worst.tolerance);
  return worst;
}

}  // namespace msci
