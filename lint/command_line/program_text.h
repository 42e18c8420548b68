// What a program says of its command line, as values: read off the tables that parse it, so that no
// page and no completion can say anything else.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace msci {

struct OptionText {
  std::vector<std::string> names;    // "-j", "--jobs"; "FILES" where it stands by itself
  std::string value;                 // what follows it: "TEXT"; empty for a flag
  std::vector<std::string> choices;  // the words that it takes; empty where any will do
  std::string limits;                // "0 to 256"; empty without
  std::string text;
  std::string group;
  std::string initial;  // the value that it has by itself
  bool is_required = false;
  bool is_positional = false;
  bool may_repeat = false;
};

struct ProgramText {
  std::string name;
  std::string summary;  // a sentence, with its full stop
  std::string version;  // "msci-lint 0.1.0"
  std::vector<std::string> remarks;
  std::vector<std::string> examples;  // lines
  std::vector<std::string> exits;     // what its exit statuses mean
  std::vector<OptionText> options;
  std::vector<ProgramText> commands;
};

ProgramText text_of(const CLI::App& app);

}  // namespace msci
