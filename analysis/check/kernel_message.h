// What kernels write to an os_log while the checked mode runs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/check/fault.h"

namespace msci {

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

}  // namespace msci
