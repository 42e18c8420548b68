// The functions and types of a host, by its words.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "lint/host/readers/host_calls.h"

namespace msci::host {

// A function, a type, or other code in braces outside of functions.
struct SourceScope {
  std::size_t parent = 0;  // the file for itself
  bool is_type = false;
};

class Scopes {
 public:
  static constexpr std::size_t file = 0;

  Scopes(const Calls& calls, HostLanguage language);

  // The innermost scope of a word. That of a function begins with its keyword.
  std::size_t of(std::size_t word) const { return of_words_[word]; }
  const SourceScope& operator[](std::size_t scope) const { return all_[scope]; }
  // The type of this name; its extensions and its `impl` are one scope with it.
  std::optional<std::size_t> type_named(std::string_view name) const;
  // The innermost type around a scope.
  std::optional<std::size_t> type_around(std::size_t scope) const;
  // The parameters of functions: the words between their brackets.
  const std::vector<WordRange>& parameters() const { return parameters_; }

 private:
  void read_braces();
  void read_indentation();
  bool begins_function(std::size_t at) const;
  bool begins_type(std::size_t at) const;
  std::size_t end_of_function(std::size_t at);
  std::size_t add(std::size_t parent);
  std::size_t add_type(std::size_t parent, std::string_view name);
  std::string_view name_of_type(std::size_t keyword, std::size_t open) const;
  std::size_t column(std::size_t word) const;

  const Calls& calls_;
  const std::vector<Word>& words_;
  HostLanguage language_;
  std::vector<SourceScope> all_{SourceScope{}};
  std::vector<std::size_t> of_words_;
  std::map<std::string_view, std::size_t> types_;
  std::vector<WordRange> parameters_;
};

}  // namespace msci::host
