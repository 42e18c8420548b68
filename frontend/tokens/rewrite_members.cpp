#include <algorithm>

#include "frontend/tokens/pass.h"

namespace msci::tokens {

namespace {

bool is_class_key(const Token& token) {
  return token.is("struct") || token.is("class") || token.is("union");
}

}  // namespace

// What members of a record's own, and of its bases, a function with an explicit object names:
// fields and functions, but no types and nothing static. And, of fields that are vectors, their
// types.
void Pass::collect_members(std::string_view record) {
  inherit(record);
  const auto end = closing(at_);
  for (auto i = at_ + 1; i < end;) i = collect_member(record, i, end) + 1;
}

void Pass::inherit(std::string_view record) {
  auto i = statement_begin(at_);
  while (i < at_ && !at(i).is(":")) ++i;
  for (; i < at_; ++i) {
    const auto base = members_.find(at(i).text);
    if (base != members_.end() && at(i).text != record)
      members_[record].insert(base->second.begin(), base->second.end());
  }
}

// The member that begins at `first`; its last token.
std::size_t Pass::collect_member(std::string_view record, std::size_t first, std::size_t end) {
  if (at(first + 1).is(":") && at(first).is_name()) return first + 1;  // public:
  auto i = first;
  if (at(i).is("template") && at(i + 1).is("<")) i = closing_angle(i + 1).value_or(i) + 1;
  bool is_member = true;
  for (; i < end; ++i) {
    if (begins_attributes(i)) {
      i = closing(i);
      continue;
    }
    if (at(i).is("__attribute__") && at(i + 1).kind == tok::l_paren) {
      i = closing(i + 1);
      continue;
    }
    if (at(i).is("static") || at(i).is("using") || at(i).is("typedef") || at(i).is("friend") ||
        at(i).is("enum") || at(i).is("static_assert") || is_class_key(at(i)))
      is_member = false;
    if (at(i).is("<") && !before(i).is("operator")) i = closing_angle(i).value_or(i);
    if (at(i).is(";")) {
      if (is_member) member_named(record, first, i);
      return i;
    }
    if (at(i).is(",") || at(i).is("=") || at(i).is("[") || at(i).is(":")) {
      if (is_member) member_named(record, first, i);
      if (at(i).is("[")) i = closing(i);
    }
    if (at(i).is("=")) {
      while (i + 1 < end && !at(i + 1).is(";") && !at(i + 1).is(","))
        i = TokenStream::opens(at(i + 1)) ? closing(i + 1) : i + 1;
    } else if (at(i).is("(")) {
      if (is_member) member_named(record, first, i);
      i = function_end(after_qualifiers(closing(i) + 1));
      return i;
    } else if (at(i).is("{")) {
      if (is_member) member_named(record, first, i);
      i = closing(i);
      if (!is_member && at(i + 1).is(";")) return i + 1;
    }
  }
  return i;
}

void Pass::member_named(std::string_view record, std::size_t first, std::size_t behind) {
  if (behind <= first || !before(behind).is_name() || begins_attributes(behind)) return;
  const auto name = before(behind).text;
  members_[record].insert(name);
  for (auto j = first; j + 1 < behind; ++j)
    if (vector_width(at(j).text)) vector_fields_[record][name] = at(j).text;
}

// Member functions of an address space. Here an object in the default space is one in any, so
// a function serves all spaces, and its twins for other spaces go. Only where the result or the
// body names a space itself does the function get an explicit object:
//   device T& operator[](int i) device {…}  →  device T& operator[](this device S& $self, int i)
//   {…}
// with the members in its body named as $self's. Called with the ')' of the parameters at at_.
void Pass::member_function() {
  const auto end = after_qualifiers(at_ + 1);
  const auto open = stream_.opening(at_);
  const auto record = scope() == Scope::record ? blocks_.back().record : record_before(open);
  if (record.empty()) return;
  if (at(end).is(":")) initialise_vectors(end, record);
  std::string_view space;
  for (auto i = at_ + 1; i < end; ++i)
    if (is_address_space(at(i).text)) space = at(i).text;
  const auto last = function_end(end);
  const auto [twin, is_first] = functions_.emplace(signature(record, open, end), !space.empty());
  const bool is_twin = !is_first && (twin->second || !space.empty());
  if ((is_twin || is_default_in_other_space(open, end)) && last < size())
    return remove(statement_begin(open), last);
  if (space.empty()) return;
  if (needs_explicit_object(space, open, end, last)) return explicit_object(open, end, record);
  for (auto i = returns_object(open, end) ? statement_begin(open) : at_ + 1; i < end; ++i) {
    if (i == open) i = at_ + 1;
    if (is_address_space(at(i).text)) stream_.remove(i, i);
  }
  at_ = end - 1;
}

// The record in `S<T>::f(`, where the '(' is at `open`.
std::string_view Pass::record_before(std::size_t open) const {
  for (auto i = open; i > 0 && i + 8 > open; --i) {
    if (!at(i).is("::")) continue;
    const auto name = before(i).is(">") ? angle_opening(i - 1) - 1 : i - 1;
    return members_.contains(at(name).text) ? at(name).text : std::string_view();
  }
  return {};
}

// All of a function that tells it from others: all but the address space of its object, and with
// what is in its body.
std::string Pass::signature(std::string_view record, std::size_t open, std::size_t end) const {
  std::string text(record);
  text.append(std::to_string(blocks_.empty() ? 0 : blocks_.back().begin));
  const auto last = function_end(end);
  const auto is_object = [&](std::size_t i) {
    return (i > at_ && i < end) || (i < open && returns_object(open, end));
  };
  for (auto i = statement_begin(open); i <= last && i < size(); ++i)
    if (!is_object(i) || !is_address_space(at(i).text)) text.append(" ").append(at(i).text);
  return text;
}

// `device S& operator=(…) device { …; return *this; }`: in any space, an assignment returns the
// object in the default space.
bool Pass::returns_object(std::size_t open, std::size_t end) const {
  const auto& symbol = before(open).text;
  const bool assigns = before(open - 1).is("operator") && symbol.ends_with("=") && symbol != "==" &&
                       symbol != "!=" && symbol != "<=" && symbol != ">=";
  if (!assigns) return false;
  const auto last = std::min(function_end(end), size());
  for (auto i = end; i < last; ++i)
    if (at(i).is("return") && !(at(i + 1).is("*") && at(i + 2).is("this") && at(i + 3).is(";")))
      return false;
  return true;
}

// `device S& operator=(const device S&) device = default;`: what C++ makes for the default space
// copies from all others to all others.
bool Pass::is_default_in_other_space(std::size_t open, std::size_t end) const {
  if (!at(end).is("=") || !at(end + 1).is("default") || at(open + 1).is(")")) return false;
  for (auto i = statement_begin(open); i < end; ++i)
    if (is_other_space(at(i).text)) return true;
  return false;
}

bool Pass::needs_explicit_object(std::string_view space, std::size_t open, std::size_t end,
                                 std::size_t last) const {
  const bool constructs = scope() == Scope::record && before(open).is(blocks_.back().record);
  if (space == "thread" || constructs || at(end).is("=")) return false;
  const auto names_space = [&](std::size_t first, std::size_t behind) {
    for (auto i = first; i < behind; ++i)
      if (is_other_space(at(i).text)) return true;
    return false;
  };
  return (!returns_object(open, end) && names_space(statement_begin(open), open)) ||
         (last < size() && names_space(end, last));
}

void Pass::explicit_object(std::size_t open, std::size_t end, std::string_view record) {
  std::string object = "this ";
  for (auto i = at_ + 1; i < end; ++i)
    if (!at(i).is("noexcept")) object.append(at(i).text).append(" ");
  object.append(record).append("& $self").append(at(open + 1).is(")") ? "" : ", ");
  stream_.insert_before(open + 1, object);
  stream_.remove(at_ + 1, end - 1);
  self_end_ = at(end).is("{") ? closing(end) : end;
  self_members_ = members_[record];
  for (auto i = open; i < at_; ++i) self_members_.erase(at(i).text);
  at_ = end - 1;
}

// Removes a whole member, [first, last].
void Pass::remove(std::size_t first, std::size_t last) {
  stream_.remove(first, last);
  at_ = last;
}

// `S(float x) : v(x, 0) {`: what builds the vector v is named.
void Pass::initialise_vectors(std::size_t colon, std::string_view record) {
  const auto& vectors = vector_fields_[record];
  for (auto i = colon + 1; i < size() && !at(i).is("{"); ++i) {
    const auto field = vectors.find(at(i).text);
    if (at(i + 1).kind != tok::l_paren) continue;
    const auto close = closing(i + 1);
    if (field != vectors.end() && stream_.list_size(i + 1, close) > 1) {
      stream_.insert_before(i + 2, dollar(field->second).append("("));
      stream_.insert_before(close, ")");
    }
    i = close;
  }
}

bool Pass::qualify_member(const Token& token) {
  const auto& previous = before(at_);
  if (token.is("this")) {
    stream_.replace(at_, "(&$self)");
    return true;
  }
  if (!self_members_.contains(token.text) || previous.is(".") || previous.is("->") ||
      previous.is("::"))
    return false;
  if (previous.is_name() && !precedes_expression(previous)) {  // a variable of the same name
    self_members_.erase(token.text);
    return false;
  }
  stream_.insert_before(at_, "$self.");
  return true;
}

}  // namespace msci::tokens
