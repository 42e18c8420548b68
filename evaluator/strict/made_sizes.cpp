#include "evaluator/strict/made_sizes.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "base/keyed_random.h"
#include "evaluator/strict/drawn_sizes.h"

namespace msci {
namespace {

using Parameter = AllowedSizes::Parameter;

constexpr unsigned draws_of_task = 256;

std::vector<Size> draws_of(const Task& task) {
  std::vector<Size> sizes;
  if (!task.stress.random_size) return sizes;
  KeyedRandom draws(key_of(0, "allowed", 0));
  for (unsigned i = 0; i < draws_of_task; ++i) sizes.push_back(task.stress.random_size(draws));
  return sizes;
}

std::vector<std::uint32_t> values_of(const std::vector<Size>& sizes, std::string_view parameter) {
  std::vector<std::uint32_t> values;
  for (const auto& size : sizes) values.push_back(value_in(size, parameter).value_or(0));
  return values;
}

Parameter parameter_with(std::string_view name, const std::vector<std::uint32_t>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  Parameter parameter{.name = std::string(name), .least = least, .most = most, .multiple = 0};
  for (const auto value : values) parameter.multiple = std::gcd(parameter.multiple, value);
  parameter.multiple = std::max(parameter.multiple, 1U);
  parameter.is_power_of_two =
      std::ranges::all_of(values, [](std::uint32_t value) { return std::has_single_bit(value); });
  return parameter;
}

// Whether the draws end with the largest value of a declared or held-out size, and so does the
// contract. It does not end with smaller draws: those of large sizes would take too long.
bool is_limited(const Task& task, const Parameter& parameter) {
  const auto value = [&](const Size& size) { return value_in(size, parameter.name).value_or(0); };
  unsigned largest = task.held_out ? value(*task.held_out) : 0;
  for (const auto& size : task.sizes) largest = std::max(largest, value(size));
  return parameter.most == largest;
}

// Whether equal values of the first always come with equal values of the second, which vary.
bool follows(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second) {
  constexpr std::size_t enough = 16;
  if (std::ranges::adjacent_find(second, std::not_equal_to<>()) == second.end()) return false;
  std::map<std::uint32_t, std::uint32_t> known;
  std::size_t repeated = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto [place, is_new] = known.emplace(first[i], second[i]);
    if (is_new) continue;
    if (place->second != second[i]) return false;
    ++repeated;
  }
  return repeated >= enough;
}

// Whether the parameter of that place follows from another one. Of two that follow from each other,
// only the later one does.
bool is_dependent(std::size_t place, const std::vector<std::vector<std::uint32_t>>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i != place && follows(values[i], values[place]) &&
        (i < place || !follows(values[place], values[i])))
      return true;
  return false;
}

}  // namespace

AllowedSizes allowed_sizes(const Task& task) {
  const auto sizes = draws_of(task);
  AllowedSizes allowed;
  if (sizes.empty()) return allowed;
  std::vector<std::vector<std::uint32_t>> values;
  for (const auto& [name, value] : sizes.front().parameters)
    values.push_back(values_of(sizes, name));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_dependent(i, values)) {
      allowed.has_dependent = true;
      continue;
    }
    const auto name = sizes.front().parameters[i].first;
    allowed.parameters.push_back(parameter_with(name, values[i]));
    auto& parameter = allowed.parameters.back();
    parameter.counts_steps = name == task.stress.steps;
    parameter.is_limited = !parameter.counts_steps && is_limited(task, parameter);
  }
  for (const auto& size : sizes)
    allowed.most_volume =
        std::max(allowed.most_volume, static_cast<std::uint64_t>(volume_of(task, size)));
  return allowed;
}

std::vector<std::uint32_t> values_in(const AllowedSizes& allowed, const Size& size) {
  std::vector<std::uint32_t> values;
  for (const auto& parameter : allowed.parameters) {
    const auto value = value_in(size, parameter.name);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

std::optional<Size> made_size(const Task& task, const Translation& translation,
                              const AllowedSizes& allowed, const std::vector<std::uint32_t>& values,
                              std::size_t number) {
  KeyedRandom draws(key_of(0, "allowed", 0));
  auto size = task.stress.random_size(draws);
  std::vector<std::string_view> chosen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    chosen.push_back(allowed.parameters[i].name);
    for (auto& [name, value] : size.parameters)
      if (name == chosen.back()) value = values[i];
  }
  if (allowed.has_dependent && !(task.stress.complete && task.stress.complete(size, chosen, draws)))
    return std::nullopt;
  size = labelled(std::move(size), "made", static_cast<unsigned>(number));
  if (!task.stress.plan(size, translation, key_of(0, size.label, 0))) return std::nullopt;
  return size;
}

}  // namespace msci
