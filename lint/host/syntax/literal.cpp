#include <algorithm>
#include <cstdint>

#include "lint/host/syntax/parser.h"

namespace msci::host {
namespace {

// The parts of prefix"body"suffix.
struct Literal {
  std::string_view prefix;
  std::string_view body;
  bool is_raw() const { return prefix.ends_with('R'); }
  // Whether an element holds a code point, or a part of one: L, u and U rather than none and u8.
  bool is_wide() const { return !prefix.empty() && prefix != "u8"; }
};

Literal parts_of(std::string_view literal, char quote) {
  const auto open = literal.find(quote);
  if (open == std::string_view::npos) return {};
  Literal parts{.prefix = literal.substr(0, open), .body = literal.substr(open + 1)};
  if (!parts.is_raw()) {
    parts.body = parts.body.substr(0, parts.body.rfind(quote));
    return parts;
  }
  const auto paren = std::min(parts.body.find('('), parts.body.size());
  const auto close = ")" + std::string(parts.body.substr(0, paren)) + quote;
  parts.body.remove_prefix(std::min(paren + 1, parts.body.size()));
  parts.body = parts.body.substr(0, parts.body.find(close));
  return parts;
}

// In UTF-8; an invalid code point adds nothing.
void append_code_point(std::string& text, std::uint32_t code_point) {
  const auto append = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto append_rest = [&](unsigned shift) { append(0x80 | ((code_point >> shift) & 0x3f)); };
  if (code_point > 0x10ffff) return;
  if (code_point < 0x80) return append(code_point);
  if (code_point < 0x800) {
    append(0xc0 | (code_point >> 6));
  } else if (code_point < 0x10000) {
    append(0xe0 | (code_point >> 12));
    append_rest(6);
  } else {
    append(0xf0 | (code_point >> 18));
    append_rest(12);
    append_rest(6);
  }
  append_rest(0);
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

// Replaces the escape sequences of a body.
class Decoder {
 public:
  explicit Decoder(const Literal& literal) : body_(literal.body), is_wide_(literal.is_wide()) {}

  std::string run() {
    while (at_ < body_.size()) {
      const char c = body_[at_++];
      if (c == '\\' && at_ < body_.size())
        escape();
      else
        text_ += c;
    }
    return std::move(text_);
  }

 private:
  void escape() {
    const char c = body_[at_++];
    switch (c) {
      case 'x':
        return append_unit(number(16, body_.size()));
      case 'o':
        return append_unit(number(8, body_.size()));
      case 'u':
        return append_code_point(text_, number(16, 4));
      case 'U':
        return append_code_point(text_, number(16, 8));
      default:
        break;
    }
    if (digit_value(c) < 8) {
      --at_;
      return append_unit(number(8, 3));
    }
    constexpr std::string_view letters = "abefnrtv";
    constexpr std::string_view values = "\a\b\x1b\f\n\r\t\v";
    const auto found = letters.find(c);
    text_ += found == std::string_view::npos ? c : values[found];
  }

  // At most `most` digits, or any count of them in braces: \x{70}.
  std::uint32_t number(int base, std::size_t most) {
    const bool braced = at_ < body_.size() && body_[at_] == '{';
    if (braced) ++at_;
    std::uint32_t value = 0;
    for (std::size_t count = 0; at_ < body_.size() && (braced || count < most); ++at_, ++count) {
      const int digit = digit_value(body_[at_]);
      if (digit >= base) break;
      value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit);
    }
    if (braced && at_ < body_.size() && body_[at_] == '}') ++at_;
    return value;
  }

  void append_unit(std::uint32_t value) {
    if (is_wide_)
      append_code_point(text_, value);
    else
      text_ += static_cast<char>(value & 0xff);
  }

  std::string_view body_;
  bool is_wide_;
  std::size_t at_ = 0;
  std::string text_;
};

}  // namespace

std::string decode_string(std::string_view literal) {
  const auto parts = parts_of(literal, '"');
  return parts.is_raw() ? std::string(parts.body) : Decoder(parts).run();
}

unsigned decode_character(std::string_view literal) {
  const auto value = Decoder(parts_of(literal, '\'')).run();
  return value.empty() ? 0 : static_cast<unsigned char>(value.front());
}

}  // namespace msci::host
