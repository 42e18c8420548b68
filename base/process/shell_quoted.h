// Words of a shell's command line.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// The word as a POSIX shell reads it back, whatever its characters: in single quotes.
std::string shell_quoted(std::string_view word);

}  // namespace msci
