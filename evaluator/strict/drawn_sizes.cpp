#include "evaluator/strict/drawn_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <bitset>
#include <iterator>
#include <limits>
#include <ranges>
#include <set>
#include <utility>

#include "evaluator/result/size_result.h"

namespace msci {
namespace {

// By the task's own model of the work, in flops or bytes: a second at most on a slow processor.
constexpr double most_work = 2.5e8;
// Declared sizes get less. Timed passes run them with all steps, and drawn sizes with few cells
// show what begins at a later step.
constexpr double most_work_of_declared = 6e7;
// How many sizes of the contract are drawn. Beyond the least, only sizes with lengths that no
// earlier one has. A plan file gets few, because its reference may be a slow program.
constexpr unsigned most_drawn = 24;
constexpr unsigned least_drawn = 16;
constexpr unsigned drawn_count_of_plan = 2;
// Of these, sizes beside numbers that the kernel holds.
constexpr unsigned most_beside_numbers = 8;

bool is_quick(const Task& task, const Size& size) {
  return volume_of(task, size) <= task.stress.largest_volume;
}

// The same size with so many steps that it takes little time, but with at least so many.
Size with_affordable_steps(const Task& task, Size size, unsigned least, double most) {
  const double share = std::min(1.0, most / std::max(task.work(size), 1.0));
  for (auto& [name, value] : size.parameters)
    if (name == task.stress.steps)
      value = std::min(value, std::max(least, static_cast<unsigned>(share * value)));
  return size;
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
  if (task.plan_file.empty())
    return with_affordable_steps(task, std::move(size), few, most_work_of_declared);
  for (auto& [name, value] : size.parameters)
    if (name == task.stress.steps) value = std::min(value, few);
  return size;
}

// The half octave that a length lies in: 1, 2, 3, 4 to 5, 6 to 7, 8 to 11, 12 to 15, ...
unsigned half_octave(unsigned length) {
  if (length < 2) return length;
  const auto octave = static_cast<unsigned>(std::bit_width(length)) - 1;
  return 2 * octave + ((length >> (octave - 1)) & 1);
}

// Many sizes of a contract, of which a verdict judges few. Sizes leave it when they are taken.
class SizePool {
 public:
  SizePool(const Task& task, KeyedRandom& random) {
    constexpr unsigned count = 2048;
    for (unsigned i = 0; i < count; ++i) {
      auto size = task.stress.random_size(random);
      const auto volume = volume_of(task, size);
      sizes_.push_back({std::move(size), volume});
    }
    covered_.resize(parameters());
  }

  // Whether a side of some size is 1. `steps` names the number of steps, which is not a side.
  bool has_side_of_one(std::string_view steps) const {
    return std::ranges::any_of(sizes_, [&](const Pooled& each) {
      return std::ranges::any_of(each.size.parameters, [&](const auto& parameter) {
        return parameter.second == 1 && parameter.first != steps;
      });
    });
  }
  Size take_smallest() { return take_smallest_of(sizes_.size()); }

  // The smallest of a few.
  Size take_small() { return take_smallest_of(std::min<std::size_t>(8, sizes_.size())); }

  // One with the most lengths in half octaves that no size taken before has; none if all have been
  // taken.
  std::optional<Size> take_uncovered() {
    std::vector<std::size_t> best;
    std::size_t most = 1;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const auto count = uncovered_in(sizes_[i].size);
      if (count < most) continue;
      if (count > most) best.clear();
      most = count;
      best.push_back(i);
    }
    return take_largest(best);
  }

  // One whose parameter of that place is close to a number: from it on, or below it. None if there
  // is none.
  std::optional<Size> take_beside(std::size_t place, unsigned number, bool below) {
    const auto length = [&](std::size_t i) { return sizes_[i].size.parameters[place].second; };
    std::vector<std::size_t> beside;
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      if ((length(i) < number) == below) beside.push_back(i);
    const auto first = beside.begin() + static_cast<std::ptrdiff_t>(std::min(few, beside.size()));
    std::ranges::partial_sort(beside, first, {}, [&](std::size_t i) {
      const auto distance = below ? number - length(i) : length(i) - number;
      return std::pair(distance, -sizes_[i].volume);
    });
    return take_largest(beside);
  }

  std::size_t parameters() const { return sizes_.front().size.parameters.size(); }
  // The largest value of a parameter.
  unsigned most_of(std::size_t place) const {
    unsigned most = 0;
    for (const auto& each : sizes_) most = std::max(most, each.size.parameters[place].second);
    return most;
  }

 private:
  static constexpr std::size_t few = 4;
  struct Pooled {
    Size size;
    double volume = 0;
  };

  // Takes the smallest size out of the last `count` ones.
  Size take_smallest_of(std::size_t count) {
    const auto last_ones = std::views::iota(sizes_.size() - count, sizes_.size());
    return take(
        *std::ranges::min_element(last_ones, {}, [&](std::size_t i) { return sizes_[i].volume; }));
  }

  // The largest of the first few: where another side is 1 or 2, a kernel may have nothing to do.
  std::optional<Size> take_largest(const std::vector<std::size_t>& places) {
    if (places.empty()) return std::nullopt;
    return take(*std::ranges::max_element(places | std::views::take(few), {},
                                          [&](std::size_t i) { return sizes_[i].volume; }));
  }

  Size take(std::size_t i) {
    std::swap(sizes_[i], sizes_.back());
    auto size = std::move(sizes_.back().size);
    sizes_.pop_back();
    for (std::size_t place = 0; place < covered_.size(); ++place)
      covered_[place].set(half_octave(size.parameters[place].second));
    return size;
  }

  std::size_t uncovered_in(const Size& size) const {
    std::size_t count = 0;
    for (std::size_t place = 0; place < covered_.size(); ++place)
      count += !covered_[place].test(half_octave(size.parameters[place].second));
    return count;
  }

  std::vector<Pooled> sizes_;
  // Of each parameter: the half octaves of the sizes that were taken.
  std::vector<std::bitset<2 * std::numeric_limits<unsigned>::digits>> covered_;
};

// Sizes on both sides of some of these numbers.
std::vector<Size> sizes_beside(const std::vector<unsigned>& numbers, SizePool& pool,
                               KeyedRandom& random) {
  struct Place {
    std::size_t parameter;
    unsigned number;
    bool below;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < pool.parameters(); ++i)
    for (const auto number : numbers)
      if (number <= pool.most_of(i))
        for (const bool below : {false, true}) places.push_back({i, number, below});
  std::vector<Size> sizes;
  while (!places.empty() && sizes.size() < most_beside_numbers) {
    const auto last = static_cast<unsigned>(places.size() - 1);
    std::swap(places[random.between(0, last)], places.back());
    const auto place = places.back();
    places.pop_back();
    if (auto size = pool.take_beside(place.parameter, place.number, place.below))
      sizes.push_back(*std::move(size));
  }
  return sizes;
}

bool has_same_sides(const Task& task, const Size& first, const Size& second) {
  return std::ranges::equal(first.parameters, second.parameters, [&](const auto& a, const auto& b) {
    return a.first == task.stress.steps || a == b;
  });
}

// Of sizes with equal sides, every other one has few steps: after many, a field may have come to
// rest where a wrong one does, too.
void vary_steps(const Task& task, std::vector<Size>& sizes, KeyedRandom& random) {
  constexpr unsigned few = 4;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto earlier = std::ranges::count_if(sizes | std::views::take(i), [&](const Size& other) {
      return has_same_sides(task, sizes[i], other);
    });
    for (auto& [name, value] : sizes[i].parameters)
      if (name == task.stress.steps && earlier % 2 == 1)
        value = std::min(value, random.between(1, few));
  }
}

// The first one is small. The smallest is always among them where it has a side of 1, since `N ==
// 1` looks like a guard, which certificates do not name.
std::vector<Size> sizes_of_contract(const Task& task, const std::vector<unsigned>& numbers,
                                    KeyedRandom& random) {
  if (!task.plan_file.empty()) {
    std::vector<Size> sizes;
    while (sizes.size() < drawn_count_of_plan) sizes.push_back(task.stress.random_size(random));
    return sizes;
  }
  SizePool pool(task, random);
  const bool takes_smallest = pool.has_side_of_one(task.stress.steps);
  std::vector<Size> sizes{pool.take_small()};
  if (takes_smallest) sizes.push_back(pool.take_smallest());
  std::ranges::move(sizes_beside(numbers, pool, random), std::back_inserter(sizes));
  while (sizes.size() < most_drawn) {
    auto size = pool.take_uncovered();
    if (!size) break;
    sizes.push_back(*std::move(size));
  }
  while (sizes.size() < least_drawn) sizes.push_back(pool.take_small());
  vary_steps(task, sizes, random);
  return sizes;
}

// The size whose parameter of that place is largest: of those that have an interior, if any has.
std::vector<Size>::const_iterator longest_along(std::size_t place, std::string_view steps,
                                                const std::vector<Size>& sizes) {
  constexpr unsigned least_with_interior = 3;
  const auto has_interior = [&](const Size& size) {
    return std::ranges::all_of(size.parameters, [&](const auto& parameter) {
      return parameter.first == steps || parameter.second >= least_with_interior;
    });
  };
  return std::ranges::max_element(sizes, {}, [&](const Size& size) {
    return std::pair(has_interior(size), size.parameters[place].second);
  });
}

}  // namespace

Size labelled(Size size, std::string_view kind, unsigned number) {
  std::string parameters;
  for (const auto& [name, value] : size.parameters)
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", name, value);
  size.label = fmt::format("{} {} ({})", kind, number, parameters);
  size.is_drawn = true;
  return size;
}

double volume_of(const Task& task, const Size& size) {
  double volume = 1;
  for (const auto& [name, value] : size.parameters)
    if (name != task.stress.steps) volume *= value;
  return volume;
}

std::optional<unsigned> value_in(const Size& size, std::string_view parameter) {
  for (const auto& [name, value] : size.parameters)
    if (name == parameter) return value;
  return std::nullopt;
}

std::optional<unsigned> steps_of(const Task& task, const Size& size) {
  return value_in(size, task.stress.steps);
}

Size fuzz_size(const Task& task, std::uint64_t nonce, unsigned count) {
  KeyedRandom random(key_of(nonce, "fuzz", count));
  return labelled(task.stress.random_size(random), "fuzz", count);
}

std::vector<Size> drawn_sizes(const Task& task, std::uint64_t nonce, const KernelNumbers& numbers) {
  std::vector<Size> sizes;
  KeyedRandom random(key_of(nonce, "drawn", 0));
  if (task.stress.random_size) sizes = sizes_of_contract(task, numbers.integers, random);
  for (auto& size : sizes) size.numbers = numbers.reals;
  if (task.plan_file.empty())
    for (auto& size : sizes) size = with_affordable_steps(task, std::move(size), 1, most_work);
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
    sizes.back().label = held_out_label;  // a search shows labels to its generator
  }
  return sizes;
}

std::optional<Size> large_size(const Task& task) {
  // The reference of a plan file may be a slow program.
  if (!task.plan_file.empty()) return std::nullopt;
  std::optional<Size> smallest;
  for (const auto& size : task.sizes)
    if (!is_quick(task, size) && (!smallest || volume_of(task, size) < volume_of(task, *smallest)))
      smallest = size;
  if (!smallest) return std::nullopt;
  for (auto& [name, value] : smallest->parameters)
    if (name == task.stress.steps) value = 1;
  smallest = labelled(*std::move(smallest), "large", 1);
  smallest->is_drawn = false;  // its inputs are those of timed passes
  return smallest;
}

std::vector<Size> sizes_to_repeat(const Task& task, const Size& size, unsigned most_steps) {
  constexpr double little_work = 2.5e7;
  const auto with_steps = [&](unsigned steps) {
    auto other = size;
    for (auto& [name, value] : other.parameters)
      if (name == task.stress.steps) value = steps;
    return other;
  };
  if (task.work(size) > little_work) return {with_steps(1)};
  std::vector<Size> sizes{with_steps(1), size, with_steps(most_steps)};
  if (task.work(sizes.back()) > little_work) sizes.back() = size;
  // With other inputs again: what few elements do may change nothing that is compared.
  const auto some_steps = std::max(most_steps / 4, 1U);
  if (task.work(with_steps(some_steps)) <= little_work / 4)
    sizes.insert(sizes.end(), {with_steps(some_steps), with_steps(some_steps)});
  return sizes;
}

std::vector<Size> drawn_checked_sizes(const Task& task, std::uint64_t nonce) {
  constexpr unsigned tries = 256;
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
  std::vector<Size> drawn;
  for (std::size_t place = 0; place < fitting.front().parameters.size(); ++place)
    if (fitting.front().parameters[place].first != task.stress.steps)
      drawn.push_back(*longest_along(place, task.stress.steps, fitting));
  if (drawn.size() == 1) drawn.push_back(fitting.front());
  for (unsigned i = 0; i < drawn.size(); ++i)
    drawn[i] = labelled(std::move(drawn[i]), "drawn", i + 1);
  return drawn;
}

}  // namespace msci
