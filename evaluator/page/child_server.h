// A server of msci that the page's server runs and speaks to through pipes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/io/buffered_writer.h"
#include "base/io/poll_loop.h"
#include "base/process/child_process.h"
#include "base/result.h"

namespace msci {

// The running program, and our ends of its pipes.
class ChildServer {
 public:
  // `arguments`: the program first. Errors: it cannot be started.
  static Result<ChildServer> start(const std::vector<std::string>& arguments);

  int output() const { return from_.get(); }  // for reading, without waiting
  BufferedWriter& input() { return input_; }
  // Calls `read` when there is output, and writes what waits for the server.
  void watch(PollLoop& loop, std::function<void()> read);
  // Tells it to end, without waiting for that.
  void ask_to_end();
  // Waits until it has ended; kills it at the deadline.
  void end(PollLoop::Clock::time_point deadline);

 private:
  ChildServer(ChildProcess process, Fd to, Fd from);

  ChildProcess process_;
  Fd to_;
  Fd from_;
  BufferedWriter input_;
};

}  // namespace msci
