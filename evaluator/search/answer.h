// What a generator's answer holds.
#pragma once

#include <string>
#include <string_view>

#include "lint/metal/result.h"

namespace msci::search {

// The Metal source in an answer: of the fenced blocks that are tagged metal, msl, cpp, c++, c or
// not at all the longest, where those with `kernel ` or `#include` in them come first. Errors,
// which say no more than what a generator may be told: there is no such block, or none but empty
// ones, or those that are left are no text in UTF-8. A block that is never closed is none.
Result<std::string> find_source(std::string_view answer);

}  // namespace msci::search
