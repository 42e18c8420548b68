#include "base/command_line/parse.h"

#include <fmt/format.h>

#include "base/files/standard_output.h"

namespace msci {
namespace {

// The arguments that print the help of the program, or of the given subcommand.
std::string help_of(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  if (commands.empty()) return "--help";
  return fmt::format("{} {} --help", app.get_name(), commands.front()->get_name());
}

}  // namespace

Result<Parsed> parse_command_line(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return Parsed::options;
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() != 0)
      return Error{fmt::format("{}; see {}", problem.what(), help_of(app))};
    app.exit(problem);  // prints the answer
  }
  if (const auto problem = flush_standard_output()) return *problem;
  return Parsed::answered;
}

}  // namespace msci
