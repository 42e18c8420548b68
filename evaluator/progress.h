// A progress line on the terminal.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// Draws "[####----] 5/12 fft3d 64cube" on standard error and erases it at its end. Draws nothing if
// standard error is not a terminal.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows the current activity, which is part of the step after those done.
  void show(std::string_view activity);
  void step_done() { ++done_; }
  // Removes the line so that others can print; the next show() draws it again.
  void erase();

 private:
  std::size_t steps_;
  std::size_t done_ = 0;
  bool shown_;
  bool drawn_ = false;
};

}  // namespace msci
