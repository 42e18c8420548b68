// Results of earlier runs, kept on disk, so that unchanged files need not be linted again.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/cache.h"
#include "lint/run/lint_job.h"

namespace msci {

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

}  // namespace msci
