#include "compiler/frontend/tokens/pass.h"

namespace msci::tokens {

// `coherent device float*`, `coherent(device) device float*`: here all memory is coherent.
void Pass::coherent() {
  const auto last = at(at_ + 1).kind == tok::l_paren ? closing(at_ + 1) : at_;
  if (!is_address_space(at(last + 1).text)) return;
  // Before metal3.2, a name that the parser does not know.
  stream_.remove(at_ + (version_.number >= 320 ? 0 : 1), last);
  at_ = last;
}

// In a function, `threadgroup float tile[8];` declares a variable in that space, which C++ wants
// `static`; `threadgroup float *p` declares a pointer to it. It has no value at first, whatever
// is written. In a template's arguments it is a part of a type.
void Pass::threadgroup_variable() {
  if (scope() != Scope::function || parens_ > 0 || before(at_).is("<") || before(at_).is(","))
    return;
  for (auto i = at_ + 1; i < size(); ++i) {
    const auto& token = at(i);
    if (token.is("<")) {
      const auto end = closing_angle(i);
      if (!end) return;
      i = *end;
      continue;
    }
    if (token.is("__attribute__") && at(i + 1).kind == tok::l_paren) {
      i = closing(i + 1);
      continue;
    }
    if (token.is("*") || token.is("&") || (token.kind == tok::l_paren && !initialises(i))) return;
    if (token.kind == tok::l_paren || token.is(";") || token.is("=") || token.is(",") ||
        token.kind == tok::l_brace || token.kind == tok::l_square) {
      stream_.replace(at_, "static __attribute__((opencl_local, loader_uninitialized))");
      return drop_initialisers(i);
    }
  }
}

// Whether the '(' at `open` holds the value of a variable, `threadgroup float3 v(0);`.
bool Pass::initialises(std::size_t open) const {
  return open >= at_ + 3 && before(open).is_name() && !begins_declarator(open) &&
         (before(open - 1).is_name() || before(open - 1).is(">"));
}

void Pass::drop_initialisers(std::size_t i) {
  for (; i < size() && !at(i).is(";"); ++i) {
    if (at(i).kind == tok::l_square) i = closing(i);
    if (at(i).is("__attribute__")) i = closing(i + 1);
    if (!at(i).is("=") && at(i).kind != tok::l_brace && at(i).kind != tok::l_paren) continue;
    auto last = at(i).is("=") ? i : closing(i);
    while (last + 1 < size() && !at(last + 1).is(";") && !at(last + 1).is(","))
      last = TokenStream::opens(at(last + 1)) ? closing(last + 1) : last + 1;
    stream_.remove(i, last);
    i = last;
  }
}

// `threadgroup float tile[8][8]` as a parameter is a pointer, `threadgroup float (*tile)[8]`: an
// array in an address space would not become one by itself.
bool Pass::array_parameter() {
  auto open = at_ + 1;
  while (at(open).is("__attribute__") && at(open + 1).kind == tok::l_paren)
    open = closing(open + 1) + 1;
  if (parens_ == 0 || at(open).kind != tok::l_square || begins_attributes(open)) return false;
  bool spaced = false;
  for (auto i = at_; i-- > 0 && !at(i).is(",") && at(i).kind != tok::l_paren;) {
    if (at(i).is(">")) i = angle_opening(i);
    if (!at(i).is_name() && !at(i).is("::") && !at(i).is("<")) return false;
    spaced |= is_other_space(at(i).text);
  }
  if (!spaced) return false;
  const auto end = closing(open);
  const bool more = at(end + 1).kind == tok::l_square && !begins_attributes(end + 1);
  std::string pointer = more ? "(*" : "*";
  stream_.replace(at_, end, pointer.append(at(at_).text).append(more ? ")" : ""));
  at_ = end;
  return true;
}

std::size_t Pass::angle_opening(std::size_t close) const {
  int depth = 0;
  for (auto i = close; i > 0; --i) {
    if (at(i).is(">")) ++depth;
    if (at(i).is(">>")) depth += 2;
    if (at(i).is("<") && --depth == 0) return i;
    if (at(i).is(";") || TokenStream::opens(at(i))) break;
  }
  return close;
}

// Whether a literal may become a pointer: most sources have none, or only formats and the like.
void Pass::collect_text_pointers() {
  for (std::size_t i = 0; i + 2 < size(); ++i) {
    if (!at(i).is("char") && !at(i).is("int8_t")) continue;
    if (at(i + 1).is_name() && at(i + 2).is("[")) {
      const auto behind_length = closing(i + 2) + 1;
      // `char x[] = "text"` is known by itself, unlike a member that a list fills.
      has_text_arrays_ |=
          !at(behind_length).is("=") || at(behind_length + 1).kind != tok::string_literal;
    }
    auto behind = i + 1;
    while (at(behind).is("const") || at(behind).is("constant")) ++behind;
    auto first = i;
    while (before(first).is("const") || before(first).is("constant")) --first;
    for (auto j = first; j < behind && at(behind).is("*"); ++j)
      has_text_pointers_ |= at(j).is("constant");
  }
}

// A literal lies in constant memory. What fills an array stays as it is, and so do the texts of
// declarations and of logs.
void Pass::text() {
  const auto first = at_;
  while (at(at_ + 1).kind == tok::string_literal) ++at_;
  if (before(first).is("extern") || (before(first).is("=") && before(first - 1).is("]"))) return;
  for (auto i = first; i > 0 && !before(i).is(";"); --i) {
    if (TokenStream::closes(before(i))) i = stream_.opening(i - 1) + 1;
    const auto& callee = before(i - 1);
    if (before(i).is("{") && (callee.is(")") || callee.is("else"))) break;  // of a block
    if (before(i).is("{") && has_text_arrays_) return;
    if (before(i).is("(") && (callee.is("static_assert") || callee.is("asm") ||
                              callee.text.find("log") != std::string_view::npos))
      return;
  }
  stream_.replace(at_, std::string(at(at_).text) + "_text");
}

}  // namespace msci::tokens
