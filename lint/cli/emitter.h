// Writes what msci-lint finds, as it finds it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lint/baseline.h"
#include "lint/cli/options.h"
#include "lint/cli/progress_line.h"
#include "lint/lint_and_fix.h"
#include "lint/output/formats.h"

namespace msci {

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

}  // namespace msci
