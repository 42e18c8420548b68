#include "base/command_line/parse.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/command_line/program_text.h"
#include "base/files/standard_output.h"
#include "base/text.h"

namespace msci {
namespace {

// The arguments that print the help of the program, or of the given subcommand.
std::string help_of(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  if (commands.empty()) return "--help";
  return fmt::format("{} {} --help", app.get_name(), commands.front()->get_name());
}

std::vector<std::string> all_option_names(const ProgramText& program) {
  std::vector<std::string> names;
  for (const auto& option : program.options)
    if (!option.is_positional) names.insert(names.end(), option.names.begin(), option.names.end());
  for (const auto& command : program.commands) names.push_back(command.name);
  return names;
}

// The shortest of the names that begin with a word of some letters: "--verify-only" for "--verify".
std::string shortest_longer(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t least_letters = 3;
  std::string shortest;
  if (word.size() - std::min(word.size(), word.find_first_not_of('-')) < least_letters) return "";
  for (const auto& name : names)
    if (name.starts_with(word) && (shortest.empty() || name.size() < shortest.size()))
      shortest = name;
  return shortest;
}

// The option or command that is nearest to the first unknown argument; may be empty.
std::string nearest_name(const CLI::App& app) {
  const auto unknown = app.remaining(true);
  if (unknown.empty()) return "";
  const auto commands = app.get_subcommands();
  const auto names = all_option_names(text_of(commands.empty() ? app : *commands.front()));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto word = unknown.front().substr(0, unknown.front().find('='));
  const auto near = nearest(word, views);
  return near.empty() ? shortest_longer(word, names) : std::string(near);
}

}  // namespace

Result<Parsed> parse_command_line(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return Parsed::options;
  } catch (const CLI::ExtrasError& problem) {
    const auto name = nearest_name(app);
    const auto hint = name.empty() ? fmt::format("; see {}", help_of(app)) : did_you_mean(name);
    return Error{problem.what() + hint};
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() != 0)
      return Error{fmt::format("{}; see {}", problem.what(), help_of(app))};
    app.exit(problem);  // prints the answer
  }
  if (const auto problem = flush_standard_output()) return *problem;
  return Parsed::answered;
}

}  // namespace msci
