#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace msci {
namespace {

// The length in bytes of the well-formed UTF-8 sequence at the beginning of a text that is not
// empty; 0 where it is malformed (Unicode 15, table 3-7).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t at) -> unsigned {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  const auto is_tail = [&](std::size_t at) { return (byte(at) & 0xc0) == 0x80; };
  const auto lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return is_tail(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool overlong = lead == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = lead == 0xed && byte(1) > 0x9f;
    return is_tail(1) && is_tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool overlong = lead == 0xf0 && byte(1) < 0x90;
    const bool too_large = lead == 0xf4 && byte(1) > 0x8f;
    return is_tail(1) && is_tail(2) && is_tail(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\t' && c != '\n') || code == 0x7f;
}

// Whether a terminal or an editor acts on a character in place of showing it: control characters of
// both sets (C0, C1), ends of lines and paragraphs (U+2028, U+2029), and those that turn the
// direction of writing (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
bool commands(std::string_view character) {
  if (character.size() == 1) return is_control(character.front()) || character == "\n";
  const auto is_between = [&](std::string_view first, std::string_view last) {
    return first <= character && character <= last;
  };
  return is_between("\u0080", "\u009f") || is_between("\u200e", "\u200f") ||
         is_between("\u2028", "\u202e") || is_between("\u2066", "\u2069");
}

// "threadgroup_race" of "hazard.threadgroup_race".
std::string_view name_of_id(std::string_view id) { return id.substr(id.rfind('.') + 1); }

// Whether all words of a name, which underscores separate, are words of the other one.
bool has_words(std::string_view name, std::string_view words) {
  const auto padded = fmt::format("_{}_", name);
  for (std::size_t begin = 0; begin <= words.size();) {
    const auto end = std::min(words.find('_', begin), words.size());
    if (padded.find(fmt::format("_{}_", words.substr(begin, end - begin))) == padded.npos)
      return false;
    begin = end + 1;
  }
  return true;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::string_view line_at(std::string_view text, unsigned line) {
  for (; line > 1; --line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  return text.substr(0, text.find_last_not_of('\r') + 1);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n\v\f";
  const auto begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) + 1 - begin);
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (auto& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

unsigned edit_distance(std::string_view from, std::string_view to) {
  std::vector<unsigned> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < from.size(); ++i) {
    auto diagonal = std::exchange(row[0], static_cast<unsigned>(i) + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const auto replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> words) {
  std::string_view best;
  auto distance = static_cast<unsigned>(word.size()) / 3 + 1;
  for (const auto each : words) {
    const auto longer = std::max(word.size(), each.size()) - std::min(word.size(), each.size());
    if (longer >= distance) continue;  // each of these bytes is a difference
    const auto here = edit_distance(word, each);
    if (here >= distance) continue;
    best = each;
    distance = here;
  }
  return best;
}

std::vector<std::string> nearest_ids(std::string_view word, std::span<const std::string_view> ids) {
  constexpr std::size_t most = 3;
  const auto ids_where = [&](auto&& fits) {
    std::vector<std::string> found;
    for (const auto id : ids)
      if (found.size() < most && fits(id)) found.emplace_back(id);
    return found;
  };
  const auto name = name_of_id(word);
  if (name.empty()) return {};
  auto same = ids_where([&](std::string_view id) { return id != word && name_of_id(id) == name; });
  if (!same.empty()) return same;
  if (const auto near = nearest(word, ids); !near.empty()) return {std::string(near)};
  std::vector<std::string_view> names;
  for (const auto id : ids) names.push_back(name_of_id(id));
  if (const auto near = nearest(name, names); !near.empty())
    return ids_where([&](std::string_view id) { return name_of_id(id) == near; });
  const auto family = word.substr(0, word.size() - name.size());
  auto longer = ids_where([&](std::string_view id) {
    return id.starts_with(family) && has_words(name_of_id(id), name);
  });
  if (!longer.empty() || family.empty()) return longer;
  return ids_where([&](std::string_view id) { return has_words(name_of_id(id), name); });
}

std::string did_you_mean(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}\"{}\"",
                        i == 0                  ? "; did you mean "
                        : i + 1 == words.size() ? " or "
                                                : ", ",
                        words[i]);
  return text.empty() ? text : text + "?";
}

std::string did_you_mean(std::string_view word) {
  const std::string words[] = {std::string(word)};
  return did_you_mean(std::span(words).first(word.empty() ? 0 : 1));
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const auto length = character_length(text);
    if (length == 0 || (commands(text.substr(0, length)) && text.front() != '\n'))
      valid += "\xef\xbf\xbd";
    else
      valid += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return valid;
}

std::string printable(std::string_view text) {
  std::string shown;
  // What begins a line of a log with "::", or has "##[" or "##vso[" anywhere, is a command to CI.
  const auto first = std::min(text.find_first_not_of(" \t"), text.size());
  const auto colons = text.substr(first).starts_with("::") ? first : text.npos;
  const auto is_ci_command = [](std::string_view rest) {
    return rest.starts_with("##[") || rest.starts_with("##vso[");
  };
  const auto* const begin = text.data();
  while (!text.empty()) {
    const auto length = std::max<std::size_t>(character_length(text), 1);
    const auto character = text.substr(0, length);
    const bool is_obeyed = static_cast<std::size_t>(text.data() - begin) == colons ||
                           is_ci_command(text) || commands(character);
    shown += is_obeyed ? "?" : character;
    text.remove_prefix(length);
  }
  return shown;
}

std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count)
    text.remove_prefix(std::max<std::size_t>(character_length(text), 1));
  return count;
}

Range word_around(const Source& source, Location location) {
  const auto& text = source.text;
  auto begin = offset_of(source, location);
  auto end = begin;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return {location_at(source, begin), location_at(source, end)};
}

}  // namespace msci
