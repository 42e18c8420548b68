// Runs programs to their end, several at a time, within limits on time and output.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/child_process.h"

namespace msci {

struct Command {
  std::vector<std::string> arguments;    // the program first
  std::vector<std::string> environment;  // "NAME=value"; each replaces our variable of that name
  std::string folder;                    // the working directory; empty for ours
  std::string input;                     // on standard input
  std::chrono::milliseconds time_limit = std::chrono::hours(24);
  std::size_t output_limit = std::size_t{16} << 20;  // bytes kept of each stream
  bool own_group = true;                             // as in ProcessOptions
};

// The word as a POSIX shell reads it back, whatever its characters: in single quotes.
std::string shell_quoted(std::string_view word);

// The arguments that run `line` in a shell, with further arguments, whatever characters they hold.
std::vector<std::string> shell_arguments(const std::string& line,
                                         const std::vector<std::string>& arguments = {});

// How a program ended, and what it wrote until then.
struct CommandResult {
  ExitStatus exit;
  bool timed_out = false;  // it was killed at the time limit
  bool truncated = false;  // it wrote more than output_limit; the rest is lost
  std::string out;
  std::string err;
  double seconds = 0;  // wall clock

  bool succeeded() const { return !timed_out && exit.succeeded(); }
};

// Runs one command. Errors: it cannot be started.
Result<CommandResult> run_command(const Command& command);

// The command with this number, to run in slot 0, 1, ...; a slot runs one command at a time.
using CommandAt = std::function<Command(std::size_t number, std::size_t slot)>;
// Called as soon as a command has ended. Its Error kills the commands that still run.
using OnCommandResult =
    std::function<std::optional<Error>(std::size_t number, CommandResult result)>;

// Runs `count` commands, at most `slots` at a time. Errors: a command cannot be started, or the
// Error that `on_result` returned.
[[nodiscard]] std::optional<Error> run_commands(std::size_t count, std::size_t slots,
                                                const CommandAt& command_at,
                                                const OnCommandResult& on_result);

}  // namespace msci
