// Manual pages and shell completions of a program.
#pragma once

#include <string>

#include "base/command_line/program_text.h"

namespace msci {

// The manual page, in roff.
std::string to_man(const ProgramText& program);

// The completion functions of shells.
std::string to_bash(const ProgramText& program);
std::string to_zsh(const ProgramText& program);
std::string to_fish(const ProgramText& program);

// Adds two options to a program: --version, if it has none, and the hidden --print
// man|bash|zsh|fish, with which the build generates the texts above. Call it last.
void describe_itself(CLI::App& app);

}  // namespace msci
