// How the numbers of a launch follow from the sizes of a task, so that one proof is about all sizes
// of its contract.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace msci::prover {

using Powers = std::vector<unsigned>;  // by size

// A size of the task: any multiple within the limits.
struct SizeRange {
  std::string name;
  std::int64_t least = 1, most = 1, multiple = 1;
};

// A factor times a product of powers of the sizes, plus a constant; rounded up to a multiple of
// `unit`, as grids are to whole threadgroups.
struct SizeForm {
  std::int64_t factor = 0, rest = 0;
  Powers powers;
  std::int64_t unit = 1;
  bool operator==(const SizeForm&) const = default;
};

// What differs between the sizes; all else is the same at each.
struct SizeForms {
  std::vector<SizeRange> sizes;
  std::array<std::optional<SizeForm>, 3> grid = {};  // in threads, by dimension
  std::vector<std::optional<SizeForm>> bytes = {};   // of the memory behind an argument
  std::vector<std::optional<SizeForm>> numbers = {};  // 32-bit scalars behind an argument
};

// At the least and at the most sizes, since no form falls.
std::int64_t least_of(const SizeForm& form, const std::vector<SizeRange>& sizes);
std::int64_t most_of(const SizeForm& form, const std::vector<SizeRange>& sizes);
// "4 * nx * ny".
std::string to_string(const SizeForm& form, const std::vector<SizeRange>& sizes);

}  // namespace msci::prover
