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
  unsigned seconds = 5;  // of processor time
  std::size_t memory_bytes = std::size_t{900} << 20;
};

// Why the work ended without an answer: "it takes more than 5 s of processor time".
struct Broken {
  std::string reason;
};

// The text that the work returned, or why it did not.
using Ended = std::variant<std::string, Broken>;

// Runs `work` in a copy of this process. Errors: no process can be had, or somebody ended it.
Result<Ended> run_apart(const std::function<std::string()>& work, const Limits& limits = {});

// The same for many, at most `at_once` at a time, each in a process of its own; in their order.
std::vector<Result<Ended>> run_apart(const std::vector<std::function<std::string()>>& works,
                                     unsigned at_once, const Limits& limits = {});

}  // namespace msci
