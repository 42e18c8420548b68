#include "evaluator/strict/drawn_sizes.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

// By the task's own model of the work, in flops or bytes: a second at most on a slow processor.
constexpr double most_work = 2.5e8;
// Of sizes of the contract. The reference of a plan file may be a slow program.
constexpr unsigned drawn_count = 24;
constexpr unsigned drawn_count_of_plan = 2;

// The same size as "fuzz 1 (n 4711)".
Size labelled(Size size, std::string_view kind, unsigned number) {
  std::string parameters;
  for (const auto& [name, value] : size.parameters)
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", name, value);
  size.label = fmt::format("{} {} ({})", kind, number, parameters);
  size.is_drawn = true;
  return size;
}

// The product of all parameters but the number of steps.
double volume_of(const Task& task, const Size& size) {
  double volume = 1;
  for (const auto& [name, value] : size.parameters)
    if (name != task.stress.steps) volume *= value;
  return volume;
}

unsigned longest_side(const Task& task, const Size& size) {
  unsigned longest = 0;
  for (const auto& [name, value] : size.parameters)
    if (name != task.stress.steps) longest = std::max(longest, value);
  return longest;
}

bool is_quick(const Task& task, const Size& size) {
  return volume_of(task, size) <= task.stress.largest_volume;
}

// A declared size with all its steps, or with as many as take little time. A plan file does not say
// how much work a step is.
Size declared_run(const Task& task, Size size, KeyedRandom& random) {
  if (task.stress.steps.empty()) return size;
  const auto few = random.between(2, 3);
  const auto steps = steps_of(task, size);
  if (!steps) {
    size.parameters.emplace_back(task.stress.steps, few);
    return size;
  }
  const double share = most_work / std::max(task.work(size), 1.0);
  const double affordable = task.plan_file.empty() ? std::min(1.0, share) * *steps : few;
  for (auto& [name, value] : size.parameters)
    if (name == task.stress.steps)
      value = std::min(value, std::max(few, static_cast<unsigned>(affordable)));
  return size;
}

Size smallest_of(const Task& task, unsigned tries, KeyedRandom& random) {
  auto smallest = task.stress.random_size(random);
  for (unsigned i = 1; i < tries; ++i)
    if (auto other = task.stress.random_size(random);
        volume_of(task, other) < volume_of(task, smallest))
      smallest = std::move(other);
  return smallest;
}

}  // namespace

std::optional<unsigned> steps_of(const Task& task, const Size& size) {
  for (const auto& [name, value] : size.parameters)
    if (name == task.stress.steps) return value;
  return std::nullopt;
}

Size fuzz_size(const Task& task, std::uint64_t nonce, unsigned count) {
  KeyedRandom random(key_of(nonce, "fuzz", count));
  return labelled(task.stress.random_size(random), "fuzz", count);
}

std::vector<Size> drawn_sizes(const Task& task, std::uint64_t nonce) {
  std::vector<Size> sizes;
  KeyedRandom random(key_of(nonce, "drawn", 0));
  if (task.stress.random_size) {
    sizes.push_back(smallest_of(task, 8, random));
    const auto count = task.plan_file.empty() ? drawn_count : drawn_count_of_plan;
    while (sizes.size() < count) sizes.push_back(task.stress.random_size(random));
  }
  if (task.stress.larger_size) sizes.push_back(task.stress.larger_size(random));
  std::vector<Size> declared;
  for (const auto& size : task.sizes)
    if (is_quick(task, size)) declared.push_back(size);
  if (!declared.empty()) {
    const auto last = static_cast<unsigned>(declared.size() - 1);
    sizes.push_back(declared_run(task, declared[random.between(0, last)], random));
  }
  for (unsigned i = 0; i < sizes.size(); ++i)
    sizes[i] = labelled(std::move(sizes[i]), "drawn", i + 1);
  // Its inputs are those of timed passes.
  if (!declared.empty() && task.plan_file.empty()) sizes.back().is_drawn = false;
  if (task.held_out && is_quick(task, *task.held_out)) {
    sizes.push_back(declared_run(task, *task.held_out, random));
    sizes.back().label = "held out";  // a search shows labels to its generator
  }
  return sizes;
}

std::vector<Size> drawn_checked_sizes(const Task& task, std::uint64_t nonce) {
  constexpr unsigned tries = 32;
  if (!task.stress.random_size) return {};
  double most_cells = 0;
  for (const auto& size : task.stress.sizes)
    most_cells = std::max(most_cells, volume_of(task, size));
  KeyedRandom random(key_of(nonce, "checked", 0));
  std::vector<Size> fitting;
  for (unsigned i = 0; i < tries; ++i)
    if (auto size = task.stress.random_size(random); volume_of(task, size) <= most_cells)
      fitting.push_back(std::move(size));
  if (fitting.empty()) return {};
  auto longest = *std::ranges::max_element(
      fitting, {}, [&](const Size& size) { return longest_side(task, size); });
  return {labelled(std::move(fitting.front()), "drawn", 1),
          labelled(std::move(longest), "drawn", 2)};
}

}  // namespace msci
