#include <cctype>
#include <utility>

#include "compiler/frontend/tokens/pass.h"

namespace msci::tokens {

// Types that may be vectors, by name: `T(a, b)` must build one.
void Pass::collect_type_names() {
  std::set<std::string_view> parameters;
  for (std::size_t i = 0; i + 1 < size(); ++i) {
    if (at(i).is_system) continue;
    const bool parameter =
        at(i).is("typename") || (at(i).is("class") && (before(i).is("<") || before(i).is(",")));
    if (parameter && at(i + 1).is_name() && !at(i + 2).is("::")) {
      type_names_.insert(at(i + 1).text);
      parameters.insert(at(i + 1).text);
    }
    if (at(i).is("using") && at(i + 2).is("=")) {
      type_names_.insert(at(i + 1).text);
      if (const auto last = names_vector(i + 3); last && at(*last + 1).is(";"))
        vector_aliases_.insert(at(i + 1).text);
    }
    if (at(i).is("typedef")) collect_typedef(i);
    // Clang has no conversion between half and bfloat, not even an explicit one.
    if (at(i).is("bfloat") && version_.number >= 310) type_names_.insert({"half", "bfloat"});
    if (at(i).is("template") && at(i + 1).is("<")) collect_template(i);
  }
  // A name that is a parameter somewhere may stand for anything there.
  for (const auto name : parameters) vector_aliases_.erase(name);
}

// Index of the last token of a type that begins at `first` and is a vector.
std::optional<std::size_t> Pass::names_vector(std::size_t first) const {
  while (at(first).is("const")) ++first;
  if (at(first).is("metal") && at(first + 1).is("::")) first += 2;
  if (vector_width(at(first).text) || vector_aliases_.contains(at(first).text)) return first;
  return is_vec(at(first)) && at(first + 1).is("<") ? closing_angle(first + 1) : std::nullopt;
}

void Pass::collect_template(std::size_t i) {
  const auto end = closing_angle(i + 1);
  if (!end) return;
  for (i = *end + 1; i < size() && !at(i).is("{") && !at(i).is(";") && !at(i).is("="); ++i) {
    if (begins_attributes(i)) i = closing(i);
    if (at(i).kind != tok::l_paren) continue;
    const auto& name = before(i);
    if (name.is_name() && !name.is("__attribute__") && !name.is("decltype")) {
      function_templates_.emplace(name.text, i);
      return;
    }
    i = closing(i);
  }
}

void Pass::collect_typedef(std::size_t i) {
  if (const auto last = names_vector(i + 1); last && at(*last + 2).is(";"))
    vector_aliases_.insert(at(*last + 1).text);
  for (; i + 1 < size() && !at(i).is("{") && !at(i).is(";"); ++i)
    if (at(i + 1).is(";") && at(i).is_name()) type_names_.insert(at(i).text);
}

// Metal has no double: 0.5 is a float, in templates too. 4.0H and 1.0bf end in ways that C++
// keeps for itself.
void Pass::number(const Token& token) {
  const auto& text = token.text;
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex && text.find_first_of("pP") == text.npos) return;
  std::string ours(text);
  if (text.ends_with("H"))
    ours.back() = 'h';
  else if ((text.ends_with("bf") || text.ends_with("BF")) && version_.number >= 310)
    ours.replace(text.size() - 2, 2, "_b");
  else if (text.find_first_of(is_hex ? "pP" : ".eE") != text.npos &&
           (std::isdigit(static_cast<unsigned char>(text.back())) || text.back() == '.'))
    ours += 'f';
  else
    return;
  stream_.replace(at_, ours);
}

// f({a, b, c}): Clang takes no list for a vector when it chooses a function.
void Pass::list_argument() {
  const auto& previous = before(at_);
  if (parens_ == 0 || (!previous.is("(") && !previous.is(","))) return;
  const auto end = closing(at_);
  const auto size = stream_.list_size(at_, end);
  if ((!at(end + 1).is(",") && !at(end + 1).is(")")) || size < 2 || size > 4) return;
  for (auto i = at_ + 1; i < end; ++i) {
    const bool is_designator = at(i).is(".") && TokenStream::opens(before(i));
    if (at(i).is(";") || at(i).is("{") || is_designator) return;
  }
  if (takes_list(at_)) return;
  stream_.replace(at_, "$braces(");
  stream_.replace(end, ")");
}

// Whether the list at `brace` is an argument of a function template whose parameter is not a
// vector: what a parameter is deduced from elsewhere, the compiler makes of a list itself.
bool Pass::takes_list(std::size_t brace) const {
  std::size_t place = 0, i = brace;
  while (i > 0 && at(i - 1).kind != tok::l_paren) {
    --i;
    if (at(i).is(",")) ++place;
    if (TokenStream::closes(at(i))) i = stream_.opening(i);
    if (at(i).is(";")) return false;
  }
  if (i < 2) return false;
  auto callee = i - 2;
  if (at(callee).is(">")) callee = angle_opening(callee) - 1;
  const auto [first, behind] = function_templates_.equal_range(at(callee).text);
  for (auto each = first; each != behind; ++each) {
    auto parameter = each->second + 1;
    const auto end = closing(each->second);
    for (auto left = place; left > 0 && parameter < end; ++parameter) {
      if (at(parameter).is("<")) parameter = closing_angle(parameter).value_or(parameter);
      if (TokenStream::opens(at(parameter))) parameter = closing(parameter);
      if (at(parameter).is(",")) --left;
    }
    while (at(parameter).is("const") || is_address_space(at(parameter).text)) ++parameter;
    if (parameter < end && !vector_type(parameter)) return true;
  }
  return false;
}

// float4(…) becomes a call of the function $loat4(…), T(…) of $make<T>(…). Braces stay where they
// hold one value for each element: they check for narrowing.
void Pass::construct() {
  const auto& token = at(at_);
  const auto& previous = before(at_);
  const auto width = vector_width(token.text);
  if (!width && !type_names_.contains(token.text)) return;
  if (previous.is("operator") || previous.is("typename") || previous.is("struct") ||
      previous.is("class") || previous.is("new") || previous.is("~") || previous.is(".") ||
      previous.is("->"))
    return;
  if (at(at_ + 1).kind == tok::l_brace) return width ? construct_from_list(width) : void();
  if (begins_declarator(at_ + 1) || lists_types(at_ + 1) || !at(closing(at_ + 1)).is(")")) return;
  if (width)
    stream_.replace(at_, dollar(token.text));
  else if (previous.is("::"))
    construct_qualified();
  else if (!at(at_ + 2).is("{") && !declares_function())
    stream_.replace(at_, make(token.text));
}

// Whether the parentheses at `open` hold several values.
bool Pass::lists_values(std::size_t open) const {
  return scope() == Scope::function && at(open).kind == tok::l_paren && closing(open) < size() &&
         stream_.list_size(open, closing(open)) > 1 && !lists_types(open) &&
         !begins_declarator(open);
}

// The type [first, open) before the '(' builds a value.
void Pass::make_of(std::size_t first, std::size_t open) {
  stream_.insert_before(first, "$make<");
  stream_.insert_before(open, ">");
}

// typename Traits<T>::V(a, b)
void Pass::construct_qualified() {
  if (!lists_values(at_ + 1)) return;
  auto first = at_;
  while (before(first).is("::")) {
    first -= 2;
    if (at(first).is(">")) first = angle_opening(first) - 1;
    if (!at(first).is_name()) return;
  }
  if (before(first).is("typename")) --first;
  if (!before(first).is_name() || precedes_expression(before(first))) make_of(first, at_ + 1);
}

// Four<T>(a, b, c, d), where Four is an alias of a vector.
void Pass::construct_from_alias() {
  const auto end = closing_angle(at_ + 1);
  const auto& previous = before(at_);
  if (!end || previous.is("::") || (previous.is_name() && !precedes_expression(previous))) return;
  if (at(*end + 1).is_name() && vector_aliases_.contains(at(at_).text))
    return vector_variable(at_, *end, built_by(*end + 2, "$make<", at_, *end, ">"));
  if (lists_values(*end + 1)) make_of(at_, *end + 1);
}

// decltype(v)(a, b)
void Pass::construct_from_decltype() {
  const auto end = closing(at_ + 1);
  if (end < size() && lists_values(end + 1)) make_of(at_, end + 1);
}

// A constructor of that name: `T(int x) {`, `T(…);` among a record's members.
bool Pass::declares_function() const {
  return scope() == Scope::record && parens_ == 0 &&
         (blocks_.back().record == at(at_).text || before(at_).is_name());
}

// `(&rows)[4]`, `(*f)(int)` after a type.
bool Pass::begins_declarator(std::size_t open) const {
  return (at(open + 1).is("&") || at(open + 1).is("*")) && at(open + 3).is(")") &&
         (at(open + 4).is("[") || at(open + 4).is("("));
}

// `float3(float3 a, device float*)` is the type of a function: its list begins with a type.
bool Pass::lists_types(std::size_t open) const {
  auto first = open + 1;
  while (is_address_space(at(first).text) || at(first).is("const")) ++first;
  const auto last = vector_type(first);
  const bool is_type = last || is_scalar(at(first).text) || at(first).is("void");
  const auto& next = at(last.value_or(first) + 1);
  return is_type &&
         (next.is(",") || next.is(")") || next.is("*") || next.is("&") || next.is_name());
}

// float4{a.xy, b, c} → $loat4(a.xy, b, c)
void Pass::construct_from_list(std::size_t width) {
  const auto end = closing(at_ + 1);
  const auto size = stream_.list_size(at_ + 1, end);
  if (end >= stream_.size() || size < 2 || size >= width) return;
  stream_.replace(at_, dollar(at(at_).text));
  stream_.replace(at_ + 1, "(");
  stream_.replace(end, ")");
}

// What builds a vector of this type, up to its '('.
std::string Pass::builder_of(std::string_view type) {
  return vector_width(type) ? dollar(type) : make(type);
}

std::string Pass::make(std::string_view type) {
  std::string call = "$make<";
  return call.append(type).append(">");
}

// The vector type whose name begins at `first`, as it is written; else "".
std::string Pass::vector_named(std::size_t first) const {
  if (vector_width(at(first).text) || vector_aliases_.contains(at(first).text))
    return std::string(at(first).text);
  const auto end =
      is_vec(at(first)) && at(first + 1).is("<") ? closing_angle(first + 1) : std::nullopt;
  if (!end || !at(*end).is(">")) return {};
  std::string type = before(first).is("::") && before(first - 1).is("metal") ? "metal::" : "";
  if (at(first + 2).is("bool")) {
    type = "$bools<";
    first += 4;
  }
  for (; first <= *end; ++first) type.append(at(first).text).append(" ");
  return type;
}

// vec<T, N>(…) becomes $ec<T, N>(…), a call; vec<bool, N> a class of its own.
void Pass::vec() {
  const auto end = closing_angle(at_ + 1);
  if (!end || before(at_).is("operator")) return;
  const bool ends_another = at(*end).is(">>");  // as_type<vec<T, N>>(…)
  const bool calls =
      !ends_another && at(*end + 1).kind == tok::l_paren && !begins_declarator(*end + 1);
  if (at(at_ + 2).is("bool") && at(at_ + 3).is(",")) {
    if (before(at_).is("::") && before(at_ - 1).is("metal")) stream_.remove(at_ - 2, at_ - 1);
    stream_.replace(at_, at_ + 3, calls ? "$make<$bools<" : "$bools<");
    if (calls) stream_.insert_before(*end + 1, ">");
    at_ += 3;
  } else if (calls) {
    stream_.replace(at_, "$ec");
  } else if (!ends_another && at(*end + 1).is_name()) {
    vector_variable(at_, *end, built_by(*end + 2, "$make<", at_, *end, ">"));
  }
}

// The type [first, last] in the middle of a text that begins where the token at `place` stands.
Tokens Pass::built_by(std::size_t place, std::string_view open, std::size_t first, std::size_t last,
                      std::string_view close) {
  auto tokens = stream_.words(open, at(place));
  const auto append = [&](const Tokens& more) {
    tokens.insert(tokens.end(), more.begin(), more.end());
  };
  const auto name = at(first).is("metal") && at(first + 1).is("::") ? first + 2 : first;
  if (at(name).is("vec") && at(name + 2).is("bool") && at(name + 3).is(",")) {
    first = name;
    append(stream_.words("$bools<", at(first)));
    first += 4;
  }
  append(stream_.copy(first, last));
  append(stream_.words(close, at(last + 1)));
  return tokens;
}

// `float4 v(a, b);` is written `float4 v=$loat4(a, b);`. At namespace scope that would be a
// function, unless it lies in `constant`.
void Pass::vector_variable(std::size_t first, std::size_t last, const std::string& maker) {
  vector_variable(first, last, stream_.words(maker, at(first)));
}

void Pass::vector_variable(std::size_t first, std::size_t last, Tokens maker) {
  if (parens_ > 0 || !at(last + 1).is_name()) return;
  bool variable = scope() == Scope::function;
  for (auto i = statement_begin(first); i < first; ++i) {
    variable |= at(i).is("constant");
    if (at(i).is("threadgroup")) return;  // it has no value at first
  }
  if (!variable) return;
  for (auto name = last + 1; at(name).is_name();) {
    const auto open = name + 1;
    if (at(open).kind == tok::l_paren && !at(open + 1).is(")")) {
      auto tokens = stream_.words("=", at(open));
      tokens.insert(tokens.end(), maker.begin(), maker.end());
      stream_.insert_before(open, std::move(tokens));
    }
    name = declarator_end(open);
    if (!at(name).is(",")) return;
    ++name;
  }
}

// The ',' or ';' behind a declarator.
std::size_t Pass::declarator_end(std::size_t i) const {
  while (i < size() && !at(i).is(",") && !at(i).is(";"))
    i = TokenStream::opens(at(i)) ? closing(i) + 1 : i + 1;
  return i;
}

// Index of the last token of a type that begins at `first` and may be a vector, or nothing.
std::optional<std::size_t> Pass::vector_type(std::size_t first) const {
  if (at(first).is("metal") && at(first + 1).is("::")) first += 2;
  if (vector_width(at(first).text) || (at(first).is_name() && type_names_.contains(at(first).text)))
    return first;
  if (is_vec(at(first)) && at(first + 1).is("<")) return closing_angle(first + 1);
  return std::nullopt;
}

// (float4)x converts each element: `$as<float4>()->*x`. The '(' is at at_.
bool Pass::cast() {
  const auto& previous = before(at_);
  if ((previous.is_name() && !precedes_expression(previous)) || previous.is(")") ||
      previous.is("]"))
    return false;
  const auto last = vector_type(at_ + 1);
  if (!last || at(*last + 1).kind != tok::r_paren) return false;
  const auto& operand = at(*last + 2);
  const bool starts = operand.is_name() || operand.kind == tok::numeric_constant ||
                      operand.kind == tok::l_paren || operand.is("-") || operand.is("+") ||
                      operand.is("~") || operand.is("!") || operand.is("*") || operand.is("&");
  if (!starts && operand.kind != tok::l_brace) return false;
  const bool braces = operand.kind == tok::l_brace;
  stream_.replace(at_, *last + 1,
                  built_by(at_, braces ? "" : "$as<", at_ + 1, *last, braces ? "" : ">()->*"));
  at_ = *last + 1;
  return true;
}

void Pass::static_cast_to_vector() {
  const auto last = vector_type(at_ + 2);
  if (!last) return;
  const bool ends_both = at(*last).is(">>");  // static_cast<vec<T, N>>(…)
  const auto end = ends_both ? *last : *last + 1;
  if ((!ends_both && !at(end).is(">")) || at(end + 1).kind != tok::l_paren) return;
  stream_.replace(at_, end, built_by(at_, "$make<", at_ + 2, *last, ends_both ? "" : ">"));
  at_ = end;
}

}  // namespace msci::tokens
