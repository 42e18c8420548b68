#include <algorithm>
#include <optional>
#include <tuple>

#include "compiler/frontend/preamble/headers.h"
#include "compiler/frontend/preamble/prebuilt.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"

namespace msci {
namespace {

// The text from here on, without the white space and the comments at its beginning. A comment that
// a backslash could carry on to the next line stays.
std::string_view without_blanks(std::string_view text) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\v\f"), text.size()));
    const bool is_line = text.starts_with("//");
    if (!is_line && !text.starts_with("/*")) return text;
    const auto end = is_line ? text.find('\n') : text.find("*/", 2);
    const auto comment = text.substr(0, end);
    if (end == std::string_view::npos || (is_line && comment.find('\\') != std::string_view::npos))
      return text;
    text.remove_prefix(end + (is_line ? 1 : 2));
  }
}

bool take(std::string_view& text, std::string_view word) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// The header's own name, which lives as long as the program.
std::optional<std::string_view> metal_header(std::string_view name) {
  const auto& headers = metal_headers();
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const Header& header) { return header.name == name; });
  if (found == headers.end() || name.starts_with("__")) return std::nullopt;
  return found->name;
}

// The Metal header that a line `#include <header>` at the beginning of the text includes, with
// nothing else in the line.
std::optional<std::string_view> take_include(std::string_view& text) {
  auto line = text.substr(0, text.find('\n'));
  const auto length = line.size();
  if (!take(line, "#") || !take(line, "include") || !take(line, "<")) return std::nullopt;
  const auto header = metal_header(line.substr(0, line.find('>')));
  if (!header) return std::nullopt;
  line.remove_prefix(header->size());
  if (!line.starts_with('>') || line.find_first_not_of(" \t\r", 1) != std::string_view::npos)
    return std::nullopt;
  text.remove_prefix(length);
  return header;
}

// A line `#pragma clang diagnostic …`: it counts for the source alone, since Metal's headers give
// no warnings. Generated sources begin with some.
bool take_warning_pragma(std::string_view& text) {
  auto line = text.substr(0, text.find('\n'));
  const auto length = line.size();
  if (!take(line, "#") || !take(line, "pragma") || !take(line, "clang") ||
      !take(line, "diagnostic") || line.find('\\') != std::string_view::npos)
    return false;
  text.remove_prefix(length);
  return true;
}

}  // namespace

bool Preamble::operator<(const Preamble& other) const {
  return std::tie(version.number, fast_math, includes) <
         std::tie(other.version.number, other.fast_math, other.includes);
}

Preamble preamble_of(std::string_view metal, const CompileOptions& options) {
  Preamble preamble{.version = options.version, .fast_math = options.fast_math};
  // Apple's compiler knows the library, in its namespace, before any #include.
  preamble.includes.push_back(prebuilt_header);
  auto rest = without_blanks(metal);
  while (true) {
    if (const auto header = take_include(rest)) {
      if (*header != prebuilt_header) preamble.includes.push_back(*header);
    } else if (!take_warning_pragma(rest)) {
      break;
    }
    rest = without_blanks(rest);
  }
  return preamble;
}

Preamble preamble_of(std::string_view metal, LanguageVersion version) {
  return preamble_of(metal, CompileOptions{.version = version});
}

}  // namespace msci
