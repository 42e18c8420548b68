// Work on a source that nobody vouches for, in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "lint/metal/result.h"

namespace msci {

// What the work may use before it is ended.
struct Limits {
  // A long kernel takes a tenth of a second and as many megabytes.
  unsigned seconds = 5;                               // of processor time
  std::size_t memory_bytes = std::size_t{900} << 20;  // on top of what this process has
};

// Why the work ended without an answer: "it takes more than 5 s of processor time".
struct Broken {
  std::string reason;
};

// The text that the work returned, or why it did not.
using Ended = std::variant<std::string, Broken>;

using Work = std::function<std::string()>;

// A copy of this process at work. One that is given up is ended.
class Apart {
 public:
  // Errors: no process can be had.
  static Result<Apart> start(const Work& work, const Limits& limits = {});
  Apart(Apart&& other) noexcept;
  Apart& operator=(Apart&& other) noexcept;
  ~Apart();

  // Readable when there is something to take; to be waited for with poll().
  int descriptor() const { return in_; }
  // Takes what there is to take, and waits where there is nothing; whether that was all.
  bool take();
  // What it came to, after all is taken. Errors: somebody ended it.
  Result<Ended> finish();

 private:
  Apart(int process, int in, const Limits& limits) : process_(process), in_(in), limits_(limits) {}
  void give_up();

  int process_ = 0;  // 0: there is none any more
  int in_ = -1;
  Limits limits_;
  std::string text_;
};

// Runs `work` in a copy of this process. Errors: no process can be had, or somebody ended it.
Result<Ended> run_apart(const Work& work, const Limits& limits = {});

// The same for `count` works, at most `at_once` at a time, each in a process of its own; in their
// order. `work_at` is called here, in the order of its numbers, when it is a work's turn.
std::vector<Result<Ended>> run_apart(std::size_t count,
                                     const std::function<Work(std::size_t)>& work_at,
                                     unsigned at_once, const Limits& limits = {});

}  // namespace msci
