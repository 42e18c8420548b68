#include "evaluator/library/msci.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/write_all.h"
#include "base/process/run_command.h"

namespace msci {
namespace {

using Arguments = std::vector<std::string>;

Error system_error(const std::string& doing, int code) {
  return Error{"cannot " + doing + ": " + std::strerror(code)};
}

// The path of a program. Installations and builds keep programs at a fixed place beside this
// library.
Result<std::string> program_path(const char* name) {
  Dl_info self{};
  if (!::dladdr(reinterpret_cast<const void*>(&msci_version), &self) || !self.dli_fname)
    return Error{"the system does not say where libmsci was loaded from"};
  std::error_code problem;
  const auto library = std::filesystem::canonical(self.dli_fname, problem);
  if (problem) return Error{std::string(self.dli_fname) + ": " + problem.message()};
  const auto path = (library.parent_path() / MSCI_BIN_FROM_LIB / name).lexically_normal();
  if (::access(path.c_str(), X_OK) != 0) return system_error("start " + path.string(), errno);
  return path.string();
}

// The program's report. Errors begin with its name, not with its path.
Result<std::string> report_in(const CommandResult& result, const std::string& name) {
  if (!result.exit.code) return Error{name + ": " + describe(result.exit)};
  if (*result.exit.code > MSCI_NOT_FINE)
    return Error{result.err.empty() ? name + " failed without a message" : result.err};
  if (result.truncated) return Error{name + " wrote too much"};
  if (!result.out.starts_with('{'))
    return Error{name + " printed something other than a report; check the options"};
  return result.out;
}

struct Answer {
  msci_status status = MSCI_COULD_NOT_CHECK;
  std::string text;
};

// Runs the program in the caller's process group, so that Ctrl-C reaches it, for as long as it
// takes.
Answer run(const char* name, const Arguments& arguments, std::string_view input) {
  const auto program = program_path(name);
  if (!program) return {.text = program.error().message};
  Command command{.arguments = {*program},
                  .input = std::string(input),
                  .time_limit = std::chrono::hours(24 * 365),
                  .output_limit = std::size_t{1} << 30,
                  .own_group = false};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  const auto result = run_command(command);
  if (!result) return {.text = result.error().message};
  const auto report = report_in(*result, name);
  if (!report) return {.text = report.error().message};
  if (!write_all(STDERR_FILENO, result->err))
    return {.text = "the caller closed standard error; the program wrote: " + result->err};
  return {static_cast<msci_status>(*result->exit.code), *report};
}

Arguments with(Arguments arguments, const char* const* options) {
  for (; options && *options; ++options) arguments.emplace_back(*options);
  return arguments;
}

msci_status hand_over(const Answer& answer, char** out) {
  *out = ::strdup(answer.text.c_str());
  return *out ? answer.status : MSCI_COULD_NOT_CHECK;
}

// Callers in C cannot handle exceptions; the standard library throws one if memory is exhausted.
template <typename Run>
msci_status call(char** out, Run run_program) noexcept {
  *out = nullptr;
  try {
    return hand_over(run_program(), out);
  } catch (const std::bad_alloc&) {
    return MSCI_COULD_NOT_CHECK;
  }
}

}  // namespace
}  // namespace msci

msci_status msci_lint(const char* source, size_t size, const char* const* options, char** answer) {
  return msci::call(answer, [&] {
    return msci::run("msci-lint", msci::with({"-", "--json"}, options), {source, size});
  });
}

msci_status msci_evaluate(const char* source, size_t size, const char* const* options,
                          char** answer) {
  return msci::call(answer, [&] {
    return msci::run("msci-eval", msci::with({"-", "--json"}, options), {source, size});
  });
}

msci_status msci_list_tasks(char** answer) {
  return msci::call(answer, [] { return msci::run("msci-tasks", {"list", "--json"}, {}); });
}

const char* msci_version(void) { return MSCI_VERSION; }

void msci_free(char* answer) { std::free(answer); }
