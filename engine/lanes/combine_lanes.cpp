#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "engine/lanes/lanes.h"

namespace msci::engine {

namespace {

using Word = std::uint32_t;

float real(Word word) { return std::bit_cast<float>(word); }
Word word(float real) { return std::bit_cast<Word>(real); }

// "sum.f32" is a sum of floats.
struct LaneOperation {
  std::string_view name;
  char type;  // 'f', 'i' or 'u'

  explicit LaneOperation(std::string_view full)
      : name(full.substr(0, full.find('.'))), type(full[full.find('.') + 1]) {}

  Word identity() const {
    const bool is_min = name == "min";
    if (is_min || name == "max") {
      constexpr auto infinity = std::numeric_limits<float>::infinity();
      if (type == 'f') return word(is_min ? infinity : -infinity);
      if (type == 'i') return is_min ? 0x7fffffffU : 0x80000000U;
      return is_min ? ~0U : 0;
    }
    if (name == "and") return ~0U;
    if (name.ends_with("product")) return type == 'f' ? word(1) : 1;
    return 0;  // also of a sum of floats
  }

  Word join(Word a, Word b) const {
    const bool is_real = type == 'f';
    if (name.ends_with("sum")) return is_real ? word(real(a) + real(b)) : a + b;
    if (name.ends_with("product")) return is_real ? word(real(a) * real(b)) : a * b;
    if (name == "and") return a & b;
    if (name == "or") return a | b;
    if (name == "xor") return a ^ b;
    const bool is_min = name == "min";
    if (is_real) return word(is_min ? std::fmin(real(a), real(b)) : std::fmax(real(a), real(b)));
    const bool less =
        type == 'i' ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
    return less == is_min ? a : b;
  }
};

LaneWords active_or(std::uint32_t active, const LaneWords& values, Word otherwise) {
  LaneWords all = values;
  for (unsigned lane = 0; lane < lane_count; ++lane)
    if (!(active >> lane & 1U)) all[lane] = otherwise;
  return all;
}

LaneWords combined(const LaneOperation& operation, LaneWords all, unsigned width) {
  for (unsigned distance = width / 2; distance > 0; distance /= 2) {
    const auto before = all;
    for (unsigned lane = 0; lane < lane_count; ++lane)
      all[lane] = operation.join(before[lane], before[lane ^ distance]);
  }
  return all;
}

LaneWords prefixes(const LaneOperation& operation, LaneWords sums, unsigned width) {
  const auto earlier = [&](const LaneWords& of, unsigned distance) {
    LaneWords moved;
    for (unsigned lane = 0; lane < lane_count; ++lane)
      moved[lane] = lane % width >= distance ? of[lane - distance] : operation.identity();
    return moved;
  };
  for (unsigned distance = 1; distance < width; distance *= 2) {
    const auto before = earlier(sums, distance);
    for (unsigned lane = 0; lane < lane_count; ++lane)
      sums[lane] = operation.join(before[lane], sums[lane]);
  }
  return operation.name.find("exclusive") != std::string_view::npos ? earlier(sums, 1) : sums;
}

unsigned source(std::string_view way, unsigned l, Word x, unsigned width) {
  if (way == "shuffle") return x & (width - 1);
  if (way == "shuffle_xor") return (l ^ x) & (width - 1);
  if (way == "shuffle_up") return l >= x ? l - x : l;
  if (way == "shuffle_down") return x < width - l ? l + x : l;
  if (way == "shuffle_rotate_up") return (l - x) & (width - 1);
  assert(way == "shuffle_rotate_down" && "the lowering calls no other function");
  return (l + x) & (width - 1);
}

}  // namespace

LaneWords combine_lanes(std::string_view function, std::uint32_t active, const LaneWords& values,
                        const LaneWords& arguments) {
  const unsigned width = function.starts_with("msci.quad.") ? 4 : lane_count;
  function.remove_prefix(std::string_view("msci.simd.").size());
  // Of the lanes that act together with one, as bits from its first one on.
  const auto of_run = [&](std::uint32_t bits, unsigned lane) {
    return width == lane_count ? bits : bits >> (lane / width * width) & 15U;
  };
  LaneWords results = {};
  if (function == "active" || function == "ballot") {
    std::uint32_t votes = active;
    for (unsigned lane = 0; function == "ballot" && lane < lane_count; ++lane)
      if (values[lane] == 0) votes &= ~(1U << lane);
    for (unsigned lane = 0; lane < lane_count; ++lane) results[lane] = of_run(votes, lane);
    return results;
  }
  const LaneOperation operation(function);
  if (operation.name == "broadcast_first" || operation.name.starts_with("shuffle")) {
    for (unsigned lane = 0; lane < lane_count; ++lane) {
      const auto l = lane % width;
      const auto from = operation.name == "broadcast_first"
                            ? static_cast<unsigned>(std::countr_zero(of_run(active, lane)))
                            : source(operation.name, l, arguments[lane], width);
      results[lane] = values[(lane - l + from) % lane_count];
    }
    return results;
  }
  const auto all = active_or(active, values, operation.identity());
  return operation.name.starts_with("prefix_") ? prefixes(operation, all, width)
                                               : combined(operation, all, width);
}

}  // namespace msci::engine
