// Lints many files in parallel, each by its own configuration and in its own process.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/source_files.h"
#include "base/process/isolated_process.h"
#include "lint/config.h"
#include "lint/run/lint_job.h"
#include "lint/run/result_cache.h"

namespace msci {

// What the command line requests. It takes precedence over a file's configuration.
struct LintOptions {
  std::vector<std::string> select;  // replaces the configuration's
  std::vector<std::string> ignore;  // this and the rest add to the configuration's
  std::vector<Override> severity;
  CompileSettings compile;
  Contract contract;
  std::string stdin_name;                        // empty: "<stdin>"
  std::optional<FixRequest> fix;                 // none: only report
  FindKernelResources find_resources = nullptr;  // for resource.occupancy; null: it is off
  std::vector<std::string>
      linted_folders;  // that the command line names: files in them may include each other
  unsigned jobs = 1;
  Limits limits{.seconds = 10};  // of each file; a library of kernels takes seconds
};

// The request for a file. One that is read from the disk may include what lies beside it, in its
// project and in the folders of its build. Errors: an invalid configuration or option.
Result<LintRequest> request_for(const std::string& file, const LintOptions& lint_options,
                                Configs& configs, std::span<const ListedRule> rules,
                                bool is_on_disk = true);

// Merges both. Errors: a name that fits no rule, with the configuration and the key that hold it.
Result<LintRequest> request_from(const LintOptions& lint_options, const Config& config,
                                 std::span<const ListedRule> rules);

// The work of an isolated process that lints a source: keeps what it has found until then. Uses a
// preamble of the cache if one fits. Errors: msci itself failed.
Result<LintResult> examine(const LintJob& job, std::span<const ListedRule> rules,
                           PreambleCache* preamble_cache = nullptr);

// The result for a source whose process crashed or exceeded a limit: what was found until then.
LintResult unfinished(const LintJob& job, const WorkFailure& failure);

// The same work with its result as bytes, which result_of() reads.
std::string examine_serialised(const LintJob& job, std::span<const ListedRule> rules,
                               PreambleCache* preamble_cache = nullptr);
Result<LintResult> result_of(const Result<IsolatedOutcome>& outcome, const LintJob& job);

// What to leave out of folders.
struct FileFilter {
  std::vector<std::string> exclude;  // patterns of paths from the current folder
  bool git_ignored = true;           // whether to leave out what git ignores
  bool force = false;                // also leave out files that are named
};

// Replaces folders by the files in them, without those that the filter or configurations exclude.
Files expand_files(const std::vector<std::string>& arguments, const FileFilter& filter,
                   Configs& configs);

// Receives the result of one file; false ends the run.
using OnResult = std::function<bool(Result<LintResult>)>;

// Lints files side by side and passes on one result for each, in their order, as soon as those
// before it are there; a file that cannot be read has an Error. What else is linted changes no
// result, but for kernels that the host calls and any of several files may define. Takes results
// from the cache, which may be null. Errors: an invalid configuration or option, before the first
// result.
[[nodiscard]] std::optional<Error> lint_files(const std::vector<std::string>& files,
                                              const LintOptions& lint_options, Configs& configs,
                                              std::span<const ListedRule> rules, ResultCache* cache,
                                              const OnResult& on_result);

}  // namespace msci
