// Metal sources in the string literals of a host: R"(…)" of C++, r#"…"# of Rust, """…""" of Swift
// and Python.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lint/host/words/host_language.h"

namespace msci {

// The inside of a literal, in bytes of the host.
struct TextPart {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool has_escapes = false;  // a backslash in it does not stand for itself
  // A fix may add lines to it: it has several, which end with a line feed alone, and the host is
  // not Swift, which measures their indentation.
  bool takes_lines = false;
  bool operator==(const TextPart&) const = default;
};

// One source. A host can write it as several literals in a row.
struct EmbeddedSource {
  std::vector<TextPart> parts;  // in order, at least one
  // Why the text that the host compiles is not what stands here: "the host adds other text to it".
  // Empty if it is.
  std::string unknown;
  // The host hands it to Metal's compiler in this file, and no options that could define names.
  bool is_compiled_alone = false;
};

// No person writes as many into a file; what follows them is left out.
constexpr std::size_t most_embedded_sources = 201;

// The literals that are Metal for certain: they include a header of Metal, or hold a kernel with an
// index in [[buffer(…)]] or a position as in [[thread_position_in_grid]]; comments do not count.
// All other strings are left alone, and so are docstrings of Python.
std::vector<EmbeddedSource> embedded_sources(std::string_view text, host::HostLanguage language);
// Whether there are any. Takes time in proportion to the text.
bool has_embedded_source(std::string_view text, host::HostLanguage language);

// Whether a file of this name can have embedded sources only: its text as such cannot be Metal.
bool holds_metal_in_strings_only(std::string_view file);

// The text with everything else than the source blanked: each byte of the source stays at its line
// and column. Escapes that a blank can replace are replaced.
std::string alone(std::string_view text, const EmbeddedSource& source);

}  // namespace msci
