#include "compiler/frontend/tokens/pass.h"

#include <algorithm>

namespace msci::tokens {

bool is_scalar(std::string_view name) {
  static const std::set<std::string_view> scalars{"float", "half",  "bfloat", "int",
                                                  "uint",  "short", "ushort", "char",
                                                  "uchar", "long",  "ulong",  "bool"};
  return scalars.contains(name);
}

unsigned vector_width(std::string_view name) {
  if (name.starts_with("packed_")) name.remove_prefix(7);
  if (name.size() < 2) return 0;
  const char width = name.back();
  name.remove_suffix(1);
  return width >= '2' && width <= '4' && is_scalar(name) ? width - '0' : 0;
}

bool is_address_space(std::string_view word) {
  return word == "device" || word == "threadgroup" || word == "thread" || word == "constant" ||
         word == "threadgroup_imageblock" || word == "object_data" || word == "ray_data";
}
bool precedes_expression(const Token& token) {
  return token.is("return") || token.is("case") || token.is("else") || token.is("do") ||
         token.is("goto");
}

std::string dollar(std::string_view name) {
  std::string ours(name);
  ours.front() = '$';
  return ours;
}

Tokens Pass::run() {
  collect_type_names();
  collect_text_pointers();
  for (at_ = 0; at_ < stream_.size(); ++at_) visit();
  return stream_.changed();
}

void Pass::visit() {
  const auto& token = at(at_);
  if (token.is_system) return;
  if (begins_attributes(at_)) return attributes();
  if (token.kind == tok::l_brace) return open_brace();
  if (token.kind == tok::r_brace) return close_brace();
  if (token.kind == tok::l_paren) return open_paren();
  if (token.kind == tok::r_paren) return close_paren();
  if (token.kind == tok::numeric_constant) return number(token);
  if (token.kind == tok::string_literal && has_text_pointers_) return text();
  if (token.is_name()) visit_name(token);
}

void Pass::visit_name(const Token& token) {
  if (token.is("threadgroup")) return threadgroup_variable();
  if (token.is("template") && begins_attributes(at_ + 1)) return explicit_instantiation();
  if (token.is("__attribute__")) return gnu_attribute();
  if (token.is("coherent")) return coherent();
  // Members are overloaded by it; elsewhere it is what a thread keeps.
  if (token.is("ray_data") && scope() == Scope::record && parens_ > 0)
    return stream_.replace(at_, "__attribute__((address_space(1)))");
  // Metal's word is a specifier, and no list of attributes may stand behind one.
  if (token.is("kernel") && begins_attributes(at_ + 1))
    return stream_.replace(at_, "__attribute__((annotate(\"kernel\"))) extern");
  if (token.is("static_cast") && at(at_ + 1).is("<")) return static_cast_to_vector();
  if (is_vec(token) && at(at_ + 1).is("<")) return vec();
  if (at_ < self_end_ && qualify_member(token)) return;
  if (array_parameter()) return;
  const auto& next = at(at_ + 1);
  if (next.kind == tok::l_paren && token.is("decltype")) return construct_from_decltype();
  if (next.kind == tok::l_paren || next.kind == tok::l_brace) return construct();
  if (next.is("<") && type_names_.contains(token.text)) return construct_from_alias();
  if (next.is_name() && vector_width(token.text))
    vector_variable(at_, at_, dollar(token.text).insert(0, before(at_).is("::") ? "metal::" : ""));
  if (next.is_name() && vector_aliases_.contains(token.text) && !before(at_).is("::"))
    vector_variable(at_, at_, make(token.text));
}

void Pass::open_brace() {
  list_argument();
  Block block{.scope = block_scope(), .parens = parens_, .begin = at_};
  if (block.scope == Scope::record) {
    block.record = record_name();
    collect_members(block.record);
  }
  blocks_.push_back(block);
  parens_ = 0;
}

void Pass::close_brace() {
  if (blocks_.empty()) return;
  parens_ = blocks_.back().parens;
  blocks_.pop_back();
}

void Pass::open_paren() {
  if (cast()) return;
  ++parens_;
}

void Pass::close_paren() {
  if (parens_) --parens_;
  if (parens_ == 0 && (scope() == Scope::record || scope() == Scope::none) && ends_parameters())
    member_function();
}

// Whether the ')' at at_ may end a function's parameters; that of an attribute does not.
bool Pass::ends_parameters() const {
  const auto& name = before(stream_.opening(at_));
  return !name.is("__attribute__") && !name.is("alignas") && !name.is("decltype") &&
         !name.is("__declspec") && !name.is("noexcept") && !name.is("static_assert");
}

// The first token of the statement or declaration that `index` stands in.
std::size_t Pass::statement_begin(std::size_t index) const {
  for (; index > 0; --index) {
    const auto& previous = before(index);
    if (previous.is_system || previous.raw.isAnnotation()) break;
    if (previous.kind == tok::r_paren) {
      if (const auto open = stream_.opening(index - 1); open > 0) index = open + 1;
      continue;
    }
    if (previous.is(";") || previous.is("{") || previous.is("}") ||
        (previous.is(":") && !before(index - 1).is("?") &&
         (before(index - 1).is("public") || before(index - 1).is("private") ||
          before(index - 1).is("protected"))))
      break;
  }
  return index;
}

// Looks back from the '{' at at_ to the start of its statement.
Scope Pass::block_scope() const {
  const auto& previous = before(at_);
  const auto first = statement_begin(at_);
  const bool parameters = has_parameters(first);
  for (auto i = first; i < at_ && !parameters; ++i)
    if (at(i).is("struct") || at(i).is("union") || at(i).is("enum") ||
        (at(i).is("class") && !before(i).is("<") && !before(i).is(",")))
      return at(i).is("enum") ? Scope::other : Scope::record;
  if (scope() == Scope::function) return Scope::function;
  if (previous.is("=") || previous.is(",") || previous.is("(")) return Scope::other;
  if (at(first).is("namespace") || at(first).is("extern") ||
      (at(first).is("inline") && at(first + 1).is("namespace")))
    return parameters ? Scope::function : Scope::none;
  return parameters ? Scope::function : Scope::other;
}

// Whether a parameter list stands in [first, at_); alignas(…) and attributes are none.
bool Pass::has_parameters(std::size_t first) const {
  for (auto i = first; i < at_; ++i) {
    if (begins_attributes(i)) i = closing(i);
    if (at(i).kind != tok::l_paren) continue;
    const auto& name = before(i);
    if (!name.is("alignas") && !name.is("__attribute__") && !name.is("decltype") &&
        !in_template_list(first, i))
      return true;
    i = closing(i);
  }
  return false;
}

// Whether `index` lies in `template <…>` at the statement's begin.
bool Pass::in_template_list(std::size_t first, std::size_t index) const {
  if (!at(first).is("template") || !at(first + 1).is("<")) return false;
  const auto end = closing_angle(first + 1);
  return end && index < *end;
}

std::string_view Pass::record_name() const {
  std::string_view name;
  for (auto i = statement_begin(at_); i < at_ && !at(i).is(":") && !at(i).is("final"); ++i) {
    if (at(i).is("template") && at(i + 1).is("<")) i = closing_angle(i + 1).value_or(i);
    if (begins_attributes(i) || at(i).kind == tok::l_paren) i = closing(i);
    if (at(i).is("<")) i = closing_angle(i).value_or(i);
    if (at(i).is_name()) name = at(i).text;
  }
  return name == "struct" || name == "class" || name == "union" ? std::string_view() : name;
}

// Where the function ends whose parameters and qualifiers end before `i`: at its '}' or ';'.
std::size_t Pass::function_end(std::size_t i) const {
  if (at(i).is(":")) i = initialisers_end(i);
  while (i < size() && !at(i).is(";") && !at(i).is("{")) ++i;
  return at(i).is("{") ? closing(i) : i;
}

// `: a(x), b<T>{y}` → behind it.
std::size_t Pass::initialisers_end(std::size_t colon) const {
  for (auto i = colon + 1; i < size(); ++i) {
    if (at(i).is("<")) i = closing_angle(i).value_or(i);
    if (!TokenStream::opens(at(i))) continue;
    i = closing(i);
    if (!at(i + 1).is(",")) return i + 1;
  }
  return size();
}

// Behind `const device noexcept` and what else may stand behind a function's parameters.
std::size_t Pass::after_qualifiers(std::size_t i) const {
  while (at(i).is("const") || at(i).is("volatile") || at(i).is("noexcept") ||
         is_address_space(at(i).text))
    ++i;
  return i;
}

}  // namespace msci::tokens
