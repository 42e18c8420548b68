// Accepts the clients of a server.
#pragma once

#include <cstddef>
#include <functional>

#include "base/io/poll_loop.h"
#include "base/process/fd.h"

namespace msci {

// How many clients a server can have, and how many processes can work for them at once, so that
// this process may open a descriptor for each. At most `wanted`, at least 1.
std::size_t clients_at_once(std::size_t wanted);
std::size_t processes_at_once(std::size_t wanted);

class Acceptor {
 public:
  // `listener`: a socket that does not block.
  explicit Acceptor(int listener) : listener_(listener) {}

  // Passes on the next client. Where the system has none to give, as when too many files are open,
  // the next attempt comes a moment later: poll() would report the waiting client without end.
  void watch(PollLoop& loop, std::function<void(Fd)> add);

 private:
  int listener_;
  PollLoop::Clock::time_point next_attempt_;
};

}  // namespace msci
