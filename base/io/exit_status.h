// The exit statuses of all programs.
#pragma once

namespace msci {

inline constexpr int all_right = 0;
inline constexpr int not_right = 1;        // a kernel is refused, wrong or slower, or has errors
inline constexpr int could_not_check = 2;  // the program could not do its part

}  // namespace msci
