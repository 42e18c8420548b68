// What a run of a checked program records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/check/fault.h"

namespace msci {

// What kernels write to an os_log while the checked mode runs them.
struct KernelMessage {
  static constexpr std::size_t most_words = 32;

  unsigned call = 0;           // index into Translation::debug_calls
  ThreadPosition thread;       // in its threadgroup
  ThreadPosition threadgroup;  // in the grid
  // The components of the arguments, one after another: integers extended to 64 bits, and the bits
  // of floats. Those beyond most_words are missing.
  std::vector<std::uint64_t> words;
  bool operator==(const KernelMessage&) const = default;
};

// The messages of a run: by launch, threadgroup and thread, and those of a thread in its order.
struct KernelMessages {
  std::vector<KernelMessage> kept;
  std::size_t left_out = 0;  // what came when enough were kept
  bool operator==(const KernelMessages&) const = default;
};

struct CheckRecord {
  std::vector<Fault> faults;  // in the order of detection
  KernelMessages messages = {};
  BenignRaces benign_races = {};
  bool has_not_finite = false;  // some buffer of floats that kernels write holds infinity or NaN
  std::vector<unsigned> coverage = {};  // the locations of Translation::marked that it reached
  bool operator==(const CheckRecord&) const = default;
};

}  // namespace msci
