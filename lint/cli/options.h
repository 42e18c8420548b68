// The command line of msci-lint.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/io/terminal.h"
#include "base/process/fd.h"
#include "base/result.h"
#include "lint/baseline.h"
#include "lint/flags/compile_arguments.h"
#include "lint/lint_and_fix.h"
#include "lint/output/formats.h"
#include "lint/run/lint_files.h"

namespace msci {

struct Options {
  std::vector<std::string> files;
  std::string stdin_name;
  unsigned jobs = 0;            // 0: as many as there are processors
  unsigned time_limit = 10;     // seconds of processor time for each file
  unsigned memory_limit = 900;  // MiB for each file

  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::vector<std::string> severity;  // "hazard=note"
  bool generated = false;
  CompileArguments compile;
  std::string target;  // "apple7,macos14"
  std::string task;
  std::vector<std::string> kernels;
  std::vector<std::string> hosts;
  bool occupancy = false;
  std::vector<std::string> exclude;
  bool force_exclude = false;
  bool no_ignore = false;
  bool watch = false;
  bool no_cache = false;
  bool cache_info = false;
  bool cache_clear = false;
  std::string config;  // empty: the nearest to each file
  bool no_config = false;
  bool no_compile_commands = false;

  bool fix = false;
  bool diff = false;
  bool unsafe_fixes = false;
  std::string baseline;
  std::string write_baseline;
  std::string compare_with;

  std::string format = "text";  // one of output_formats()
  std::string colour = "auto";  // always, never
  std::string output;           // empty: standard output
  bool quiet = false;           // no summary
  std::optional<std::string> rule_pages;
  std::string fail_on = "error";  // warning, note
  bool exit_zero = false;
  bool require_proofs = false;
  std::optional<std::uint64_t> max_warnings;

  bool server = false;
  std::string socket;  // empty: standard input and output
  bool lsp = false;

  std::string show_config;  // a file
  std::string explain;
  std::string explain_target;
  bool list_rules = false;
  std::string gallery;  // a file
  std::string write_rule_index;
};

// Declares the options; parsing the command line fills them in.
void declare(CLI::App& app, Options& options);

// Turns the options of the command line into values.

// Errors: options that contradict each other, or no file.
[[nodiscard]] std::optional<Error> validate(const Options& options);

// Errors: an unknown rule, severity, language version or task; a host that cannot be read.
Result<LintOptions> lint_options_from(const Options& options, std::span<const ListedRule> rules,
                                      FindTask find_task);

// Errors: the named configuration cannot be read or is invalid.
Result<Configs> configs_from(const Options& options);

// The pages that findings link to: those of --rule-pages, else the installed ones.
RulePages rule_pages_from(const Options& options);

// Colours by --color, the environment (NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM) and whether
// standard output is a terminal.
Colour colour_from(const Options& options);

// A line on a terminal that says how far a run over many files is.
class ProgressLine {
 public:
  // For this many files; shows nothing for a few, or if standard error is not a terminal.
  explicit ProgressLine(std::size_t files);

  // One more file is done.
  void advance();
  // Before other text is written to the terminal.
  void erase() { line_.erase(); }

 private:
  std::size_t files_;
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point next_{};
  TerminalLine line_;
};

// Writes what msci-lint finds, as it finds it.

// Receives one result after the other. The findings of formats that allow it are written at once,
// those of others, and of runs that fix files or write a baseline or a file, at the end.
class Emitter {
 public:
  // `baseline` is what --baseline or --compare-with names; `files` the number of results to come.
  Emitter(const Options& options, FormatContext context, Baseline baseline, std::size_t files);
  Emitter(const Emitter&) = delete;  // the context refers to what was said
  Emitter& operator=(const Emitter&) = delete;

  // What the file of --write-baseline held when the run began.
  void replace_baseline(std::optional<std::string> text) { baseline_before_ = std::move(text); }

  // False once the output cannot be written any more: the run can end.
  bool add(Result<LintResult> result);
  // A file that has no result.
  void add(const Error& error);

  // Writes the rest. Returns the exit code.
  int finish();

 private:
  struct FixedSource {
    Source source;
    std::string before;              // the text that was read
    std::vector<std::string> fixes;  // the rule of each
  };

  void report(Result<LintResult> result);
  void keep_fixed(LintResult& result);
  void write_fixed();
  void add(FileReport report);
  void compare_run();
  std::optional<Error> write_baseline();
  void write(std::string_view text);
  std::string ending() const;  // what is written after all results
  int code() const;

  const Options& options_;
  SharedFindings said_, hidden_before_;
  FormatContext context_;
  const OutputFormat& format_;
  Baseline baseline_;
  std::optional<std::string> baseline_before_;
  bool is_streamed_;
  RunResult run_;  // what is written at the end
  Totals totals_;
  std::string text_;                         // for --output
  std::vector<Result<LintResult>> waiting_;  // of --fix
  std::vector<FixedSource> fixed_;           // by --fix
  std::size_t hidden_ = 0;                   // findings that the baseline knows
  bool has_problem_ = false;
  bool is_broken_ = false;
  ProgressLine progress_;
};

// Prints the error; returns the exit code for it.
int report_lint_error(const Error& error);

// Waits for changes of files, for msci-lint --watch.
class FileWatch {
 public:
  // Errors: the system has no inotify left.
  static Result<FileWatch> open();

  // From now on, watches the folder of this file, or a folder itself; it need not exist.
  void add(const std::string& path);

  // Waits until a file that was added, another .metal file beside one, or a configuration changes,
  // and until the changes pause. False at SIGINT or SIGTERM. Calls `announce` when these signals
  // end the wait from then on; before, they end the process.
  bool wait(const std::function<void()>& announce);

 private:
  explicit FileWatch(Fd inotify) : inotify_(std::move(inotify)) {}
  // Reads what has happened; whether it matters.
  bool read_events();

  Fd inotify_;
  std::set<std::string> names_;  // of the files that were added, without their folders
  std::map<int, std::filesystem::path> folders_;  // by the number of their watch
};

// msci-lint --show-config: the settings that apply to a file.

// JSON with the configuration's path (null without one), whether it excludes the file, how the file
// is compiled, and the severity of each rule ("off": it does not run). The file need not exist.
// Errors: as for request_for().
Result<std::string> settings_of(const std::string& file, const LintOptions& lint_options,
                                Configs& configs, std::span<const ListedRule> rules);

}  // namespace msci
