// Marks at the begin and the end of each pass, which the operating system stamps with its time.
// What a process says of its own times is compared with them: its kernels may have changed what it
// says, but not the stamps.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/process/fd.h"
#include "base/result.h"

namespace msci {

// While it lives, passes of this process are marked on that socket. A process has one at a time.
class MarkingOfPasses {
 public:
  explicit MarkingOfPasses(Fd socket);
  ~MarkingOfPasses();
  MarkingOfPasses(const MarkingOfPasses&) = delete;
  MarkingOfPasses& operator=(const MarkingOfPasses&) = delete;

 private:
  Fd socket_;
};

// Marks a moment, if the passes of this process are marked. Waits where the reader is behind.
void mark_pass();

// The other end: reads marks while another process makes them.
class MarkReader {
 public:
  // The reader, and the socket for that process. Errors: the system has no such sockets.
  static Result<std::pair<std::unique_ptr<MarkReader>, Fd>> open();
  ~MarkReader();
  MarkReader(const MarkReader&) = delete;
  MarkReader& operator=(const MarkReader&) = delete;

  // Ends the reading. The seconds of each pass with both marks, in order; nothing if the system
  // does not stamp them.
  std::optional<std::vector<double>> finish();

 private:
  explicit MarkReader(Fd socket);
  void read();
  void read_available();

  Fd socket_;
  std::vector<double> stamps_;  // seconds
  bool are_stamped_ = true;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::thread thread_;
};

// Whether a process may have taken these times of its timed passes, if its marked passes took so
// long: those and `untimed` others, which came last. One of the passes may differ, and half of
// many: a busy machine may stop a process between a mark and its own look at the clock.
bool are_plausible(std::span<const double> timed, std::span<const double> marked,
                   std::size_t untimed);

}  // namespace msci
