// The folder of a search. Each thing is a file, written whole or not at all as soon as it is known,
// so that a search which was killed goes on from what is there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "evaluator/device/channel.h"
#include "lint/metal/result.h"

namespace msci::search {

// "07_prompt.md": what belongs to one iteration; 0 is the seed.
std::string file_of(unsigned iteration, std::string_view what);
// The Metal source of an iteration.
std::string source_of(unsigned iteration);

class Store {
 public:
  // Makes the folder where there is none, and sweeps away what a killed writer left half-written.
  // Errors: it cannot be written to, or another search is at work in it.
  static Result<Store> open(const std::string& folder);

  const std::string& folder() const { return folder_; }
  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }

  // None where there is no such file.
  Result<std::optional<std::string>> read(std::string_view name) const;
  bool has(std::string_view name) const;
  // What nobody can make again: answers and judgements.
  Result<std::monostate> write(std::string_view name, std::string_view text) const;
  // What follows from the rest of the folder: a loss of power may take it.
  Result<std::monostate> write_derived(std::string_view name, std::string_view text) const;

 private:
  Store(std::string folder, Fd lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
  std::string folder_;  // absolute
  Fd lock_;
};

}  // namespace msci::search
