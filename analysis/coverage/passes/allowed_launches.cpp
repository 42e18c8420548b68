#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "analysis/coverage/passes/launch_values.h"
#include "base/keyed_random.h"

namespace msci {
namespace {

using Kind = LaunchNumber::Kind;
using Numbers = std::vector<std::uint32_t>;
using Parameter = AllowedSizes::Parameter;

KeyedRandom draws_for(std::string_view purpose, std::uint64_t seed) {
  return KeyedRandom(key_of(seed, purpose, 0));
}

// A number below `limit`: mostly any, often beside a number of the kernel's own or at an end.
std::uint32_t position_below(std::uint32_t limit, const Numbers& own_numbers, KeyedRandom& draws) {
  if (limit <= 1) return 0;
  const auto choice = draws.between(0, 7);
  if (choice == 0) return limit - 1;
  if (choice <= 2 && !own_numbers.empty()) {
    const auto own =
        own_numbers[draws.between(0, static_cast<std::uint32_t>(own_numbers.size() - 1))];
    const auto beside = own + draws.between(0, 2) - 1;
    if (beside < limit) return beside;
  }
  return draws.between(0, limit - 1);
}

void add_threads(const Numbers& own_numbers, std::uint64_t seed, LaunchTable& table) {
  auto draws = draws_for("threads", seed);
  for (unsigned axis = 0; axis < table.threads.size(); ++axis) {
    const auto grid = table.numbers.find({Kind::grid, axis, 0});
    if (grid == table.numbers.end()) continue;
    for (const auto side : grid->second)
      table.threads.at(axis).push_back(position_below(side, own_numbers, draws));
  }
}

std::uint32_t rounded(const Parameter& parameter, double value) {
  auto whole = static_cast<std::uint32_t>(
      std::clamp<double>(value, parameter.least, std::max(parameter.least, parameter.most)));
  if (parameter.is_power_of_two) whole = std::bit_floor(std::max(whole, 1U));
  if (parameter.multiple > 1) whole = whole / parameter.multiple * parameter.multiple;
  return std::max(whole, parameter.least);
}

// A size whose sides have at most that product, each side log-uniform.
SizeValues draw_size(const AllowedSizes& sizes, double most_volume, KeyedRandom& draws) {
  SizeValues values(sizes.parameters.size());
  double room = most_volume;
  const auto first = draws.between(0, static_cast<std::uint32_t>(values.size() - 1));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto place = (first + i) % values.size();
    const auto& parameter = sizes.parameters[place];
    const double share = draws.between(0, 1 << 16) / 65536.0;
    const double least = std::max(parameter.least, 1U);
    const auto most = std::clamp(parameter.counts_steps ? parameter.most : room, least,
                                 std::max<double>(parameter.most, least));
    values[place] = rounded(parameter, std::floor(least * std::pow((most + 1) / least, share)));
    if (!parameter.counts_steps) room /= std::max(values[place], 1U);
  }
  return values;
}

// The only parameter that is a side; none if there are others.
std::optional<std::size_t> only_side(const AllowedSizes& sizes) {
  std::optional<std::size_t> side;
  for (std::size_t i = 0; i < sizes.parameters.size(); ++i) {
    if (sizes.parameters[i].counts_steps) continue;
    if (side) return std::nullopt;
    side = i;
  }
  return side;
}

// The sizes in which a side is one of these numbers, or beside it.
void add_sizes_beside(const Numbers& own_numbers, const AllowedSizes& sizes, KeyedRandom& draws,
                      std::vector<SizeValues>& all) {
  constexpr double small_volume = 1 << 16;
  constexpr unsigned sizes_beside = 4;  // where other sides are short, a kernel may do nothing
  for (std::size_t place = 0; place < sizes.parameters.size(); ++place)
    for (const auto number : own_numbers)
      for (const auto value : {number - 1, number, number + 1}) {
        const auto& parameter = sizes.parameters[place];
        if (value < parameter.least || value > parameter.most) continue;
        for (unsigned i = 0; i < sizes_beside; ++i) {
          auto size = draw_size(sizes, small_volume / value + 1, draws);
          size[place] = rounded(parameter, value);
          all.push_back(std::move(size));
        }
      }
}

// Whether a side is so short that a kernel may have nothing to do, where others are allowed.
bool is_thin(std::uint32_t value, const Parameter& parameter) {
  constexpr std::uint32_t least_with_interior = 3;
  return !parameter.counts_steps && value < std::min(least_with_interior, parameter.most);
}

// Those of sizes that are not thin, or all if there are no others.
std::vector<std::size_t> launches_to_look_at(const std::map<LaunchNumber, Numbers>& launches,
                                             const AllowedSizes& sizes) {
  std::vector<std::size_t> all, chosen;
  for (std::size_t i = 0; i < launches.begin()->second.size(); ++i) {
    all.push_back(i);
    bool is_any_thin = false;
    for (unsigned place = 0; place < sizes.parameters.size(); ++place)
      if (const auto known = launches.find({Kind::size, place, 0}); known != launches.end())
        is_any_thin = is_any_thin || is_thin(known->second[i], sizes.parameters[place]);
    if (!is_any_thin) chosen.push_back(i);
  }
  return chosen.empty() ? all : chosen;
}

// At most that many: one of each size, as far as this is possible, and others evenly.
std::vector<std::size_t> sampled(const std::vector<std::size_t>& all,
                                 const std::map<LaunchNumber, Numbers>& launches,
                                 std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<std::size_t> chosen, others;
  std::set<SizeValues> known;
  for (const auto launch : all) {
    const bool is_new = chosen.size() < most && known.insert(size_of(launches, launch)).second;
    (is_new ? chosen : others).push_back(launch);
  }
  const auto rest = most - chosen.size();
  for (std::size_t i = 0; i < rest; ++i) chosen.push_back(others[i * others.size() / rest]);
  return chosen;
}

}  // namespace

bool is_thin(const AllowedSizes& sizes, const SizeValues& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_thin(values[i], sizes.parameters[i])) return true;
  return false;
}

SizeValues size_of(const std::map<LaunchNumber, Numbers>& launches, std::size_t launch) {
  SizeValues size;
  for (const auto& [number, values] : launches)
    if (number.kind == Kind::size) size.push_back(values[launch]);
  return size;
}

// The sizes of the runs follow from their nonce.
std::uint64_t seed_of(const std::map<LaunchNumber, Numbers>& launches) {
  std::uint64_t seed = launches.size();
  for (const auto& [number, values] : launches)
    if (number.kind == Kind::size)
      for (const auto value : values) seed = (seed ^ value) * 0x100000001b3;
  return seed;
}

LaunchTable judged_launches(const std::map<LaunchNumber, Numbers>& launches,
                            const AllowedSizes& sizes, const Numbers& own_numbers,
                            std::uint64_t seed, std::size_t most_rows) {
  LaunchTable table;
  if (launches.empty()) return table;
  const auto chosen = sampled(launches_to_look_at(launches, sizes), launches, most_rows);
  table.rows = chosen.size();
  for (const auto& [number, values] : launches) {
    auto& column = table.numbers[number];
    for (const auto launch : chosen) column.push_back(values[launch]);
  }
  add_threads(own_numbers, seed, table);
  return table;
}

std::vector<SizeValues> sampled_sizes(const AllowedSizes& sizes, const Numbers& own_numbers,
                                      std::uint64_t seed, std::size_t most) {
  std::vector<SizeValues> all;
  if (sizes.parameters.empty()) return all;
  auto draws = draws_for("sizes", seed);
  add_sizes_beside(own_numbers, sizes, draws, all);
  if (const auto side = only_side(sizes)) {
    const auto& parameter = sizes.parameters[*side];
    if ((parameter.most - parameter.least) / parameter.multiple <= most)
      for (auto value = parameter.least; value <= parameter.most; value += parameter.multiple) {
        if (parameter.is_power_of_two && !std::has_single_bit(value)) continue;
        auto size = draw_size(sizes, value, draws);
        size[*side] = value;
        all.push_back(std::move(size));
      }
  }
  constexpr double small_volume = 1 << 14;
  while (all.size() < most)
    all.push_back(draw_size(sizes,
                            std::min<double>(static_cast<double>(sizes.most_volume),
                                             all.size() % 2 == 0 ? small_volume : 1e18),
                            draws));
  std::ranges::stable_sort(all, {}, [&](const SizeValues& size) {
    return std::pair(is_thin(sizes, size), volume_of(sizes, size));
  });
  return all;
}

LaunchTable launches_of_sizes(const std::vector<SizeValues>& sizes,
                              const std::vector<LaunchFact>& facts, const Numbers& own_numbers,
                              std::uint64_t seed) {
  LaunchTable table{.rows = sizes.size(), .numbers = {}, .threads = {}};
  if (sizes.empty()) return table;
  auto& known = table.numbers;
  for (unsigned i = 0; i < sizes.front().size(); ++i) {
    auto& column = known[{Kind::size, i, 0}];
    for (const auto& size : sizes) column.push_back(size[i]);
  }
  auto draws = draws_for("steps", seed);
  const auto product_of = [&](const std::vector<LaunchNumber>& factors) {
    Numbers product(sizes.size(), 1);
    for (const auto& factor : factors)
      for (std::size_t row = 0; row < product.size(); ++row) product[row] *= known.at(factor)[row];
    return product;
  };
  const auto are_known = [&](const std::vector<LaunchNumber>& numbers) {
    return !numbers.empty() &&
           std::ranges::all_of(numbers, [&](const auto& each) { return known.contains(each); });
  };
  for (bool changes = true; changes;) {
    const auto before = known.size();
    for (const auto& fact : facts) {
      const bool is_known = known.contains(fact.number);
      if (fact.same_as && is_known != known.contains(*fact.same_as)) {
        const auto& from = is_known ? fact.number : *fact.same_as;
        const auto column = known.at(from);
        known[is_known ? *fact.same_as : fact.number] = column;
      } else if (!is_known && fact.constant) {
        known[fact.number] = Numbers(sizes.size(), *fact.constant);
      } else if (!is_known && are_known(fact.of_sizes)) {
        known[fact.number] = product_of(fact.of_sizes);
      } else if (!is_known && are_known(fact.product_of)) {
        known[fact.number] = product_of(fact.product_of);
      } else if (!is_known && fact.covers && known.contains(*fact.covers)) {
        Numbers grid;
        for (const auto side : known.at(*fact.covers))
          grid.push_back((side + fact.multiple - 1) / fact.multiple * fact.multiple);
        known[fact.number] = std::move(grid);
      } else if (!is_known && fact.below && known.contains(*fact.below)) {
        Numbers steps;
        for (const auto limit : known.at(*fact.below))
          steps.push_back(position_below(fact.times * limit, own_numbers, draws));
        known[fact.number] = std::move(steps);
      }
    }
    changes = known.size() != before;
  }
  add_threads(own_numbers, seed, table);
  return table;
}

}  // namespace msci
