// Loops over the lanes of a simdgroup.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/for_each_processor.h"
#include "engine/check/checked_simdgroup.h"

// Marks a part of a function that is compiled for each processor (MSCI_FOR_EACH_PROCESSOR).
#define MSCI_PART_OF_CALLER [[gnu::always_inline]] inline

namespace msci::engine {

template <typename Each>
void for_each_lane(std::uint32_t lanes, Each each) {
  for (; lanes; lanes &= lanes - 1) each(static_cast<unsigned>(std::countr_zero(lanes)));
}

// One byte for each lane, 0 or 1: the result of a loop over the lanes.
struct Flags {
  unsigned char of[lanes_per_simdgroup];

  // As one bit for each lane: the product moves byte i of eight to bit 56 + i.
  MSCI_PART_OF_CALLER std::uint32_t bits() const {
    static_assert(std::endian::native == std::endian::little);
    std::uint32_t bits = 0;
    for (unsigned first = 0; first < lanes_per_simdgroup; first += 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, of + first, sizeof eight);
      bits |= static_cast<std::uint32_t>(eight * 0x0102040810204080 >> 56) << first;
    }
    return bits;
  }
};

}  // namespace msci::engine
