// What a host does with a string literal before it compiles it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lint/host/words/words.h"

namespace msci::host {

class StringUses {
 public:
  // Refers to the words.
  StringUses(const std::vector<Word>& words, HostLanguage language);

  // How the host changes the text of the literals [first, end), or of the variable that holds them:
  // "the host adds other text to it"; empty if it does not in this file.
  std::string change_of(std::size_t first, std::size_t end) const;
  // Whether the host makes a library of them, or of the variable that holds them, in this file and
  // without options: `makeLibrary(source: source, options: nil)`.
  bool are_compiled_alone(std::size_t first, std::size_t end) const;

 private:
  std::string change_at(std::size_t first, std::size_t end) const;
  std::string change_by_call(std::size_t first) const;
  std::string_view variable_of(std::size_t first) const;
  bool is_compiled_alone_at(std::size_t first, std::size_t end) const;
  bool is_value_of_a_string(std::string_view variable) const;
  const Word* word(std::size_t at) const { return at < words_.size() ? &words_[at] : nullptr; }
  bool is(std::size_t at, std::string_view text) const { return word(at) && words_[at].is(text); }

  const std::vector<Word>& words_;
  HostLanguage language_;
};

}  // namespace msci::host
