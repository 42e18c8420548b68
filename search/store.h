// The folder of a search. Each result is a file, written atomically as soon as it is known, so that
// a killed search can be continued.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/write_file.h"
#include "base/process/fd.h"
#include "base/result.h"

namespace msci::search {

// "07_prompt.md": a file of one iteration; 0 is the seed.
std::string file_of(unsigned iteration, std::string_view what);
// The Metal source of an iteration.
std::string source_of(unsigned iteration);

class Store {
 public:
  // Creates the folder if needed, and removes the unfinished files of a killed search. Errors: it
  // cannot be written to, another search uses it, or it holds other files than those of a search.
  static Result<Store> open(const std::string& folder);

  const std::string& folder() const { return folder_; }
  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }

  // Nothing if the file is missing.
  Result<std::optional<std::string>> read(std::string_view name) const;
  bool has(std::string_view name) const;
  // For files that cannot be recreated: answers and judgements. Errors: as of check_unaltered() of
  // this file, and of update_file().
  [[nodiscard]] std::optional<Error> write(std::string_view name, std::string_view text) const;
  // For files that follow from others; a power failure may lose them.
  [[nodiscard]] std::optional<Error> write_derived(std::string_view name,
                                                   std::string_view text) const;
  // Afterwards there is no such file.
  void remove(std::string_view name) const;
  // The last iteration that a generator answered; 0 before the first.
  unsigned last_iteration() const;
  // Whether all files of the search are still as they were opened or written. An Error names the
  // first that another program, such as the generator, has altered, removed or added.
  [[nodiscard]] std::optional<Error> check_unaltered() const;

 private:
  Store(std::string folder, Fd lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
  void remember(std::string_view name, std::string_view text) const;
  Error altered(std::string_view name, std::string_view how) const;
  std::optional<Error> put(std::string_view name, std::string_view text, Sync sync) const;

  std::string folder_;  // absolute
  Fd lock_;
  mutable std::map<std::string, std::string> digests_;  // of the files of the search, by name
};

}  // namespace msci::search
