// Words of C++, Objective-C, Python, Rust and Swift: one tolerant tokenizer for what these
// languages share. It needs no headers and no grammar, and takes any bytes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lint/host/words/host_language.h"

namespace msci::host {

// A name, a number, a string literal, or one character of punctuation.
struct Word {
  enum class Kind { name, number, string, mark };
  Kind kind = Kind::mark;
  std::string_view text;     // a string's with its prefix and its quotes
  std::size_t offset = 0;    // of the text, in bytes
  bool starts_line = false;  // it is the first word of a line
  // What is known of a string literal; unused for other words.
  std::string_view body;     // between the quotes
  bool has_escapes = false;  // a backslash in the body does not stand for itself
  bool has_values = false;   // the program puts values into the body: f"{n}", "\(n)"
  bool is_closed = true;     // false: its end is missing

  bool is(std::string_view word) const { return kind != Kind::string && text == word; }
  bool is_name() const { return kind == Kind::name; }
  bool is_string() const { return kind == Kind::string; }
  std::size_t end() const { return offset + text.size(); }
};

// No person writes more words into a file; what follows them is left out.
constexpr std::size_t most_words = 1'000'000;

// Without comments. The words refer to the text.
std::vector<Word> words_in(std::string_view text, HostLanguage language);

}  // namespace msci::host
