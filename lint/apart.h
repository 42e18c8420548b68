// Work on a source that nobody vouches for, in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "lint/metal/result.h"

namespace msci {

// What the work may use before it is ended.
struct Limits {
  unsigned seconds = 10;  // of processor time
  std::size_t memory_bytes = std::size_t{4} << 30;
};

// Why the work ended without an answer: "it takes more than 10 s of processor time".
struct Broken {
  std::string reason;
};

// Runs `work` in a copy of this process and returns the text that it returned there. Errors: no
// process can be had.
Result<std::variant<std::string, Broken>> run_apart(const std::function<std::string()>& work,
                                                    const Limits& limits = {});

}  // namespace msci
