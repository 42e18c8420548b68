// Unified diffs.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// A unified diff with three lines of context, for `patch -p1` and `git apply`; empty if the texts
// are equal. `name` is relative to the folder that the patch is for.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace msci
