#include "base/command_line/program_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace msci {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// CLI11 appends validators to the type: "TEXT:{json,text}", "UINT:INT in [0 - 256]".
void read_type(const std::string& type, OptionText& option) {
  const auto colon = type.find(':');
  option.value = type.substr(0, colon);
  if (colon == std::string::npos) return;
  const auto rest = type.substr(colon + 1);
  if (rest.starts_with('{') && rest.ends_with('}'))
    option.choices = split(rest.substr(1, rest.size() - 2), ',');
  const auto open = rest.find('['), dash = rest.find(" - "), close = rest.find(']');
  if (close != std::string::npos && open < dash && dash < close)
    option.limits =
        rest.substr(open + 1, dash - open - 1) + " to " + rest.substr(dash + 3, close - dash - 3);
}

OptionText text_of(const CLI::Option& option) {
  OptionText text{.text = option.get_description(),
                  .group = option.get_group(),
                  .initial = option.get_default_str(),
                  .is_required = option.get_required(),
                  .is_positional = option.get_positional(),
                  .may_repeat = option.get_expected_max() >= CLI::detail::expected_max_vector_size};
  if (option.get_positional()) text.names.push_back(option.get_name(true));
  for (const auto& name : option.get_snames()) text.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) text.names.push_back("--" + name);
  if (option.get_type_size() != 0) read_type(option.get_type_name(), text);
  return text;
}

// The paragraphs of a footer; the first words of two of them tell their kind. Where an indented
// line follows the first one, the paragraph is a table.
void read_footer(const std::string& footer, ProgramText& program) {
  std::string* paragraph = nullptr;
  bool in_examples = false;
  bool in_table = false;
  for (const auto& line : split(footer, '\n')) {
    if (line.starts_with("Exit status:") || line.starts_with("Exit codes:")) {
      program.exits.push_back(line.substr(line.find(':') + 2));
      paragraph = &program.exits.back();
      in_examples = false;
    } else if (line == "Examples:") {
      in_examples = true;
    } else if (line.empty()) {
      paragraph = nullptr;
      in_examples = in_table = false;
    } else if (in_examples) {
      program.examples.push_back(line);
    } else if (in_table) {
      program.tables.push_back(line);
    } else if (!program.remarks.empty() && paragraph == &program.remarks.back() &&
               line.starts_with(' ')) {
      program.tables.push_back(*paragraph);
      program.tables.push_back(line);
      program.remarks.pop_back();
      in_table = true;
    } else if (paragraph) {
      *paragraph += ' ' + line;
    } else {
      program.remarks.push_back(line);
      paragraph = &program.remarks.back();
    }
  }
}

}  // namespace

ProgramText text_of(const CLI::App& app) {
  ProgramText program{
      .name = app.get_name(), .summary = app.get_description(), .version = app.version()};
  read_footer(app.get_footer(), program);
  for (const auto* option : app.get_options())
    if (!option->get_group().empty()) program.options.push_back(text_of(*option));  // else hidden
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    program.commands.push_back(text_of(*command));
  return program;
}

std::string explanation_of(const OptionText& option) {
  auto text = option.text;
  if (!option.choices.empty()) text += fmt::format(" ({})", fmt::join(option.choices, ", "));
  if (!option.limits.empty()) text += fmt::format(" ({})", option.limits);
  if (!option.initial.empty()) text += fmt::format(" (default: {})", option.initial);
  if (option.is_required && !option.is_positional) text += " (required)";
  return text;
}

std::vector<std::string> groups_of(const std::vector<OptionText>& options) {
  std::vector<std::string> groups;
  for (const auto& option : options)
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  return groups;
}

}  // namespace msci
