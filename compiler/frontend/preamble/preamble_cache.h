// Compilers that have read the Metal headers, kept for sources that begin alike.
#pragma once

#include <cstddef>
#include <list>
#include <utility>
#include <vector>

#include "compiler/frontend/preamble/precompiled_preamble.h"

namespace msci {

class PreambleCache {
 public:
  // Each takes some 15 MB, which copies of this process share.
  explicit PreambleCache(std::size_t most = 1) : most_(most) {}

  // Reads the headers for such a source, where that is not done already; the one that was asked for
  // least recently makes room.
  void prepare(const Preamble& preamble);

  // One for such a source, ready or made now. It can be used but once: a process that wants more of
  // its kind takes it in a copy of itself. Errors: as of begin().
  Result<PrecompiledPreamble> take(const Preamble& preamble);

  // Keeps what was made of one until the end of the process: to take a parsed source apart takes as
  // long as to lint it, and touches memory that a copy of a process else never needs.
  void keep(Unit unit) { units_.push_back(std::move(unit)); }

 private:
  struct Kept {
    Preamble preamble;
    PrecompiledPreamble start;
  };
  std::size_t most_;
  std::list<Kept> kept_;  // the one that was asked for last comes first
  std::vector<Unit> units_;
};

}  // namespace msci
