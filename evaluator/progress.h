// A line on the terminal that says how far long work has come.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// Draws "[####----] 5/12 fft3d 64cube" on standard error and erases it when it ends; says nothing
// where standard error is not a terminal.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // What is being done now; it is part of the step after those done.
  void doing(std::string_view what);
  void step_done() { ++done_; }
  // Takes the line away so that others can print; the next `doing` draws it again.
  void erase();

 private:
  std::size_t steps_;
  std::size_t done_ = 0;
  bool shown_;
  bool drawn_ = false;
};

}  // namespace msci
