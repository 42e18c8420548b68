#include <algorithm>

#include "compiler/frontend/tokens/pass.h"

namespace msci::tokens {

// [[name(…), name]]: the names that Metal knows become annotations.
void Pass::attributes() {
  const auto end = std::min(closing(at_), size() - 1);
  for (auto i = at_ + 2; i + 1 < end; ++i) {
    const auto* known = metal_attribute(at(i).text);
    if (at(i).is("function_constant") && parens_ == 0 && scope() == Scope::none)
      declare_function_constant();
    if (known && known->kind != AttributeKind::other && parens_ == 0 && scope() == Scope::none)
      declare_input();
    const auto named = i;
    if (at(i + 1).kind == tok::l_paren) i = closing(i + 1);
    if (!known || at(named + 1).is("::") || before(named).is("::")) continue;
    attribute(named, known->form);
    // `[[color(0) index(1)]]`: Metal wants no comma.
    if (i + 1 < end && metal_attribute(at(i + 1).text)) stream_.insert_before(i + 1, ",");
  }
  at_ = end;
}

void Pass::attribute(std::size_t i, AttributeForm form) {
  std::string call = "clang::annotate(\"";
  call.append(at(i).text).append("\"");
  if (at(i + 1).kind != tok::l_paren) return stream_.replace(i, call.append(")"));
  if (form != AttributeForm::words) return stream_.replace(i, i + 1, call.append(", "));
  const auto end = closing(i + 1);
  call.append(", \"");
  for (auto j = i + 2; j < end; ++j)
    if (at(j).kind != tok::string_literal) call.append(j > i + 2 ? " " : "").append(at(j).text);
  stream_.replace(i, end, call.append("\")"));
}

// The host gives a function constant its value, so here it is only declared.
void Pass::declare_function_constant() {
  const auto first = statement_begin(at_);
  for (auto i = first; i < at_; ++i) {
    // What the host sets is not known while compiling.
    if (at(i).is("static") || at(i).is("constexpr")) stream_.remove(i, i);
    if (at(i).kind == tok::l_paren) i = closing(i);
  }
  stream_.insert_before(first, "extern");
}

// `const uint i [[thread_position_in_grid]];`, `device float* constant x [[buffer(0)]];`: a
// constant without a value is only declared.
void Pass::declare_input() {
  const auto first = statement_begin(at_);
  for (auto i = first; i < at_; ++i)
    if (at(i).is("const") || at(i).is("constant")) return stream_.insert_before(first, "extern");
}

// `template [[host_name("f")]] [[kernel]] void f<float>(…);`: the parser takes attributes there
// as GNU's only.
void Pass::explicit_instantiation() {
  while (begins_attributes(at_ + 1)) {
    const auto end = closing(at_ + 1);
    stream_.replace(at_ + 1, at_ + 2, "__attribute__((");
    for (auto i = at_ + 3; i + 1 < end; ++i) {
      if (at(i).is_name()) annotate(i);
      if (at(i + 1).kind == tok::l_paren) i = closing(i + 1);
    }
    stream_.replace(end - 1, end, "))");
    at_ = end;
  }
}

// __attribute__((max_total_threads_per_threadgroup(64)))
void Pass::gnu_attribute() {
  if (at(at_ + 3).is("max_total_threads_per_threadgroup")) annotate(at_ + 3);
  // `float a __attribute__((annotate("x")))[32]`: C++ has no such attribute before the brackets.
  const auto end = closing(at_ + 1);
  if (before(at_).is_name() && at(end + 1).kind == tok::l_square) {
    stream_.remove(at_, end);
    at_ = end;
  }
}

// name(value) → annotate("name", value)
void Pass::annotate(std::size_t i) {
  std::string annotation = "annotate(\"";
  annotation.append(at(i).text);
  if (at(i + 1).kind == tok::l_paren)
    stream_.replace(i, i + 1, annotation.append("\", "));
  else
    stream_.replace(i, annotation.append("\")"));
}

}  // namespace msci::tokens
