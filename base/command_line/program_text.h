// The description of a command line, taken from the parser, so that manual pages and completions
// cannot differ from it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace msci {

struct OptionText {
  std::vector<std::string> names;    // "-j", "--jobs"; "FILES" for a positional one
  std::string value;                 // its value: "TEXT"; empty for a flag
  std::vector<std::string> choices;  // the allowed values; empty if any is allowed
  std::string limits;                // "0 to 256"; may be empty
  std::string text;
  std::string group;
  std::string initial;  // its default
  bool is_required = false;
  bool is_positional = false;
  bool may_repeat = false;
};

struct ProgramText {
  std::string name;
  std::string summary;  // a sentence with a full stop
  std::string version;  // "msci-lint 0.1.0"
  std::vector<std::string> remarks;
  std::vector<std::string> tables;    // lines: a title, "Formats:", and indented lines below it
  std::vector<std::string> examples;  // lines
  std::vector<std::string> exits;     // the meaning of exit statuses
  std::vector<OptionText> options;
  std::vector<ProgramText> commands;
};

ProgramText text_of(const CLI::App& app);

// "processes (1 to 64) (default: 4)": what an option does, and its values.
std::string explanation_of(const OptionText& option);

// The groups of options, in the order of their first options.
std::vector<std::string> groups_of(const std::vector<OptionText>& options);

}  // namespace msci
