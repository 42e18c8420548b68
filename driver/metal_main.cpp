// metal and xcrun: msci-lint behind the command lines of Apple's compiler.
#include <clang/Basic/Version.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/files/install_paths.h"
#include "base/files/read_file.h"
#include "base/files/standard_output.h"
#include "base/files/write_file.h"
#include "base/io/exit_status.h"
#include "base/io/report.h"
#include "base/process/isolated_process.h"
#include "base/text.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "driver/tools.h"
#include "lint/cli/metal_command.h"
#include "lint/cli/options.h"
#include "rules/rules.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

int report(std::string_view program, const std::string& problem, int code = not_right) {
  fmt::print(stderr, "{}: error: {}\n", program, report_text(problem));
  return code;
}

int print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (const auto problem = flush_standard_output()) return report("metal", problem->message);
  return all_right;
}

// It names Clang, whose version programs look for that start compilers.
std::string version_text() {
  return fmt::format("msci metal {} (clang version {}): checks Metal up to {}, makes no code\n",
                     program_version(), CLANG_VERSION_STRING,
                     spelling_of(language_versions().back()));
}

// "1 warning and 2 errors generated.", as Clang ends; nothing without findings.
std::string generated_text(const Counts& counts) {
  std::string text;
  if (counts.warnings) text = counted(counts.warnings, "warning");
  if (counts.errors) text += (text.empty() ? "" : " and ") + counted(counts.errors, "error");
  return text.empty() ? text : text + " generated.\n";
}

// Prints the findings of a source; returns the status for them.
int show(FileReport report_of_file, const MetalCommand& command) {
  auto& findings = report_of_file.findings;
  std::erase_if(findings, [&](const Finding& each) {
    return each.severity == Severity::note ||
           (command.hides_warnings && each.severity != Severity::error);
  });
  const FormatContext context{.colour = colour_for("auto", isatty(STDERR_FILENO)),
                              .rule_pages = RulePages::installed()};
  const auto counts = counts_of(report_of_file);
  fmt::print(stderr, "{}{}", to_text(report_of_file, context), generated_text(counts));
  RunResult run;
  run.reports.push_back(std::move(report_of_file));
  for (const auto& problem : problems_of(run))
    return report("metal", problem.message, could_not_check);
  return counts.errors ? not_right : all_right;
}

Result<int> check_sources(const MetalCommand& command) {
  const Options options{.files = command.files, .generated = true};
  auto lint_options = lint_options_from(options, all_rules(), find_task_contract);
  if (!lint_options) return lint_options.error();
  lint_options->compile = command.compile;
  auto configs = Configs::nearest();
  int status = all_right;
  const auto error = lint_files(
      command.files, *lint_options, configs, all_rules(), nullptr, [&](Result<LintResult> result) {
        status = std::max(status, result ? show(std::move(result->report), command)
                                         : report("metal", result.error().message));
        return true;
      });
  if (error) return *error;
  return status;
}

// The text begins with its status.
std::string preprocess_one(const Source& source, const CompileOptions& options) {
  const auto made = preprocess(source, options);
  if (!made) return "2" + made.error().message;
  std::string errors;
  for (const auto& each : made->diagnostics)
    if (each.severity == Severity::error)
      errors += fmt::format("{}: error: {}\n", printable(to_string(each.place, source.name)),
                            printable(each.message));
  return errors.empty() ? "0" + made->text : "1" + errors;
}

// Prints what the preprocessor makes of the sources, or writes it.
Result<int> preprocess_sources(const MetalCommand& command) {
  std::string text;
  for (const auto& file : command.files) {
    auto source = read_source(file);
    if (!source) return source.error();
    auto options = options_from(command.compile);
    if (file != "-") options.readable_folders = {std::filesystem::absolute(file).parent_path()};
    const auto outcome = run_isolated([&] { return preprocess_one(*source, options); });
    if (!outcome) return outcome.error();
    if (const auto* failure = std::get_if<WorkFailure>(&*outcome)) return Error{failure->reason};
    const auto& made = std::get<std::string>(*outcome);
    if (made.starts_with('2')) return Error{made.substr(1)};
    if (made.starts_with('1')) {
      fmt::print(stderr, "{}", made.substr(1));
      return not_right;
    }
    text += made.substr(1);
  }
  if (command.output.empty() || command.output == "-") return print(text);
  if (auto error = write_file(command.output, text)) return *error;
  return all_right;
}

// Writes the marker, or says that there is no code.
int end_without_code(const MetalCommand& command) {
  const char* asked = std::getenv("MSCI_METAL");
  const bool may_mark = asked && std::string_view(asked) == "check";
  if (command.wants_code() && !may_mark)
    return report(
        "metal", fmt::format("msci checks Metal sources and makes no code, so '{}' is not written; "
                             "use -fsyntax-only, or set MSCI_METAL=check to have a marker in its "
                             "place, or build on a Mac",
                             command.output));
  if (command.wants_code())
    if (auto error = write_file(command.output, metal_marker(command)))
      return report("metal", error->message);
  if (command.output.empty() && !command.syntax_only)
    fmt::print(stderr, "metal: note: msci checks Metal sources and makes no code\n");
  return all_right;
}

std::vector<std::string> words_of(int argc, char** argv) {
  return {argv + std::min(argc, 1), argv + argc};
}

int run_metal(const std::vector<std::string>& words) {
  const auto command = metal_command_from(words);
  if (!command) return report("metal", command.error().message);
  if (command->kind == MetalCommand::Kind::help) return print(metal_help());
  if (command->kind == MetalCommand::Kind::version) return print(version_text());
  if (command->says_version) fmt::print(stderr, "{}", version_text());
  if (command->files.empty()) return all_right;
  for (const auto& flag : command->ignored)
    fmt::print(stderr, "metal: warning: argument is ignored: '{}'\n", printable(flag));
  for (const auto& file : command->files)
    if (std::error_code none; file != "-" && !std::filesystem::exists(file, none))
      return report("metal", fmt::format("no such file or directory: '{}'", file));
  const bool preprocesses = command->kind == MetalCommand::Kind::preprocess;
  const auto status = preprocesses ? preprocess_sources(*command) : check_sources(*command);
  if (!status) return report("metal", status.error().message, could_not_check);
  return *status != all_right || preprocesses ? *status : end_without_code(*command);
}

}  // namespace

int metal_main(int argc, char** argv) { return run_metal(words_of(argc, argv)); }

int xcrun_main(int argc, char** argv) {
  const auto command = xcrun_command_from(words_of(argc, argv));
  switch (command.kind) {
    case XcrunCommand::Kind::run_metal:
      return run_metal(command.arguments);
    case XcrunCommand::Kind::find_metal: {
      const auto path = find_program("metal");
      return path ? print(*path + "\n") : report("xcrun", path.error().message);
    }
    case XcrunCommand::Kind::version:
      return print(fmt::format("msci xcrun {}: has metal alone\n", program_version()));
    case XcrunCommand::Kind::help:
      return print(xcrun_help());
    case XcrunCommand::Kind::refused:
      break;
  }
  return report("xcrun", command.why, command.status);
}

}  // namespace msci
