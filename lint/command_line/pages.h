// A program's command line, told to others.
#pragma once

#include <string>

#include "lint/command_line/program_text.h"

namespace msci {

// Its page for man(1), in roff.
std::string to_man(const ProgramText& program);

// Functions that complete its command line.
std::string to_bash(const ProgramText& program);
std::string to_zsh(const ProgramText& program);
std::string to_fish(const ProgramText& program);

// Gives a program two options more: --version, where it has none, and one that no help shows,
// --print man|bash|zsh|fish, by which the build gets the texts above. To be called last.
void describe_itself(CLI::App& app);

}  // namespace msci
