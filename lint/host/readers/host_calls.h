// Finds matching brackets and calls among the words of a host file.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "lint/host/words/words.h"

namespace msci::host {

// Words [first, end).
struct WordRange {
  std::size_t first = 0;
  std::size_t end = 0;
  bool empty() const { return first >= end; }
};

struct CallArgument {
  std::string_view label;  // of Swift and Python, "index"; empty without one
  WordRange value;
};

struct TextCall {
  std::string_view receiver;  // the name before the last dot: "encoder"; empty without one
  std::string_view name;      // of the function, without a `_` at its end
  std::size_t at = 0;         // the word of the name
  std::size_t close = 0;      // the word that closes the arguments
  std::vector<CallArgument> arguments;

  // The argument with the label, or the one at the position if none of them has it; null without
  // either.
  const CallArgument* argument(std::string_view label, std::size_t position) const;
};

class Calls {
 public:
  // Refers to the words. Takes time in proportion to their number, however deep they nest.
  Calls(const std::vector<Word>& words, HostLanguage language);

  const std::vector<Word>& words() const { return words_; }
  // The calls, by their place.
  std::span<const TextCall> all() const { return calls_; }
  // The calls whose names lie in a range.
  std::span<const TextCall> in(WordRange range) const;
  // The bracket that belongs to the one at `at`; `at` itself where there is none.
  std::size_t match(std::size_t at) const { return matches_[at]; }
  // The parts of a range between its commas, without an empty one at its end.
  std::vector<CallArgument> parts(WordRange range) const;

  bool is(std::size_t at, std::string_view text) const {
    return at < words_.size() && words_[at].is(text);
  }
  bool is_name(std::size_t at) const { return at < words_.size() && words_[at].is_name(); }

 private:
  void match_brackets();
  TextCall call_at(std::size_t name, std::size_t open) const;

  const std::vector<Word>& words_;
  HostLanguage language_;
  std::vector<std::size_t> matches_;
  std::vector<TextCall> calls_;
};

}  // namespace msci::host
