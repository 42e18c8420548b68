// Lints many files in parallel, each by its own configuration and in its own process.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/cache.h"
#include "base/files/source_files.h"
#include "base/process/isolated_process.h"
#include "lint/config.h"
#include "lint/fix.h"
#include "lint/host/host.h"
#include "lint/lint.h"
#include "lint/lint_and_fix.h"

namespace msci {

// One source to lint.

// A source, and how to lint it.
struct LintJob {
  Source source;
  LintRequest request;
  std::optional<FixRequest> fix;
  std::vector<Source> host;  // the files of a host that is still to be read for this job
};

// Results of earlier runs, kept on disk, so that unchanged files need not be linted again.

// An entry belongs to the text and name of a source, the request, the current folder, the program
// and what that loads, and holds what the files were that the compiler looked for. Damaged entries
// are ignored and written anew. Several processes may use one folder at once.
class ResultCache {
 public:
  // The subfolder of the cache that holds the entries.
  static constexpr std::string_view folder = "lint";
  // The most bytes of all entries; those used least recently are removed.
  static constexpr std::uintmax_t most_bytes = std::uintmax_t{256} << 20;

  // Without a folder it keeps nothing. `tools`: what results depend on besides the program, such as
  // the version of the library that proofs use.
  explicit ResultCache(std::optional<std::filesystem::path> in, std::string tools = "")
      : cache_(std::move(in)), tools_(std::move(tools)) {}
  // Removes entries if they have become too many.
  ~ResultCache();

  // What an earlier run kept for this job; nothing if a file that it looked for has changed.
  std::optional<LintResult> load(const LintJob& job);

  // Keeps a result. Those that did not come to their end, also in a proof, or hold fixes, are not
  // kept.
  void store(const LintJob& job, const LintResult& result);

  Cache::Usage usage() const;
  // Removes all entries.
  void clear();

 private:
  std::string name_of(const LintJob& job);
  // What a file is now. One that the compiler was refused is not read here, either.
  const std::string& state_of(const FileLookup& file);

  Cache cache_;
  const std::string tools_;
  std::map<FileLookup, std::string> states_;
  std::pair<std::shared_ptr<const Host>, std::string> host_;  // the last one, and its hash
  std::filesystem::file_time_type start_ = std::filesystem::file_time_type::clock::now();
  bool has_stored_ = false;
};

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

// Lints the Metal sources in the strings of a host.

// Whether the source is to be read as a host with Metal in its strings: some of its strings are
// Metal, or its language allows nothing else.
bool is_host_of_strings(const Source& source);

// One report for all of them, with the places and the text of the host. Fixes change the inside of
// raw strings alone. A string whose whole text is not known here gets a note of
// lint.partial_source, and no errors. Errors: no string is Metal; msci itself failed.
Result<LintResult> lint_embedded(const Source& host, std::span<const ListedRule> rules,
                                 const LintRequest& request, const std::optional<FixRequest>& fix,
                                 PreambleCache* preamble_cache = nullptr,
                                 const OnProgress& on_progress = nullptr);

// Hosts are untrusted text, so they are read in a process of their own, once a run.

// Reads a host in an isolated process. A host that breaks the process says so in `Host::failure`.
// Needs at least one file. Errors: no process can be started.
Result<std::shared_ptr<const Host>> read_host_isolated(std::vector<Source> files,
                                                       const Limits& limits = {});

// Tells parts of a source that a host joins from faulty sources.

// What the Metal files of folders define. Reads each folder once.
class Definitions {
 public:
  // The file beside `near`, in a folder below, or in the folder above, that defines the name;
  // nothing if there is none. Symbolic links are not followed. Folders of another owner are not
  // read, nor are those such as /tmp, to which all users may write and which have the sticky bit.
  std::optional<std::string> file_of(const std::string& name, const std::string& near);

 private:
  using ByName = std::map<std::string, std::string>;
  const ByName& of_folder(const std::string& folder);

  std::map<std::string, ByName> known_;
};

// The name that a message of the compiler does not know: "Fr" of "unknown type name 'Fr'"; empty
// for other messages.
std::string unknown_name(std::string_view message);

// Adds a note to the first finding about an unknown name that another file of the folder defines.
void hint_at_fragment(FileReport& report, Definitions& definitions);

}  // namespace msci
