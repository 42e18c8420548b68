#include "base/files/standard_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace msci {

std::optional<Error> flush_standard_output() {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return std::nullopt;
  return Error{fmt::format("cannot write to standard output: {}", std::strerror(errno))};
}

}  // namespace msci
