// The difference of two texts, for people and for patch.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// A unified diff with three lines of context, as `patch -p1` and `git apply` take it; empty where
// the texts are equal. `name` is relative to the folder that the patch is for.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace msci
