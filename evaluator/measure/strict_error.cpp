#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "evaluator/measure/timed_passes.h"
#include "tasks/plan/elements.h"

namespace msci {
namespace {

std::vector<double> values_of(const Bytes& bytes, const Expected& expected) {
  std::vector<double> values;
  switch (expected.element) {
    case Expected::Element::real:
      values.assign(bytes.as<float>().begin(), bytes.as<float>().end());
      break;
    case Expected::Element::point:
      for (std::size_t i = 0; const float value : bytes.as<float>())
        if (i++ % 4 != 3) values.push_back(value);
      break;
    case Expected::Element::spin:
      values.assign(bytes.as<signed char>().begin(), bytes.as<signed char>().end());
      break;
    case Expected::Element::count:
      values.assign(bytes.as<std::uint32_t>().begin(), bytes.as<std::uint32_t>().end());
      break;
    case Expected::Element::typed:
      if (expected.numbers) return expected.numbers(bytes);
      for (std::size_t i = 0; i < expected.values.size(); ++i)
        values.push_back(get_element(expected.type, bytes, i));
      break;
    case Expected::Element::exact:
      break;  // share_of_different() compares the bytes
  }
  return values;
}

// What people are shown of a result; empty if it is compared bit by bit and has no numbers.
std::vector<double> numbers_of(const Bytes& bytes, const Expected& expected) {
  return expected.numbers ? expected.numbers(bytes) : values_of(bytes, expected);
}

double share_of_unequal(const std::vector<double>& got, const std::vector<double>& expected) {
  assert(got.size() == expected.size() && "plan and reference agree on the layout");
  std::size_t different = 0;
  for (std::size_t i = 0; i < got.size(); ++i) different += !(got[i] == expected[i]);
  return got.empty() ? 0 : static_cast<double>(different) / static_cast<double>(got.size());
}

// The share of elements that differ in any bit, or whose numbers are not equal.
double share_of_different(const Expected& expected, const Bytes& got) {
  if (expected.numbers) return share_of_unequal(expected.numbers(got), expected.values);
  assert(got.size() == expected.contents.size() && "the plan says how long it is");
  const auto bytes = *element_bytes(expected.type);
  const auto count = got.size() / bytes;
  std::size_t different = 0;
  for (std::size_t i = 0; i < count; ++i)
    different +=
        std::memcmp(got.data() + i * bytes, expected.contents.data() + i * bytes, bytes) != 0;
  return count > 0 ? static_cast<double>(different) / static_cast<double>(count) : 0;
}

// The largest expected magnitude; 1 if that is 0.
double scale_of(const Expected& expected) {
  double scale = 0;
  for (const double value : expected.values)
    if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
  return scale > 0 ? scale : 1;
}

// How far element i is off; 0 where it is not compared, or rounding explains it.
double difference_at(const Expected& expected, std::size_t i, double got) {
  if (!expected.undecided.empty() && expected.undecided[i]) return 0;
  const double difference = distance(got, expected.values[i]);
  const auto& rounding = expected.rounding;
  return !rounding.empty() && difference <= rounding[i % rounding.size()] ? 0 : difference;
}

// The largest distance of plain floats, all of which are compared. NaN if one is.
double largest_distance(std::span<const float> got, const std::vector<double>& expected) {
  assert(got.size() == expected.size() && "plan and reference agree on the layout");
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double number = got[i];
    const double difference = number == expected[i] ? 0 : std::abs(number - expected[i]);
    if (difference <= worst) continue;
    worst = difference;
    if (std::isnan(worst)) break;
  }
  return worst;
}

double error_of(const Expected& expected, const Bytes& bytes) {
  if (expected.element == Expected::Element::exact) return share_of_different(expected, bytes);
  if (expected.element == Expected::Element::real && expected.undecided.empty() &&
      expected.rounding.empty())
    return largest_distance(bytes.as<float>(), expected.values) / scale_of(expected);
  const auto got = values_of(bytes, expected);
  assert(got.size() == expected.values.size() && "plan and reference agree on the layout");
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference = difference_at(expected, i, got[i]);
    if (std::isnan(difference)) return difference;
    worst = std::max(worst, difference);
  }
  return worst / scale_of(expected);
}

// "posA[7].y"
std::string place_of(const Expected& expected, const std::string& name, std::size_t i) {
  if (expected.place) return name + expected.place(i);
  if (expected.element == Expected::Element::point)
    return fmt::format("{}[{}].{}", name, i / 3, "xyz"[i % 3]);
  return fmt::format("{}[{}]", name, i);
}

// Of a result that is compared bit by bit.
Differences exact_differences(const Expected& expected, const std::string& name,
                              const Bytes& bytes) {
  const auto size = *element_bytes(expected.type);
  const auto &got = bytes, &wanted = expected.contents;
  return find_differences(
      got.size() / size, [&](std::size_t i) { return get_element(expected.type, got, i); },
      [&](std::size_t i) { return get_element(expected.type, wanted, i); },
      [&](std::size_t i, double, double) {
        return std::memcmp(got.data() + i * size, wanted.data() + i * size, size) != 0;
      },
      [&](std::size_t i) {
        return difference_text(place_of(expected, name, i), element_text(expected.type, got, i),
                               element_text(expected.type, wanted, i));
      });
}

Differences differences_of(const Expected& expected, const std::string& name, const Bytes& bytes,
                           double tolerance) {
  if (expected.element == Expected::Element::exact && !expected.numbers)
    return exact_differences(expected, name, bytes);
  const auto got = numbers_of(bytes, expected);
  const double limit = tolerance * scale_of(expected);
  return find_differences(
      got.size(), [&](std::size_t i) { return got[i]; },
      [&](std::size_t i) { return expected.values[i]; },
      [&](std::size_t i, double number, double right) {
        return expected.element == Expected::Element::exact
                   ? !(number == right)
                   : !(difference_at(expected, i, number) <= limit);
      },
      [&](std::size_t i) {
        return difference_text(place_of(expected, name, i), float_text(got[i]),
                               float_text(expected.values[i]));
      });
}

// The errors of the elements of a result. An element that is compared bit by bit is right or wrong.
std::vector<double> errors_of(const Expected& expected, const Bytes& bytes, double tolerance) {
  const bool is_exact = expected.element == Expected::Element::exact;
  std::vector<double> got = numbers_of(bytes, expected), right = expected.values;
  if (is_exact && !expected.numbers) {
    for (std::size_t i = 0; i < bytes.size() / *element_bytes(expected.type); ++i) {
      got.push_back(get_element(expected.type, bytes, i));
      right.push_back(get_element(expected.type, expected.contents, i));
    }
  }
  const double limit = tolerance * scale_of(expected);
  std::vector<double> errors;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference =
        is_exact ? distance(got[i], right[i]) : difference_at(expected, i, got[i]);
    const double largest = std::numeric_limits<double>::infinity();
    errors.push_back(difference == 0 ? 0 : is_exact || !(limit > 0) ? largest : difference / limit);
  }
  return errors;
}

std::vector<std::string> first_wrong(const Expected& expected, const std::string& name,
                                     const Bytes& bytes, const std::vector<double>& errors) {
  constexpr std::size_t most = 8;
  std::vector<std::string> texts;
  const auto got = numbers_of(bytes, expected);
  for (std::size_t i = 0; i < errors.size() && texts.size() < most; ++i) {
    if (errors[i] <= 1) continue;
    const bool is_number = i < got.size();  // not of a result that is compared bit by bit
    texts.push_back(
        difference_text(place_of(expected, name, i),
                        is_number ? float_text(got[i]) : element_text(expected.type, bytes, i),
                        is_number ? float_text(expected.values[i])
                                  : element_text(expected.type, expected.contents, i)));
  }
  return texts;
}

// The place of the first result whose error is beyond the tolerance or NaN.
std::optional<std::size_t> first_beyond(const std::vector<Expected>& expected, const Outputs& got,
                                        double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(error_of(expected[i], got[i]) <= tolerance)) return i;
  return std::nullopt;
}

}  // namespace

double strict_error(const std::vector<Expected>& expected, const Outputs& got) {
  assert(got.size() == expected.size() && "plan and reference agree on the results");
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = error_of(expected[i], got[i]);
    if (std::isnan(error)) return error;
    worst = std::max(worst, error);
  }
  return worst;
}

std::optional<Differences> strict_differences(const Plan& plan,
                                              const std::vector<Expected>& expected,
                                              const Outputs& got, double tolerance) {
  const auto i = first_beyond(expected, got, tolerance);
  if (!i) return std::nullopt;
  return differences_of(expected[*i], plan.buffers[plan.results[*i]].name, got[*i], tolerance);
}

std::optional<WrongElements> wrong_elements(const Plan& plan, const std::vector<Expected>& expected,
                                            const Outputs& got, double tolerance) {
  const auto i = first_beyond(expected, got, tolerance);
  if (!i) return std::nullopt;
  auto errors = errors_of(expected[*i], got[*i], tolerance);
  auto first = first_wrong(expected[*i], plan.buffers[plan.results[*i]].name, got[*i], errors);
  return WrongElements{*i, std::move(errors), std::move(first)};
}

Result<double> stress_error(const Task& task, const Size& size, Key key,
                            const Result<std::vector<Expected>>& expected, const Outputs& got) {
  if (!expected) return expected.error();
  // A task may leave all results to its check.
  const double error = expected->empty() && task.stress.check ? 0 : strict_error(*expected, got);
  if (std::isnan(error) || !task.stress.check) return error;
  const auto further = task.stress.check(size, key, got);
  if (!further) return further.error();
  return std::max(error, *further);
}

StressReference start_reference(const Task& task, const Size& size, Key key) {
  return std::async(std::launch::async, task.stress.reference, size, key).share();
}

}  // namespace msci
