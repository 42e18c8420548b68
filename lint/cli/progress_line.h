// A line on a terminal that says how far a run over many files is.
#pragma once

#include <chrono>
#include <cstddef>

#include "base/io/terminal.h"

namespace msci {

class ProgressLine {
 public:
  // For this many files; shows nothing for a few, or if standard error is not a terminal.
  explicit ProgressLine(std::size_t files);

  // One more file is done.
  void advance();
  // Before other text is written to the terminal.
  void erase() { line_.erase(); }

 private:
  std::size_t files_;
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point next_{};
  TerminalLine line_;
};

}  // namespace msci
