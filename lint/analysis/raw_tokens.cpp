#include "lint/analysis/raw_tokens.h"

#include <algorithm>

namespace msci {

std::vector<RawToken> raw_tokens(const Source& source, Comments comments) {
  return lex_raw(source.text, Dialect::metal, comments);
}

const std::vector<RawToken>& raw_tokens(const Unit& unit) { return FileTokens(unit, {}).words(); }

std::size_t token_at(const std::vector<RawToken>& tokens, const Source& source, Location at) {
  const auto offset = offset_of(source, at);
  const auto found = std::partition_point(
      tokens.begin(), tokens.end(), [&](const RawToken& token) { return token.end() <= offset; });
  return static_cast<std::size_t>(found - tokens.begin());
}

std::size_t closing_token(const std::vector<RawToken>& tokens, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    if (token.is("(") || token.is("[") || token.is("{")) ++depth;
    if ((token.is(")") || token.is("]") || token.is("}")) && --depth == 0) return i;
  }
  return tokens.size();
}

Range range_of(const Source& source, const RawToken& first, const RawToken& last) {
  return {location_at(source, first.offset), location_at(source, last.end())};
}

Range range_of(const Source& source, const RawToken& token) {
  return range_of(source, token, token);
}

FileTokens::FileTokens(const Unit& unit, const Place& place)
    : file_(place.file),
      source_(unit.source_of(place)),
      words_(
          unit.cache().get<std::vector<RawToken>>(&source_, [&] { return raw_tokens(source_); })) {}

std::size_t FileTokens::at(const Place& place) const {
  return token_at(words_, source_, place.range.begin);
}

Place FileTokens::place_of(const RawToken& first, const RawToken& last) const {
  return {file_, range_of(source_, first, last)};
}

}  // namespace msci
