// The programs that a search runs beside itself: generators, and what judges candidates.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lint/metal/result.h"

namespace msci::search {

struct Command {
  std::vector<std::string> words;        // the program, and its arguments
  std::vector<std::string> environment;  // "NAME=value", in front of our own
  std::string folder;                    // where it runs; empty for ours
  std::string input;                     // what it reads on standard input
  std::chrono::milliseconds limit = std::chrono::hours(24);
};

// What a shell makes of `line`, with further words behind it, whatever characters they hold.
std::vector<std::string> shell_words(const std::string& line,
                                     const std::vector<std::string>& arguments = {});

// How a program ended, and what it said until then: at most 16 MiB of each stream.
struct Ended {
  int status = 0;             // its exit status, where it ended by itself
  std::optional<int> signal;  // that ended it
  bool timed_out = false;     // and so it was killed
  std::string out;
  std::string err;
  double seconds = 0;  // wall clock

  bool well() const { return !timed_out && !signal && status == 0; }
};

// Why it did not end well, for a person: "it ended with status 3: no key", with the last line of
// its standard error that says error, else the last that begins with a program's name, else the
// last that does more than point to help.
std::string complaint(const Ended& ended);

// The command for a job, on one of the slots 0, 1, ... that no other job is on.
using MakeCommand = std::function<Command(std::size_t job, std::size_t slot)>;
// Told as soon as a job has ended; its Error ends the others, too.
using TakeEnded = std::function<Result<std::monostate>(std::size_t job, Ended ended)>;

// Runs `jobs` commands, at most `slots` at a time, each in a process group of its own that is gone
// when it ends. Errors: no process can be had, or what `ended` returned.
Result<std::monostate> run_all(std::size_t jobs, std::size_t slots, const MakeCommand& command,
                               const TakeEnded& ended);

// One command.
Result<Ended> run_one(const Command& command);

}  // namespace msci::search
