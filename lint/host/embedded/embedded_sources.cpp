#include "lint/host/embedded/embedded_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "lint/host/embedded/composed_sources.h"
#include "lint/host/embedded/string_uses.h"
#include "lint/host/words/words.h"

namespace msci {
namespace {

using host::HostLanguage;
using host::Word;
using Words = std::vector<Word>;

bool may_have_source(std::string_view text) {
  return text.find("<metal_") != text.npos || text.find("[[") != text.npos;
}

// The words of a Metal text, without comments and strings.
bool is_metal(std::string_view text) {
  if (!may_have_source(text)) return false;
  bool has_kernel = false, has_index = false;
  const auto words = host::words_in(text, HostLanguage::c_family);
  const auto at = [&](std::size_t i, std::string_view word) {
    return i < words.size() && words[i].is(word);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool includes = at(i, "#") && at(i + 1, "include") && at(i + 2, "<");
    if (includes && i + 3 < words.size() && words[i + 3].text.starts_with("metal_")) return true;
    has_kernel |= at(i, "kernel") && at(i + 1, "void");
    const bool opens = at(i, "[") && at(i + 1, "[") && i + 3 < words.size();
    has_index |= opens && ((words[i + 2].is("buffer") && words[i + 3].is("(")) ||
                           words[i + 2].text.starts_with("thread"));
  }
  return has_kernel && has_index;
}

// Where the last line break of a text is followed by nothing but blanks.
bool ends_line(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r");
  return last == text.npos || text[last] == '\n';
}

bool begins_line(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == text.npos || text[first] == '\n';
}

// Whether two backslashes that stand for one begin at `at` and end their line, as in the continued
// lines of a macro. A blank can replace the first one.
bool is_escaped_line_end(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("\\\\")) return false;
  const auto next = text.find_first_not_of(" \t\r", at + 2);
  return next == text.npos || text[next] == '\n';
}

// Whether a body has other escapes than continued lines.
bool has_odd_escapes(std::string_view body) {
  for (std::size_t at = 0; (at = body.find('\\', at)) != body.npos;) {
    const bool joins_lines = at + 1 < body.size() && (body[at + 1] == '\n' || body[at + 1] == '\r');
    const bool continues = is_escaped_line_end(body, at);
    if (!joins_lines && !continues) return true;
    at += continues ? 2 : 1;
  }
  return false;
}

std::string why_unknown(const Word& word) {
  if (word.has_values) return "the host puts values into it";
  if (word.has_escapes && has_odd_escapes(word.body)) return "it has escapes";
  return "";
}

class Finder {
 public:
  Finder(std::string_view text, HostLanguage language)
      : text_(text),
        language_(language),
        words_(host::words_in(text, language)),
        uses_(words_, language) {}

  bool any() const {
    bool is_found = false;
    for_each_source([&](std::size_t, std::size_t) {
      is_found = true;
      return false;
    });
    return is_found;
  }

  std::vector<EmbeddedSource> run() const {
    std::vector<EmbeddedSource> found;
    for_each_source([&](std::size_t first, std::size_t end) {
      found.push_back(source_of(first, end));
      return found.size() < most_embedded_sources;
    });
    return found;
  }

 private:
  // Until `take`, which gets the first word of a row and the one behind it, wants no more.
  template <typename Take>
  void for_each_source(Take take) const {
    std::size_t depth = 0;  // of brackets
    for (std::size_t i = 0; i < words_.size();) {
      if (!words_[i].is_string()) {
        depth = depth_behind(words_[i], depth);
        ++i;
        continue;
      }
      const auto end = end_of_row(i);
      const bool is_docstring =
          language_ == HostLanguage::python && depth == 0 && is_statement(i, end);
      if (!is_docstring && is_metal_row(i, end) && !take(i, end)) return;
      i = end;
    }
  }

  static std::size_t depth_behind(const Word& word, std::size_t depth) {
    if (word.is("(") || word.is("[") || word.is("{")) return depth + 1;
    const bool closes = word.is(")") || word.is("]") || word.is("}");
    return closes && depth > 0 ? depth - 1 : depth;
  }

  // Whether lines of Python, outside of brackets, consist of these words alone.
  bool is_statement(std::size_t first, std::size_t end) const {
    if (!words_[first].starts_line || (first > 0 && words_[first - 1].is("\\"))) return false;
    return end == words_.size() || words_[end].starts_line || words_[end].is(";");
  }

  // Literals that stand behind each other, which C++ and Python join. `@` begins Objective-C's.
  std::size_t end_of_row(std::size_t first) const {
    auto end = first;
    while (end < words_.size() &&
           (words_[end].is_string() || (end > first && words_[end].is("@") &&
                                        end + 1 < words_.size() && words_[end + 1].is_string())))
      ++end;
    return end;
  }

  bool is_metal_row(std::size_t first, std::size_t end) const {
    std::string whole;
    for (auto i = first; i < end; ++i)
      if (words_[i].is_string()) (whole += words_[i].body) += '\n';
    return whole.find('\n') + 1 < whole.size() && is_metal(whole);
  }

  EmbeddedSource source_of(std::size_t first, std::size_t end) const {
    EmbeddedSource source;
    const Word* last = nullptr;
    for (auto i = first; i < end; ++i) {
      const auto& word = words_[i];
      if (!word.is_string()) continue;
      const auto begin = static_cast<std::size_t>(word.body.data() - text_.data());
      source.parts.push_back({.begin = begin,
                              .end = begin + word.body.size(),
                              .has_escapes = word.has_escapes,
                              .takes_lines = takes_lines(word)});
      if (source.unknown.empty()) source.unknown = why_unknown(word);
      if (!word.is_closed) source.unknown = "its end is missing";
      if (last && source.unknown.empty() && !ends_line(last->body) && !begins_line(word.body))
        source.unknown = "two of its literals share a line";
      last = &word;
    }
    if (source.unknown.empty()) source.unknown = uses_.change_of(first, end);
    source.is_compiled_alone = uses_.are_compiled_alone(first, end);
    return source;
  }

  bool takes_lines(const Word& word) const {
    return language_ != HostLanguage::swift && !word.has_escapes &&
           word.body.find('\n') != word.body.npos && word.body.find('\r') == word.body.npos;
  }

  std::string_view text_;
  HostLanguage language_;
  Words words_;
  host::StringUses uses_;
};

}  // namespace

std::vector<EmbeddedSource> embedded_sources(std::string_view text, HostLanguage language) {
  if (!may_have_source(text)) return {};
  return Finder(text, language).run();
}

bool has_embedded_source(std::string_view text, HostLanguage language) {
  if (language == HostLanguage::python && !composed_sources(text).empty()) return true;
  return may_have_source(text) && Finder(text, language).any();
}

bool holds_metal_in_strings_only(std::string_view file) {
  const auto language = host::language_of(file);
  return language &&
         (*language != HostLanguage::c_family || file.ends_with(".m") || file.ends_with(".mm"));
}

std::string alone(std::string_view text, const EmbeddedSource& source) {
  std::string result(text.size(), ' ');
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n' || text[i] == '\r') result[i] = text[i];
  for (const auto& part : source.parts) {
    const auto body = text.substr(part.begin, part.end - part.begin);
    for (std::size_t i = 0; i < body.size(); ++i)
      if (!part.has_escapes || !is_escaped_line_end(body, i)) result[part.begin + i] = body[i];
  }
  return result;
}

}  // namespace msci
