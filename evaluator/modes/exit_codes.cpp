#include "evaluator/modes/exit_codes.h"

#include <unistd.h>

#include "base/io/report.h"
#include "base/io/terminal.h"

namespace msci {

int report_error(const Error& error) { return report_error("msci-eval", error); }

bool wants_colour(const std::string& choice) {
  return colour_for(choice, ::isatty(STDOUT_FILENO)) != Colour::none;
}

}  // namespace msci
