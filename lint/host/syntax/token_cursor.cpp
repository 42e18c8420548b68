#include <algorithm>
#include <array>
#include <cctype>

#include "lint/host/syntax/parser.h"

namespace msci::host {
namespace {

template <std::size_t N>
bool is_name_among(const Token& token, const std::array<std::string_view, N>& words) {
  return token.kind == Token::Kind::name &&
         std::find(words.begin(), words.end(), token.spelling) != words.end();
}

constexpr std::array<std::string_view, 30> specifiers = {"const",
                                                         "static",
                                                         "constexpr",
                                                         "constinit",
                                                         "inline",
                                                         "volatile",
                                                         "extern",
                                                         "mutable",
                                                         "thread_local",
                                                         "register",
                                                         "typename",
                                                         "struct",
                                                         "class",
                                                         "enum",
                                                         "union",
                                                         "__strong",
                                                         "__weak",
                                                         "__block",
                                                         "__unsafe_unretained",
                                                         "__autoreleasing",
                                                         "virtual",
                                                         "explicit",
                                                         "friend",
                                                         "_Nonnull",
                                                         "_Nullable",
                                                         "consteval",
                                                         "__restrict",
                                                         "restrict",
                                                         "__bridge",
                                                         "__unused"};

constexpr std::array<std::string_view, 14> builtin_types = {
    "void",   "bool",   "char",     "short", "int",     "long",    "float",
    "double", "signed", "unsigned", "auto",  "wchar_t", "char8_t", "__fp16"};

constexpr std::array<std::string_view, 22> statement_keywords = {
    "return", "if",      "else",   "for",      "while",    "do",       "switch", "case",
    "break",  "goto",    "delete", "continue", "throw",    "try",      "catch",  "new",
    "using",  "typedef", "sizeof", "default",  "operator", "co_return"};

}  // namespace

bool is_specifier(const Token& token) { return is_name_among(token, specifiers); }
bool is_builtin_type(const Token& token) { return is_name_among(token, builtin_types); }
bool is_statement_keyword(const Token& token) { return is_name_among(token, statement_keywords); }

bool TokenCursor::accept(std::string_view mark) {
  if (!peek().is(mark)) return false;
  ++at_;
  return true;
}

bool TokenCursor::accept_name(std::string_view name) {
  if (!peek().is_name(name)) return false;
  ++at_;
  return true;
}

void TokenCursor::skip_to_semicolon() {
  while (!ended() && !peek().is(";") && !peek().is("}"))
    at_ = closing(peek()).empty() ? at_ + 1 : after_bracket(at_);
  accept(";");
}

std::string_view TokenCursor::closing(const Token& open) {
  if (open.is("(") || open.is("@(")) return ")";
  if (open.is("[") || open.is("@[")) return "]";
  if (open.is("{") || open.is("@{")) return "}";
  return "";
}

std::size_t TokenCursor::after_bracket(std::size_t from) const {
  std::vector<std::string_view> open;
  for (auto at = from; at < tokens_.size() - 1; ++at) {
    const auto& each = tokens_[at];
    if (const auto close = closing(each); !close.empty())
      open.push_back(close);
    else if (each.is(")") || each.is("]") || each.is("}")) {
      while (!open.empty() && !each.is(open.back())) open.pop_back();
      if (!open.empty()) open.pop_back();
      if (open.empty()) return at + 1;
    }
  }
  return tokens_.size() - 1;
}

std::optional<std::size_t> TokenCursor::after_angles(std::size_t from) const {
  unsigned open = 0;
  for (auto at = from; at < tokens_.size() - 1 && at < from + 200; ++at) {
    const auto& each = tokens_[at];
    if (each.is("<")) {
      ++open;
    } else if (each.is(">") && --open == 0) {
      return at + 1;
    } else if (each.is(">>")) {
      if (open <= 2) return open == 2 ? std::optional(at + 1) : std::nullopt;
      open -= 2;
    } else if (each.is("(") || each.is("[")) {
      at = after_bracket(at) - 1;
    } else if (each.kind == Token::Kind::punctuator && !each.is(">") && !each.is("::") &&
               !each.is(",") && !each.is("*") && !each.is("&") && !each.is("...") &&
               !each.is("&&")) {
      return std::nullopt;
    } else if (each.kind == Token::Kind::string) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> TokenCursor::after_type(std::size_t from) const {
  auto at = from;
  bool named = false;
  for (;;) {
    const auto& each = token(at);
    if (each.kind == Token::Kind::name && is_specifier(each)) {
      ++at;
    } else if (each.is_name("alignas") || each.is_name("__attribute__") ||
               each.is_name("decltype")) {
      named = named || each.is_name("decltype");
      at = after_bracket(at + 1);
    } else if (each.is("[") && token(at + 1).is("[") && !named) {
      at = after_bracket(at);
    } else if (each.kind == Token::Kind::name && is_builtin_type(each)) {
      named = true;
      ++at;
    } else if ((each.kind == Token::Kind::name || each.is("::")) && !named) {
      if (is_statement_keyword(each)) return std::nullopt;
      at = after_name(at);
      named = true;
    } else {
      break;
    }
  }
  return named ? std::optional(at) : std::nullopt;
}

std::size_t TokenCursor::after_name(std::size_t at) const {
  if (token(at).is("::")) ++at;
  for (;;) {
    ++at;
    if (token(at).is("<"))
      if (const auto after = after_angles(at)) at = *after;
    if (!token(at).is("::") || token(at + 1).kind != Token::Kind::name) return at;
    ++at;
  }
}

std::size_t TokenCursor::after_plain_name() const {
  auto at = at_;
  if (token(at).is("::")) ++at;
  ++at;
  while (token(at).is("::") && token(at + 1).kind == Token::Kind::name) at += 2;
  return at;
}

std::size_t TokenCursor::after_pointers(std::size_t at) const {
  while (token(at).is("*") || token(at).is("&") || token(at).is("&&") ||
         (token(at).kind == Token::Kind::name && is_specifier(token(at))))
    ++at;
  return at;
}

std::string TokenCursor::spelling(std::size_t from, std::size_t to) const {
  std::string all;
  for (auto at = from; at < to; ++at) {
    const bool words = !all.empty() && tokens_[at].kind == Token::Kind::name &&
                       (std::isalnum(static_cast<unsigned char>(all.back())) || all.back() == '_');
    if (words) all += ' ';
    all += tokens_[at].spelling;
  }
  return all;
}

bool TokenCursor::at_variable() const {
  if (peek().kind != Token::Kind::name && !peek().is("::") && !(peek().is("[") && peek(1).is("[")))
    return false;
  const auto type = after_type(at_);
  if (!type) return false;
  const auto name = after_pointers(*type);
  if (token(name).is("[") && token(*type - 1).is_name("auto")) return true;
  if (token(name).is("[") && name > *type && token(*type - 1).is_name("auto")) return true;
  // A block: R (^name)(…).
  if (token(name).is("(") && token(name + 1).is("^")) return true;
  if (token(name).kind != Token::Kind::name || is_statement_keyword(token(name))) return false;
  const auto& next = token(name + 1);
  return next.is("=") || next.is(";") || next.is(",") || next.is("(") || next.is("{") ||
         next.is("[") || next.is(":") || next.is(")") || next.is_name("in");
}

bool TokenCursor::at_type_definition() const {
  if (!peek().is_name("struct") && !peek().is_name("class") && !peek().is_name("enum") &&
      !peek().is_name("union"))
    return false;
  for (auto at = at_ + 1; at < tokens_.size() && at < at_ + 60; ++at) {
    if (token(at).is("{")) return true;
    if (token(at).is(";") || token(at).is("(") || token(at).is("=") || token(at).is("*"))
      return false;
  }
  return false;
}

bool TokenCursor::begins_operand(std::size_t at) const {
  const auto& each = token(at);
  return each.kind == Token::Kind::name || each.kind == Token::Kind::number ||
         each.kind == Token::Kind::string;
}

bool TokenCursor::is_cast(std::size_t begin, std::size_t end, std::size_t after) const {
  if (begin >= end) return false;
  const auto type = after_type(begin);
  if (!type || after_pointers(*type) != end) return false;
  const bool next = begins_operand(after) || token(after).is("(") || token(after).is("[") ||
                    token(after).is("@(") || token(after).is("*") || token(after).is("&") ||
                    token(after).is("-") || token(after).is("{") || token(after).is("@[");
  if (!next) return false;
  const auto& first = token(begin);
  if (token(end - 1).is("*") || token(end - 1).is("&")) return true;
  if (is_specifier(first) || is_builtin_type(first)) return true;
  const auto& last = token(end - 1).spelling;
  return begins_operand(after) || (last.size() > 2 && last.ends_with("_t")) ||
         (token(after).is("(") && last.starts_with("cl_")) || last == "NSUInteger";
}

}  // namespace msci::host
