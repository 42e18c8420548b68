// Parses command lines; reports errors in the same way for all programs.
#pragma once

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace msci {

enum class Parsed {
  options,   // the options are set
  answered,  // --help or --version was printed; nothing is left to do
};

// Sets the declared options. Errors: what is wrong, and how to get help.
Result<Parsed> parse_command_line(CLI::App& app, int argc, char** argv);

}  // namespace msci
