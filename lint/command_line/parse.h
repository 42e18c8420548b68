// Command lines that make no sense, said by every installed program in the same way.
#pragma once

#include <CLI/CLI.hpp>

#include "lint/metal/result.h"

namespace msci {

enum class Parsed {
  options,   // they hold what was asked for
  answered,  // as --help and --version are: nothing is left to do
};

// Reads the words into the options that they were declared for. Errors: what is wrong with them,
// and where help is.
Result<Parsed> parse_command_line(CLI::App& app, int argc, char** argv);

}  // namespace msci
