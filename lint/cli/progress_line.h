// A line on a terminal that says how far a run over many files is.
#pragma once

#include <chrono>
#include <cstddef>

namespace msci {

class ProgressLine {
 public:
  // For this many files; shows nothing for a few, or if standard error is not a terminal.
  explicit ProgressLine(std::size_t files);
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // One more file is done.
  void advance();
  // Before other text is written to the terminal.
  void erase();

 private:
  std::size_t files_;
  std::size_t done_ = 0;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace msci
