#include "prover/all_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <variant>

namespace msci::prover {
namespace {

// A size, and the launches there.
struct SizeSample {
  std::vector<std::int64_t> parameters;  // without the number of steps
  std::vector<LaunchFacts> launches;
};

using Numbers = std::vector<std::int64_t>;  // by sample

// Products of powers of the sizes of at most the third degree, the simplest first.
std::vector<std::vector<unsigned>> all_powers(std::size_t sizes) {
  constexpr unsigned most_degree = 3;
  std::vector<std::vector<unsigned>> all;
  std::vector<unsigned> powers(sizes);
  const std::function<void(std::size_t, unsigned)> add = [&](std::size_t i, unsigned left) {
    if (i == sizes) {
      if (left == 0) all.push_back(powers);
      return;
    }
    for (unsigned power = 0; power <= left; ++power) {
      powers[i] = power;
      add(i + 1, left - power);
    }
    powers[i] = 0;
  };
  for (unsigned degree = 1; degree <= most_degree; ++degree) add(0, degree);
  return all;
}

class Fitter {
 public:
  Fitter(const std::vector<SizeSample>& samples, const std::vector<SizeRange>& ranges)
      : samples_(samples), ranges_(ranges) {}

  // A form that all numbers have, perhaps rounded up to a multiple of `unit`; nothing without one.
  std::optional<SizeForm> fit(const Numbers& numbers, std::int64_t unit = 1) const {
    for (const auto& powers : all_powers(ranges_.size()))
      if (auto form = fit(numbers, powers)) return form;
    for (const auto& powers : all_powers(ranges_.size()))
      if (unit > 1 && are_rounded(numbers, powers, unit)) return SizeForm{1, 0, powers, unit};
    return std::nullopt;
  }

 private:
  std::int64_t product(std::size_t sample, const std::vector<unsigned>& powers) const {
    std::int64_t value = 1;
    for (std::size_t i = 0; i < powers.size(); ++i)
      for (unsigned power = 0; power < powers[i]; ++power)
        value *= samples_[sample].parameters[i];
    return value;
  }

  bool are_rounded(const Numbers& numbers, const Powers& powers, std::int64_t unit) const {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if ((product(i, powers) + unit - 1) / unit * unit != numbers[i]) return false;
    return true;
  }

  std::optional<SizeForm> fit(const Numbers& numbers, const Powers& powers) const {
    const auto first = product(0, powers);
    std::size_t other = 0;
    while (other < numbers.size() && product(other, powers) == first) ++other;
    if (other == numbers.size()) return std::nullopt;
    const auto step = product(other, powers) - first, rise = numbers[other] - numbers[0];
    if (rise % step != 0 || rise / step <= 0) return std::nullopt;
    const SizeForm form{rise / step, numbers[0] - rise / step * first, powers, 1};
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (form.factor * product(i, powers) + form.rest != numbers[i]) return std::nullopt;
    return form;
  }

  const std::vector<SizeSample>& samples_;
  const std::vector<SizeRange>& ranges_;
};

bool are_equal(const Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [&](auto each) { return each == numbers[0]; });
}

// One launch at all sizes.
class Joiner {
 public:
  Joiner(const std::vector<SizeSample>& samples, const std::vector<SizeRange>& ranges,
         std::size_t launch)
      : samples_(samples), ranges_(ranges), launch_(launch), fitter_(samples, ranges) {}

  std::variant<LaunchFacts, std::string> join() {
    auto facts = at(0);
    forms_ = {.sizes = ranges_};
    forms_.bytes.resize(facts.arguments.size());
    forms_.numbers.resize(facts.arguments.size());
    if (auto reason = join_grids(facts); !reason.empty()) return reason;
    for (std::size_t i = 0; i < facts.arguments.size(); ++i)
      if (auto reason = join_memory(facts, i); !reason.empty()) return reason;
    facts.forms = forms_;
    return facts;
  }

 private:
  const LaunchFacts& at(std::size_t sample) const { return samples_[sample].launches[launch_]; }

  template <typename Read>
  Numbers numbers(const Read& read) const {
    Numbers all;
    for (std::size_t i = 0; i < samples_.size(); ++i)
      all.push_back(static_cast<std::int64_t>(read(at(i))));
    return all;
  }

  std::string join_grids(LaunchFacts& facts) {
    for (unsigned d = 0; d < 3; ++d) {
      auto& side = d == 0 ? facts.grid.x : d == 1 ? facts.grid.y : facts.grid.z;
      const auto all = numbers([&](const LaunchFacts& each) {
        return d == 0 ? each.grid.x : d == 1 ? each.grid.y : each.grid.z;
      });
      if (are_equal(all)) continue;
      forms_.grid[d] = fitter_.fit(all, d == 0   ? facts.threadgroup.x
                                        : d == 1 ? facts.threadgroup.y
                                                 : facts.threadgroup.z);
      if (!forms_.grid[d])
        return fmt::format("the grid of `{}` is no product of sizes", facts.kernel);
      side = static_cast<unsigned>(most_of(*forms_.grid[d], ranges_));
    }
    return "";
  }

  std::string join_memory(LaunchFacts& facts, std::size_t i) {
    auto& memory = facts.arguments[i];
    for (std::size_t sample = 0; sample < samples_.size(); ++sample) {
      const auto& other = at(sample).arguments[i];
      if (other.memory != memory.memory || other.offset != memory.offset || other.unit != memory.unit)
        return fmt::format("the bindings of `{}` depend on the size", facts.kernel);
    }
    const auto bytes = numbers([&](const LaunchFacts& each) { return each.arguments[i].bytes; });
    if (!are_equal(bytes)) {
      forms_.bytes[i] = fitter_.fit(bytes);
      if (!forms_.bytes[i])
        return fmt::format("the length of a buffer of `{}` is no product of sizes", facts.kernel);
      memory.bytes = static_cast<std::size_t>(most_of(*forms_.bytes[i], ranges_));
    }
    join_contents(memory, i);
    return "";
  }

  // Contents that are neither the same nor a form are any data.
  void join_contents(BoundMemory& memory, std::size_t i) {
    const auto first = memory.contents;
    bool are_same = true, are_numbers = true;
    for (std::size_t sample = 0; sample < samples_.size(); ++sample) {
      const auto& contents = at(sample).arguments[i].contents;
      are_same = are_same && contents == first;
      are_numbers = are_numbers && contents.size() == 1 && contents[0].size() == sizeof(std::uint32_t);
    }
    if (are_same) return;
    memory.contents.clear();
    if (!are_numbers) return;
    forms_.numbers[i] = fitter_.fit(numbers([&](const LaunchFacts& each) {
      std::uint32_t number = 0;
      std::memcpy(&number, each.arguments[i].contents[0].data(), sizeof number);
      return number;
    }));
    // Of 31 bits, so that signed and unsigned numbers are the same.
    if (forms_.numbers[i] && (most_of(*forms_.numbers[i], ranges_) >= std::int64_t{1} << 31 ||
                              least_of(*forms_.numbers[i], ranges_) < 0))
      forms_.numbers[i].reset();
  }

  const std::vector<SizeSample>& samples_;
  const std::vector<SizeRange>& ranges_;
  const std::size_t launch_;
  Fitter fitter_;
  SizeForms forms_;
};

// Why the launches of the samples are not the same ones; empty if they are.
std::string difference_of(const std::vector<SizeSample>& samples) {
  const auto& first = samples.front().launches;
  for (const auto& sample : samples) {
    if (sample.launches.size() != first.size()) return "the number of launches depends on the size";
    for (std::size_t i = 0; i < first.size(); ++i) {
      const auto& launch = sample.launches[i];
      if (launch.kernel != first[i].kernel) return "the order of launches depends on the size";
      if (!(launch.threadgroup == first[i].threadgroup))
        return fmt::format("the threadgroup of `{}` depends on the size", launch.kernel);
    }
  }
  return "";
}

std::vector<std::int64_t> parameters_of(const Size& size, std::string_view steps) {
  std::vector<std::int64_t> all;
  for (const auto& [name, value] : size.parameters)
    if (name != steps) all.push_back(value);
  return all;
}

// From the least that is drawn up to the power of two behind the most.
std::vector<SizeRange> ranges_of(const std::vector<Size>& drawn, std::string_view steps) {
  std::vector<SizeRange> ranges;
  for (const auto& [name, value] : drawn.front().parameters)
    if (name != steps) ranges.push_back({std::string(name), value, value, 0});
  for (const auto& size : drawn) {
    const auto parameters = parameters_of(size, steps);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      ranges[i].least = std::min(ranges[i].least, parameters[i]);
      ranges[i].most = std::max(ranges[i].most, parameters[i]);
      ranges[i].multiple = std::gcd(ranges[i].multiple, parameters[i]);
    }
  }
  for (auto& range : ranges)
    range.most = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(range.most)));
  return ranges;
}

// Whether one of the parameters is a power of two in all sizes.
bool has_powers_only(const std::vector<Size>& drawn, std::string_view steps) {
  for (std::size_t i = 0; i < parameters_of(drawn.front(), steps).size(); ++i)
    if (std::all_of(drawn.begin(), drawn.end(), [&](const Size& size) {
          return std::has_single_bit(static_cast<std::uint64_t>(parameters_of(size, steps)[i]));
        }))
      return true;
  return false;
}

// The samples with the launches that most of them have.
std::vector<SizeSample> alike(std::vector<SizeSample> samples) {
  std::map<std::string, std::vector<SizeSample>> by_launches;
  for (auto& sample : samples) {
    std::string key;
    for (const auto& launch : sample.launches)
      key += fmt::format("{} {} {} {};", launch.kernel, launch.threadgroup.x, launch.threadgroup.y,
                         launch.threadgroup.z);
    by_launches[key].push_back(std::move(sample));
  }
  return std::max_element(by_launches.begin(), by_launches.end(),
                          [](const auto& a, const auto& b) {
                            return a.second.size() < b.second.size();
                          })
      ->second;
}

}  // namespace

std::string to_string(const std::vector<SizeRange>& sizes) {
  std::string text;
  for (const auto& [name, least, most, multiple] : sizes) {
    text += fmt::format("{}{} from {} to {}", text.empty() ? "" : ", ", name, least, most);
    if (multiple > 1) text += fmt::format(" in steps of {}", multiple);
  }
  return text;
}

Result<AllSizes> launches_at_all_sizes(const Task& task, const Translation& checked) {
  if (!task.stress.random_size) return AllSizes{.reason = "the task has no contract of sizes"};
  constexpr unsigned draws = 500, most_samples = 24, least_samples = 12;
  KeyedRandom random(Key{1, 2});
  std::vector<Size> drawn;
  for (unsigned i = 0; i < draws; ++i) drawn.push_back(task.stress.random_size(random));
  const auto steps = task.stress.steps;
  AllSizes all{.sizes = ranges_of(drawn, steps)};
  if (has_powers_only(drawn, steps)) {
    all.reason = "a size is a power of two, which is no range of numbers";
    return all;
  }
  // Launches that differ in scalars are apart where each size has the same number of them.
  std::vector<SizeSample> apart, together;
  for (unsigned i = 0; i < most_samples; ++i) {
    const auto plan = task.plan(drawn[i], checked);
    if (!plan) return plan.error();
    apart.push_back({parameters_of(drawn[i], steps), facts_of(*plan, checked)});
    together.push_back({parameters_of(drawn[i], steps), facts_of(*plan, checked, 0)});
  }
  auto samples = alike(std::move(apart));
  if (samples.size() < most_samples) samples = alike(std::move(together));
  all.reason = samples.size() < least_samples ? "the threadgroups depend on the size"
                                              : difference_of(samples);
  if (!all.reason.empty()) return all;
  for (std::size_t i = 0; i < samples.front().launches.size(); ++i) {
    auto joined = Joiner(samples, all.sizes, i).join();
    if (auto* reason = std::get_if<std::string>(&joined)) {
      all.reason = *std::move(reason);
      return all;
    }
    all.launches.push_back(std::get<LaunchFacts>(std::move(joined)));
  }
  return all;
}

}  // namespace msci::prover
