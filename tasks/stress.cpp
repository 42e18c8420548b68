#include "tasks/stress.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace msci {
namespace {

constexpr unsigned few_steps = 4;

// The least and the largest length that a side has in octave k, from 2^k to 2^(k+1) - 1; none if it
// has none.
std::optional<std::pair<unsigned, unsigned>> lengths_in(const Side& side, unsigned octave) {
  const unsigned begin = 1U << octave;
  if (side.power_of_two) return std::pair(begin, begin);
  const auto up = [&](unsigned value) {
    return (value + side.multiple - 1) / side.multiple * side.multiple;
  };
  const unsigned least = up(std::max(begin, side.least));
  const unsigned most = std::min(2 * begin - 1, side.most) / side.multiple * side.multiple;
  if (least > most) return std::nullopt;
  return std::pair(least, most);
}

// Often an end of the octave, where code for powers of two begins and ends.
unsigned draw_length(const Side& side, unsigned octave, KeyedRandom& draws) {
  const auto [least, most] = *lengths_in(side, octave);
  switch (draws.between(0, 9)) {
    case 0:
      return least;
    case 1:
      return most;
    default:
      return least + draws.between(0, (most - least) / side.multiple) * side.multiple;
  }
}

// Of at most `room`, unless the least length is longer.
unsigned draw_side(const Side& side, double room, KeyedRandom& draws) {
  const double least = side.least, longest = side.most;
  const double most = std::clamp(room, least, longest);
  const auto first = static_cast<unsigned>(std::bit_width(side.least)) - 1;
  const auto last = static_cast<unsigned>(std::log2(most));
  auto octave = draws.between(first, std::max(first, last));
  while (!lengths_in(side, octave)) --octave;
  const auto length = draw_length(side, octave, draws);
  return length <= room ? length : lengths_in(side, octave)->first;
}

std::vector<std::size_t> random_order(std::size_t count, KeyedRandom& draws) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[draws.between(0, static_cast<unsigned>(i - 1))]);
  return order;
}

}  // namespace

Size draw_size(const SizeContract& contract, KeyedRandom& draws) {
  const auto& sides = contract.sides;
  std::vector<unsigned> lengths(sides.size());
  double room = contract.most_cells;  // over the least lengths of all sides
  for (const auto& side : sides) room /= side.least;
  double cells = 1;
  for (const auto i : random_order(sides.size(), draws)) {
    lengths[i] = draw_side(sides[i], room * sides[i].least, draws);
    room *= 1.0 * sides[i].least / lengths[i];
    cells *= lengths[i];
  }
  Size size;
  for (std::size_t i = 0; i < sides.size(); ++i)
    size.parameters.emplace_back(sides[i].parameter, lengths[i]);
  if (contract.steps.empty()) return size;
  const bool is_long = cells <= contract.few_cells && draws.between(0, 1) == 1;
  size.parameters.emplace_back(contract.steps,
                               is_long ? contract.most_steps : draws.between(1, few_steps));
  return size;
}

Array<float> uniform(KeyedRandom& draws, std::size_t count, double low, double high) {
  Array<float> values(count);
  for (float& value : values) value = static_cast<float>(draws.uniform(low, high));
  return values;
}

double uniform_at(Key key, std::uint64_t place, double low, double high) {
  const std::string_view message(reinterpret_cast<const char*>(&place), sizeof place);
  const auto bits = keyed_hash(key, message);
  return low + (high - low) * (static_cast<double>(bits >> 11) * 0x1p-53);
}

// The stream of the key itself has the inputs.
std::vector<std::size_t> sample_of(Key key, std::size_t elements) {
  constexpr std::size_t count = 1 << 16;
  KeyedRandom draws({key.low, ~key.high});
  std::vector<std::size_t> sample(count);
  for (auto& place : sample) place = draws.next() % elements;
  return sample;
}

void SampledError::add(double got, double expected) {
  largest = std::max(largest, std::abs(expected));
  const double distance = std::abs(got - expected);
  difference = std::max(difference,
                        std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance);
}

double log_uniform(KeyedRandom& draws, double low, double high) {
  return std::exp(draws.uniform(std::log(low), std::log(high)));
}

void add_numbers(KeyedRandom& draws, std::span<float> values, std::span<const float> numbers,
                 float most) {
  std::vector<float> allowed;
  const auto keep = [&](float largest) {
    std::ranges::copy_if(numbers, std::back_inserter(allowed),
                         [&](float number) { return std::abs(number) <= largest; });
  };
  keep(most);
  if (allowed.empty()) return;
  const auto largest =
      std::abs(allowed[draws.between(0, static_cast<unsigned>(allowed.size() - 1))]);
  allowed.clear();
  keep(largest);
  for (float& value : values) {
    const auto bits = draws.next();
    if ((bits & 15) != 0) continue;
    const double share = static_cast<double>(bits >> 32) * 0x1p-32;
    const double beside = std::pow(10, -1 - 5 * share);  // relative
    const double sides[] = {1, 1, 1 + beside, 1 - beside};
    const double number = allowed[(bits >> 8 & 0xffff) % allowed.size()] * sides[bits >> 4 & 3];
    const bool is_zero = (bits >> 24 & 7) == 0;
    const auto changed = static_cast<float>(is_zero ? 0 : (bits >> 6 & 3) == 0 ? -number : number);
    if (std::abs(changed) <= most) value = changed;
  }
}

void add_extremes(KeyedRandom& draws, Array<float>& values, std::span<const float> numbers) {
  constexpr float most = 1e12F;
  const auto kind = draws.between(0, 5);
  if (kind > 2 && !numbers.empty()) return add_numbers(draws, values, numbers, most);
  if (kind % 3 == 0) return;
  // Beside small ones, the others show.
  const bool is_small = draws.between(0, 1) == 0;
  const double largest = is_small ? log_uniform(draws, 4, 100) : log_uniform(draws, 100, most);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = draws.next();
    const double share = static_cast<double>(bits >> 32) * 0x1p-32;
    const double sign = bits & 32 ? -1 : 1;
    switch (bits & 31) {
      case 0:
        values[i] = static_cast<float>(sign * 0.0);
        break;
      case 1:
        values[i] = static_cast<float>(sign * std::pow(10, -3 - 17 * share));
        break;
      case 2:
        if (i > 0) values[i] = values[i - 1];
        break;
      case 3:
      case 4:
        values[i] = static_cast<float>(sign * largest * (0.1 + 0.9 * share));
        break;
      default:
        break;
    }
  }
}

bool may_be_extreme(const Size& size, std::string_view steps) {
  constexpr unsigned few = 4;
  return size.is_drawn && size[steps] <= few;
}

std::size_t place_of(const Plan& plan, std::string_view name) {
  const auto found = std::find_if(plan.buffers.begin(), plan.buffers.end(),
                                  [&](const PlanBuffer& each) { return each.name == name; });
  assert(found != plan.buffers.end() && "the task's own plan has all its buffers");
  return static_cast<std::size_t>(found - plan.buffers.begin());
}

}  // namespace msci
