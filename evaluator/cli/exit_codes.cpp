#include "evaluator/cli/exit_codes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace msci {

int report_error(const Error& error) {
  fmt::print(stderr, "msci-eval: {}\n", error.message);
  return could_not_check;
}

bool wants_colour() { return ::isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR"); }

}  // namespace msci
