#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/command_line/self_description.h"
#include "base/process/run_command.h"

namespace msci {
namespace {

// Values that another command of ours lists: the first word of each line; and further ones.
struct Listed {
  std::string_view name;
  std::string_view lister;
  std::string_view more = "";
};
constexpr std::array listed = {Listed{"--task", "msci-tasks list"},
                               Listed{"TASK", "msci-tasks list"},
                               Listed{"--device", "msci-eval --list-devices", " cpu opencl pocl"},
                               Listed{"--explain", "msci-lint --list-rules"},
                               Listed{"--select", "msci-lint --list-rules"},
                               Listed{"--ignore", "msci-lint --list-rules"}};

std::string lister_of(const OptionText& option) {
  for (const auto& each : listed)
    for (const auto& name : option.names)
      if (name == each.name)
        return fmt::format("$({} 2>/dev/null | cut -d ' ' -f 1){}", each.lister, each.more);
  return "";
}

// The values of an option, separated by spaces; empty if files are the best guess.
std::string raw_tokens(const OptionText& option) {
  return option.choices.empty() ? lister_of(option)
                                : fmt::format("{}", fmt::join(option.choices, " "));
}

// The name of the function, with characters that all shells allow.
std::string function_of(const ProgramText& program) {
  auto name = "_" + program.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> names_of(const std::vector<OptionText>& options) {
  std::vector<std::string> names;
  for (const auto& option : options)
    if (!option.is_positional) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::string command_names(const ProgramText& program) {
  std::string names;
  for (const auto& command : program.commands) names += (names.empty() ? "" : " ") + command.name;
  return names;
}

const OptionText* positional_of(const ProgramText& program) {
  const auto found = std::find_if(program.options.begin(), program.options.end(),
                                  [](const OptionText& option) { return option.is_positional; });
  return found == program.options.end() ? nullptr : &*found;
}

// --- bash

// Sets the reply, one on a line, so that file names may hold spaces.
std::string bash_words(const std::string& words) {
  const auto what = words.empty() ? "-f" : fmt::format("-W \"{}\"", words);
  return fmt::format("mapfile -t COMPREPLY < <(compgen {} -- \"$word\")", what);
}

std::string bash_reply(const ProgramText& program, const std::string& indent) {
  std::string text = indent + "case $before in\n";
  for (const auto& option : program.options)
    if (!option.is_positional && !option.value.empty())
      text += fmt::format("{}  {}) {}; return ;;\n", indent, fmt::join(option.names, "|"),
                          bash_words(raw_tokens(option)));
  text += indent + "esac\n";
  const auto* positional = positional_of(program);
  const auto words =
      program.commands.empty() && positional ? raw_tokens(*positional) : command_names(program);
  return text + fmt::format(
                    "{0}if [[ $word == -* ]]; then\n"
                    "{0}  {1}\n"
                    "{0}else\n{0}  {2}\n{0}fi\n",
                    indent,
                    bash_words(fmt::format("{}", fmt::join(names_of(program.options), " "))),
                    bash_words(words));
}

// --- zsh

// In a specification of _arguments, brackets and colons have special meanings.
std::string zsh_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_action(const OptionText& option) {
  if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices, " "));
  const auto lister = lister_of(option);
  return lister.empty() ? "_files" : fmt::format("{{compadd -- {}}}", lister);
}

std::string zsh_specifications(const ProgramText& program) {
  std::string text;
  for (const auto& option : program.options) {
    const auto action = zsh_action(option);
    if (option.is_positional)
      text += fmt::format(" \\\n    {}",
                          shell_quoted(fmt::format("*:{}:{}", option.names.front(), action)));
    else
      for (const auto& name : option.names)
        text += fmt::format(
            " \\\n    {}",
            shell_quoted(fmt::format(
                "*{}[{}]{}", name, zsh_escaped(option.text),
                option.value.empty() ? "" : fmt::format(":{}:{}", option.value, action))));
  }
  return text + "\n";
}

// --- fish

std::string fish_line(const std::string& program, const std::string& condition,
                      const OptionText& option) {
  const auto words = raw_tokens(option);
  if (option.is_positional && words.empty()) return "";  // files, as ever
  std::string text = fmt::format("complete -c {}", program);
  if (!condition.empty()) text += " -n " + shell_quoted(condition);
  for (const auto& name : option.names) {
    if (name.starts_with("--"))
      text += " -l " + name.substr(2);
    else if (name.starts_with("-"))
      text += " -s " + name.substr(1);
  }
  if (!option.value.empty()) text += words.empty() ? " -r" : " -x";
  // fish writes (...) for $(...).
  if (!words.empty()) text += " -a " + shell_quoted(words.substr(option.choices.empty() ? 1 : 0));
  return text + " -d " + shell_quoted(option.text) + "\n";
}

}  // namespace

std::string to_bash(const ProgramText& program) {
  const auto name = function_of(program);
  auto text = fmt::format(
      "# Completes the command line of {}.\n{}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}\n",
      program.name, name);
  for (const auto& command : program.commands)
    text += fmt::format(
        "  if [[ \" ${{COMP_WORDS[*]:1:COMP_CWORD - 1}} \" == *\" {} \"* ]]; then\n{}    return\n  "
        "fi\n",
        command.name, bash_reply(command, "    "));
  return text + bash_reply(program, "  ") +
         fmt::format("}}\ncomplete -o filenames -F {} {}\n", name, program.name);
}

std::string to_zsh(const ProgramText& program) {
  auto text = fmt::format("#compdef {}\n", program.name);
  if (program.commands.empty()) return text + "_arguments" + zsh_specifications(program);
  for (const auto& command : program.commands)
    text +=
        fmt::format("if (( ${{words[(I){}]}} )); then\n  _arguments '1:command:' {}  return\nfi\n",
                    command.name, zsh_specifications(command).substr(1));
  return text + fmt::format("_arguments '1:command:({})'{}", command_names(program),
                            zsh_specifications(program));
}

std::string to_fish(const ProgramText& program) {
  std::string text = fmt::format("# Completes the command line of {}.\n", program.name);
  for (const auto& option : program.options) text += fish_line(program.name, "", option);
  for (const auto& command : program.commands) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", program.name,
                        command.name, shell_quoted(command.summary));
    for (const auto& option : command.options)
      text += fish_line(program.name, "__fish_seen_subcommand_from " + command.name, option);
  }
  return text;
}

}  // namespace msci
