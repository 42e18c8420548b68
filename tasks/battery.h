// The null battery: kernels that are certainly wrong, each a small change of the task's seed. A
// verdict that accepts one of them does not check what it claims to check.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace msci {

struct WrongKernel {
  struct Edit {
    std::string from;  // stands in the seed exactly once
    std::string to;
    bool operator==(const Edit&) const = default;
  };
  std::string name;  // one word
  std::string what;  // what is wrong, in words
  std::vector<Edit> edits;
  bool operator==(const WrongKernel&) const = default;
};

// Reads the `diff` block in the section "Wrong kernels" of a task's page: entries between empty
// lines, each a line "name: what", then its edits, lines that begin with "- " for what is replaced
// and with "+ " for what takes its place. Errors: no such block, or a line that is none of these,
// by its number.
Result<std::vector<WrongKernel>> read_battery(std::string_view page);

// The seed with the edits made. Errors: an edit that does not fit exactly once.
Result<std::string> spoil(std::string_view seed, const WrongKernel& kernel);

}  // namespace msci
