#include "analysis/coverage/launch_numbers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>

namespace msci {
namespace {

// Arguments with more bytes are data.
constexpr std::size_t most_bytes = 64;

using Values = std::map<LaunchNumber, std::uint32_t>;

void add_extent(LaunchNumber::Kind kind, const Extent& extent, Values& values) {
  const std::array sides{extent.x, extent.y, extent.z};
  for (unsigned d = 0; d < sides.size(); ++d) values[{kind, d, 0}] = sides[d];
}

// The words of a small buffer that the launch binds to the argument, unless a launch writes it; of
// a long one, the number where the launch begins, as that of a step.
void add_argument(const Plan& plan, const Launch& launch, const KernelSignature& kernel,
                  unsigned number, Values& values) {
  const auto& argument = kernel.arguments[number];
  if (argument.kind != ArgumentKind::buffer || !argument.constant) return;
  const auto bound = std::ranges::find_if(launch.bindings, [&](const Binding& binding) {
    return binding.kind == argument.kind && binding.index == argument.index;
  });
  if (bound == launch.bindings.end()) return;
  const auto& buffer = plan.buffers[bound->buffer];
  if (buffer.poison || buffer.initial.size() < bound->offset) return;
  const bool is_number = argument.type == "uint" || argument.type == "int";
  if (buffer.bytes > most_bytes && !is_number) return;
  const auto end = buffer.bytes > most_bytes ? bound->offset + 4 : buffer.initial.size();
  for (auto at = bound->offset; at + 4 <= std::min(end, buffer.initial.size()); at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, buffer.initial.data() + at, sizeof word);
    values[{LaunchNumber::Kind::argument, number, at - bound->offset}] = word;
  }
}

}  // namespace

double volume_of(const AllowedSizes& sizes, const std::vector<std::uint32_t>& values) {
  double volume = 1;
  for (std::size_t i = 0; i < values.size() && i < sizes.parameters.size(); ++i)
    if (!sizes.parameters[i].counts_steps) volume *= values[i];
  return volume;
}

double elements_of(const AllowedSizes& sizes, const std::vector<std::uint32_t>& values) {
  double elements = volume_of(sizes, values);
  for (std::size_t i = 0; i < values.size() && i < sizes.parameters.size(); ++i)
    if (sizes.parameters[i].counts_steps) elements *= values[i];
  return elements;
}

void LaunchNumbers::add(const Plan& plan, const Translation& translation,
                        const std::vector<std::uint32_t>& size) {
  for (const auto& launch : plan.launches) {
    const auto* kernel = translation.find(launch.kernel);
    if (!kernel) continue;
    Values values;
    add_extent(LaunchNumber::Kind::grid, launch.grid, values);
    add_extent(LaunchNumber::Kind::threadgroup, launch.threadgroup, values);
    for (unsigned i = 0; i < kernel->arguments.size(); ++i)
      add_argument(plan, launch, *kernel, i, values);
    for (unsigned i = 0; i < size.size(); ++i) values[{LaunchNumber::Kind::size, i, 0}] = size[i];
    auto& of_kernel = kernels_[kernel->symbol];
    if (of_kernel.launches++ == 0)
      for (const auto& [number, value] : values) of_kernel.values[number] = {};
    std::erase_if(of_kernel.values, [&](const auto& each) { return !values.contains(each.first); });
    for (auto& [number, all] : of_kernel.values) all.push_back(values[number]);
  }
}

// What the numbers divide by; 1 for few different numbers, which may do so by chance.
std::uint32_t LaunchNumbers::divisor_of(const Numbers& values) {
  constexpr std::size_t enough = 8;
  std::uint32_t divisor = 0;
  for (const auto value : values) divisor = std::gcd(divisor, value);
  return std::set(values.begin(), values.end()).size() < enough ? 1 : std::max(divisor, 1U);
}

// Where the launches that share a limit have numbers from 0 to just below a multiple of it, as
// steps have: which multiple. 0 for others.
std::uint32_t LaunchNumbers::counts_to(const Numbers& limits, const Numbers& values) {
  std::map<std::uint32_t, std::uint32_t> largest;
  for (std::size_t i = 0; i < values.size(); ++i)
    largest[limits[i]] = std::max(largest[limits[i]], values[i]);
  const auto [limit, most] = *largest.begin();
  const auto times = limit == 0 ? 0 : (most + 1) / limit;
  const bool holds = std::ranges::all_of(
      largest, [&](const auto& each) { return each.second + 1 == times * each.first; });
  return holds ? times : 0;
}

bool LaunchNumbers::covers(const Numbers& values, const Numbers& sides, std::uint32_t multiple) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < sides[i] || values[i] - sides[i] >= multiple) return false;
  return true;
}

// Two or three numbers of a kind whose product is the number in each launch; empty if there are
// none.
std::vector<LaunchNumber> LaunchNumbers::factors_of(const std::map<LaunchNumber, Numbers>& numbers,
                                                    LaunchNumber::Kind kind,
                                                    const Numbers& products) {
  std::vector<const std::pair<const LaunchNumber, Numbers>*> varying;
  for (const auto& each : numbers)
    if (each.first.kind == kind &&
        std::ranges::adjacent_find(each.second, std::not_equal_to<>()) != each.second.end())
      varying.push_back(&each);
  const auto holds = [&](std::initializer_list<const Numbers*> factors) {
    for (std::size_t i = 0; i < products.size(); ++i) {
      std::uint64_t product = 1;
      for (const auto* factor : factors) product *= (*factor)[i];
      if (product != products[i]) return false;
    }
    return true;
  };
  for (std::size_t a = 0; a < varying.size(); ++a)
    for (std::size_t b = a; b < varying.size(); ++b) {
      if (holds({&varying[a]->second, &varying[b]->second}))
        return {varying[a]->first, varying[b]->first};
      for (std::size_t c = b; c < varying.size(); ++c)
        if (holds({&varying[a]->second, &varying[b]->second, &varying[c]->second}))
          return {varying[a]->first, varying[b]->first, varying[c]->first};
    }
  return {};
}

std::map<LaunchNumber, LaunchNumbers::Numbers> LaunchNumbers::launches_of(
    const std::string& symbol) const {
  const auto known = kernels_.find(symbol);
  return known == kernels_.end() ? std::map<LaunchNumber, Numbers>{} : known->second.values;
}

std::vector<LaunchFact> LaunchNumbers::facts_of(const std::string& symbol) const {
  const auto known = kernels_.find(symbol);
  if (known == kernels_.end()) return {};
  std::vector<LaunchFact> facts;
  const auto& numbers = known->second.values;
  for (auto each = numbers.begin(); each != numbers.end(); ++each) {
    const auto& [number, values] = *each;
    const auto [least, most] = std::ranges::minmax(values);
    LaunchFact fact{.number = number, .multiple = divisor_of(values), .least = least, .most = most};
    const auto same = std::find_if(numbers.begin(), each,
                                   [&](const auto& other) { return other.second == values; });
    if (least == most)
      fact.constant = least;
    else if (same != each)
      fact.same_as = same->first;
    else if (number.kind == LaunchNumber::Kind::grid)
      fact.product_of = factors_of(numbers, LaunchNumber::Kind::argument, values);
    if (least != most && number.kind != LaunchNumber::Kind::size)
      fact.of_sizes = factors_of(numbers, LaunchNumber::Kind::size, values);
    if (fact.multiple > 1 && number.kind == LaunchNumber::Kind::grid)
      for (const auto& [other, sides] : numbers)
        if (other.kind == LaunchNumber::Kind::size && covers(values, sides, fact.multiple))
          fact.covers = other;
    if (least == 0 && number.kind == LaunchNumber::Kind::argument)
      for (const auto& [other, limits] : numbers)
        if (other.kind == LaunchNumber::Kind::size)
          if (const auto times = counts_to(limits, values); times > 0) {
            fact.below = other;
            fact.times = times;
          }
    facts.push_back(fact);
  }
  return facts;
}

}  // namespace msci
