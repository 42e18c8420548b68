// What a generator's answer holds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace msci::search {

// The Metal source in an answer: of the fenced blocks that are tagged metal, msl, cpp, c++, c or
// not at all the longest, where those with `kernel ` or `#include` in them come first. None where
// there is no such block; one that is never closed is none.
std::optional<std::string> find_source(std::string_view answer);

}  // namespace msci::search
