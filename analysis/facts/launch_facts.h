// What is known of the launches of a kernel: the facts that a proof may use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tasks/plan/assumption/assumption.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"
#include "tasks/plan/sized_number.h"

namespace msci::prover {

// The memory behind one argument of a kernel.
struct BoundMemory {
  std::size_t bytes = 0;   // from the bound byte on
  std::size_t memory = 0;  // equal numbers: arguments that lead to one buffer
  std::size_t offset = 0;  // of the bound byte there
  std::size_t unit = 1;    // what its elements may be aligned to
  // Of small read-only memory: what the launches have there, from the bound byte on.
  std::vector<std::vector<std::byte>> contents = {};
  bool operator==(const BoundMemory&) const = default;
};

// What launches of all sizes have in common. The numbers of their LaunchFacts are those of the
// largest. At all sizes, grids have 1 to 2^32 - 1025 threads in each dimension, and words are below
// 2^31.
struct AllSizes {
  std::int64_t first = 1, last = 1;  // of n, on which the numbers depend
  std::array<SizedNumber, 3> grid;   // in threads
  std::vector<SizedNumber> bytes;    // of the memory behind each argument
  // Integers of 32 bits in small read-only memory, by their first byte.
  struct Word {
    std::size_t argument = 0, byte = 0;
    SizedNumber number;
  };
  std::vector<Word> words;
};

// Launches of one kernel that differ in nothing but the contents of small read-only memory.
struct LaunchFacts {
  std::string kernel;  // Metal's name
  Extent grid;         // in threads
  Extent threadgroup;
  std::vector<BoundMemory> arguments;        // in the order of the signature
  std::size_t launches = 0;                  // how many
  std::size_t first = 0;                     // the first of them in its plan
  std::vector<Assumption> assumptions = {};  // that are about the kernel
  std::optional<AllSizes> all_sizes = {};    // of a proof for all sizes: no assumptions
};

// The launches of a plan, by what is known of them. Launches of kernels that the translation lacks
// are left out, and so are those that do not bind an argument: the device refuses them.
std::vector<LaunchFacts> facts_of(const Plan& plan, const Translation& translation);

// "grid 64 x 64, threadgroups of 8 x 8".
std::string describe(const LaunchFacts& facts);

}  // namespace msci::prover
