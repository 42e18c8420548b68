// A --help that fits a screen.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/command_line/program_text.h"

namespace msci {

// The most lines and columns of --help.
constexpr std::size_t help_lines = 50;
constexpr std::size_t help_columns = 100;

struct ShortHelp {
  std::string page;                       // of the program: "docs/guide/search.md"
  std::vector<std::string> options = {};  // those of --help, "--task"; all if empty
};

// Gives a program and its subcommands that help, and --help-all to the program. Both wrap their
// lines and end with the place of the page. Call it after all options are declared.
void shorten_help(CLI::App& app, const ShortHelp& help);

// The texts of --help and of --help-all. `all_options`: whether there is a --help-all; `page`: the
// last line. The short one has as many of the first examples as fit.
std::string to_short_help(const ProgramText& program, const ShortHelp& help, std::string_view page);
std::string to_full_help(const ProgramText& program, std::string_view page);

}  // namespace msci
