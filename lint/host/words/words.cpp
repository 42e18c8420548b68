#include "lint/host/words/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace msci::host {
namespace {

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}
bool is_name_part(char c) {
  return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c));
}

// Values in strings hold strings, and so on.
constexpr int deepest_value = 16;

class Lexer {
 public:
  Lexer(std::string_view text, HostLanguage language) : text_(text), language_(language) {}

  std::vector<Word> run() {
    while (at_ < text_.size() && words_.size() < most_words) {
      const char c = text_[at_];
      if (c == '\n') starts_line_ = true;
      if (std::isspace(static_cast<unsigned char>(c)))
        ++at_;
      else if (!skip_comment())
        read_word();
    }
    return std::move(words_);
  }

 private:
  using Kind = Word::Kind;

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool follows(std::string_view part) const { return text_.substr(at_).starts_with(part); }
  std::size_t find(std::string_view part, std::size_t from) const {
    return std::min(text_.find(part, from), text_.size());
  }

  bool skip_comment() {
    const bool is_python = language_ == HostLanguage::python;
    if (follows(is_python ? "#" : "//")) {
      at_ = find("\n", at_);
      return true;
    }
    if (is_python || !follows("/*")) return false;
    const bool nests = language_ != HostLanguage::c_family;
    std::size_t depth = 1;
    for (at_ += 2; at_ < text_.size() && depth > 0;) {
      if (follows("*/")) {
        --depth;
        at_ += 2;
      } else if (nests && follows("/*")) {
        ++depth;
        at_ += 2;
      } else {
        ++at_;
      }
    }
    return true;
  }

  void add(Word word, std::size_t end) {
    word.offset = at_;
    word.text = text_.substr(at_, end - at_);
    word.starts_line = starts_line_;
    starts_line_ = false;
    words_.push_back(word);
    at_ = end;
  }

  void read_word() {
    if (read_string()) return;
    const char c = peek();
    if (is_name_start(c)) {
      auto end = at_;
      while (end < text_.size() && is_name_part(text_[end])) ++end;
      add({.kind = Kind::name}, end);
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      add({.kind = Kind::number}, end_of_number());
    } else if (c == '#') {
      // All of a run at once: looking behind it from each sign would take quadratic time.
      for (auto signs = number_signs(at_); signs > 0; --signs) add({.kind = Kind::mark}, at_ + 1);
    } else {
      add({.kind = Kind::mark}, at_ + 1);
    }
  }

  std::size_t end_of_number() const {
    auto end = at_;
    const auto digit_follows = [&] {
      return end + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end + 1]));
    };
    while (end < text_.size() && (is_name_part(text_[end]) ||
                                  ((text_[end] == '.' || text_[end] == '\'') && digit_follows())))
      ++end;
    return end;
  }

  // The letters before a quote that belong to a string.
  std::string_view prefix() const {
    auto end = at_;
    while (end < text_.size() && end - at_ < 4 && is_name_part(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  bool read_string() {
    switch (language_) {
      case HostLanguage::c_family:
        return read_c_string();
      case HostLanguage::python:
        return read_python_string();
      case HostLanguage::rust:
        return read_rust_string();
      case HostLanguage::swift:
        return read_swift_string();
    }
    return false;
  }

  // `open`: where the body begins. A raw string ends at `close` alone.
  void add_raw(std::size_t open, std::string_view close) {
    const auto end = find(close, open);
    const bool is_closed = end < text_.size();
    add({.kind = Kind::string, .body = text_.substr(open, end - open), .is_closed = is_closed},
        std::min(end + close.size(), text_.size()));
  }

  // A string in which `escape` (a backslash, in Swift with number signs) takes the next character.
  // `value`: what opens a value in it; empty for none.
  void add_escaped(std::size_t open, std::string_view close, std::string_view escape,
                   std::string_view value, bool spans_lines) {
    Word word{.kind = Kind::string, .is_closed = false};
    auto end = open;
    for (; end < text_.size() && (spans_lines || text_[end] != '\n');) {
      const auto rest = text_.substr(end);
      if (rest.starts_with(close)) {
        word.is_closed = true;
        break;
      }
      if (!value.empty() && rest.starts_with(value)) {
        word.has_values = true;
        end = end_of_value(end + value.size(), 0);
      } else if (rest.starts_with(escape)) {
        word.has_escapes = true;
        end += escape.size() + 1;
      } else {
        ++end;
      }
    }
    end = std::min(end, text_.size());
    word.body = text_.substr(open, end - open);
    add(word, word.is_closed ? end + close.size() : end);
  }

  // Behind the parenthesis that closes a value in a string.
  std::size_t end_of_value(std::size_t at, int depth) const {
    for (int open = 1; at < text_.size(); ++at) {
      if (text_[at] == '(') ++open;
      if (text_[at] == ')' && --open == 0) return at + 1;
      if (text_[at] == '"' && depth < deepest_value) at = end_of_inner_string(at + 1, depth + 1);
    }
    return text_.size();
  }

  std::size_t end_of_inner_string(std::size_t at, int depth) const {
    for (; at < text_.size() && text_[at] != '"' && text_[at] != '\n'; ++at) {
      if (text_[at] != '\\') continue;
      at = text_.substr(at).starts_with("\\(") ? end_of_value(at + 2, depth) - 1 : at + 1;
    }
    return at;
  }

  bool read_c_string() {
    const auto letters = prefix();
    const auto quote = at_ + letters.size();
    if (quote >= text_.size() || (text_[quote] != '"' && text_[quote] != '\'')) return false;
    constexpr std::array<std::string_view, 5> encodings = {"", "L", "u", "U", "u8"};
    const bool is_raw = letters.ends_with('R') && text_[quote] == '"';
    if (std::ranges::find(encodings, is_raw ? letters.substr(0, letters.size() - 1) : letters) ==
        encodings.end())
      return false;
    if (is_raw && add_c_raw(quote)) return true;
    add_escaped(quote + 1, text_.substr(quote, 1), "\\", "", false);
    return true;
  }

  // R"delimiter( … )delimiter"
  bool add_c_raw(std::size_t quote) {
    constexpr std::size_t longest_delimiter = 16;
    const auto behind = text_.substr(quote + 1, longest_delimiter + 1);
    const auto length = behind.find('(');
    if (length == behind.npos) return false;
    add_raw(quote + length + 2, ")" + std::string(behind.substr(0, length)) + "\"");
    return true;
  }

  bool read_python_string() {
    const auto letters = prefix();
    const auto quote = at_ + letters.size();
    if (quote >= text_.size() || (text_[quote] != '"' && text_[quote] != '\'')) return false;
    const auto is_prefix = [](char c) {
      return std::string_view("rbuftRBUFT").find(c) != std::string_view::npos;
    };
    if (letters.size() > 2 || !std::ranges::all_of(letters, is_prefix)) return false;
    const auto mark = text_.substr(quote, 1);
    const auto triple = std::string(3, mark[0]);
    const bool is_triple = text_.substr(quote).starts_with(triple);
    const auto first = words_.size();
    add_escaped(quote + (is_triple ? 3 : 1), is_triple ? triple : mark, "\\", "", is_triple);
    auto& word = words_[first];
    if (letters.find_first_of("rR") != letters.npos) word.has_escapes = false;
    word.has_values = letters.find_first_of("fFtT") != letters.npos;
    return true;
  }

  bool read_rust_string() {
    if (peek() == '\'') return read_rust_character();
    const auto letters = prefix();
    auto quote = at_ + letters.size();
    constexpr std::array<std::string_view, 6> prefixes = {"", "b", "c", "r", "br", "cr"};
    if (std::ranges::find(prefixes, letters) == prefixes.end()) return false;
    const bool is_raw = letters.ends_with('r');
    const auto signs = is_raw ? number_signs(quote) : 0;
    quote += signs;
    if (quote >= text_.size() || text_[quote] != '"') return false;
    if (is_raw)
      add_raw(quote + 1, "\"" + std::string(signs, '#'));
    else
      add_escaped(quote + 1, "\"", "\\", "", true);
    return true;
  }

  // 'x', '\n' or '\'': a character; otherwise a lifetime.
  bool read_rust_character() {
    if (peek(1) != '\\') {
      std::size_t length = 1;  // of one character in UTF-8
      while (length < 4 && (peek(1 + length) & 0xC0) == 0x80) ++length;
      if (peek(1 + length) != '\'') return false;
    }
    add_escaped(at_ + 1, "'", "\\", "", false);
    return true;
  }

  bool read_swift_string() {
    const auto signs = number_signs(at_);
    const auto quote = at_ + signs;
    if (quote >= text_.size() || text_[quote] != '"') return false;
    const std::string marks(signs, '#');
    const bool is_triple = text_.substr(quote).starts_with("\"\"\"");
    const auto close = (is_triple ? "\"\"\"" : "\"") + marks;
    add_escaped(quote + (is_triple ? 3 : 1), close, "\\" + marks, "\\" + marks + "(", is_triple);
    return true;
  }

  std::size_t number_signs(std::size_t from) const {
    auto end = from;
    while (end < text_.size() && text_[end] == '#') ++end;
    return end - from;
  }

  std::string_view text_;
  HostLanguage language_;
  std::size_t at_ = 0;
  bool starts_line_ = true;
  std::vector<Word> words_;
};

}  // namespace

std::vector<Word> words_in(std::string_view text, HostLanguage language) {
  return Lexer(text, language).run();
}

}  // namespace msci::host
