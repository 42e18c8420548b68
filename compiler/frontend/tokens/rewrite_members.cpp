#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <utility>

#include "compiler/frontend/tokens/pass.h"

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
  collect_spaced_functions(record);
}

// The functions of a record whose objects must lie in the space that they name, in order of
// places; those that call them follow.
void Pass::collect_spaced_functions(std::string_view record) {
  auto& spaced = spaced_functions_[record];
  collect_space_overloads(record);
  std::size_t known = 0;
  do {
    known = spaced.size();
    for_each_function([&](std::size_t open, std::size_t end) {
      if (before(open).is_name() && !before(open - 1).is("operator") &&
          needs_explicit_object(record, open, end))
        spaced.insert(before(open).text);
    });
  } while (spaced.size() > known);
}

// Of the record whose '{' is at at_: `work` gets where the parameters of each function begin and
// where its qualifiers end, and at_ is at the ')' of the parameters.
void Pass::for_each_function(const std::function<void(std::size_t, std::size_t)>& work) {
  const auto here = at_;
  const auto behind = closing(at_);
  for (auto i = here + 1; i < behind; ++i) {
    if (at(i).kind == tok::l_brace) i = closing(i);
    if (at(i).kind != tok::l_paren) continue;
    const auto open = i;
    i = closing(i);
    at_ = i;
    const auto end = after_qualifiers(i + 1);
    if (ends_parameters()) work(open, end);
  }
  at_ = here;
}

// Functions that differ in the space of their object, and in what they do.
void Pass::collect_space_overloads(std::string_view record) {
  bool names_any = false;
  for_each_function([&](std::size_t, std::size_t end) { names_any |= names_space(at_ + 1, end); });
  if (!names_any) return;  // as in most records
  std::map<std::string, std::string> bodies;
  for_each_function([&](std::size_t open, std::size_t end) {
    auto declared = declaration(record, open, end);
    const auto last = function_end(end);
    std::string body;
    for (auto i = end; i <= last && i < size(); ++i) body.append(" ").append(at(i).text);
    const auto [first, is_first] = bodies.emplace(declared, body);
    if (!is_first && first->second != body) space_overloads_.insert(std::move(declared));
  });
}

// The name, the parameters and the constness of a member function; not the space of its object.
std::string Pass::declaration(std::string_view record, std::size_t open, std::size_t end) const {
  auto first = open - 1;
  for (auto i = open; i > 0 && i + 3 >= open; --i)
    if (at(i).is("operator")) first = i;
  std::string text(record);
  for (auto i = first; i < end; ++i)
    if (stands_for_const(record, open, i))
      text.append(" const");
    else if (i <= at_ || !is_address_space(at(i).text))
      text.append(" ").append(at(i).text);
  return text;
}

// A record without a name gets one, for the objects of its functions.
std::string_view Pass::name_record() {
  auto& block = blocks_.back();
  auto key = block.begin;
  while (key > 0 && !is_class_key(at(key))) --key;
  if (!is_class_key(at(key)) || !at(closing(block.begin) + 1).is_name()) return {};
  given_names_.push_back("$unnamed" + std::to_string(block.begin));
  block.record = given_names_.back();
  stream_.insert_before(key + 1, block.record);
  const auto here = std::exchange(at_, block.begin);
  collect_members(block.record);
  at_ = here;
  return block.record;
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
  bool has_own_type = false;  // `struct { … } name;`: the member is `name`, not the type
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
        at(i).is("static_assert"))
      is_member = false;
    if (is_member && (at(i).is("enum") || is_class_key(at(i)))) {
      is_member = false;
      has_own_type = true;
    }
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
      if (has_own_type) {
        is_member = true;
        first = i;
      }
    }
  }
  return i;
}

void Pass::member_named(std::string_view record, std::size_t first, std::size_t behind) {
  if (behind <= first || !before(behind).is_name() || begins_attributes(behind)) return;
  if (before(behind - 1).is("operator")) return;  // `operator float()`: a type
  const auto name = before(behind).text;
  members_[record].insert(name);
  for (auto j = first; j + 1 < behind; ++j)
    if (auto type = vector_named(j); !type.empty()) vector_fields_[record][name] = std::move(type);
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
  auto record = scope() == Scope::record ? blocks_.back().record : record_before(open);
  if (record.empty() && scope() == Scope::record && names_space(at_ + 1, end))
    record = name_record();
  if (record.empty()) return;
  if (at(end).is(":")) initialise_vectors(end, record);
  std::string_view space;
  for (auto i = at_ + 1; i < end; ++i)
    if (is_address_space(at(i).text)) space = at(i).text;
  const auto last = function_end(end);
  if (!is_default_in_other_space(open, end) && needs_explicit_object(record, open, end))
    return explicit_object(open, end, record);
  const auto [twin, is_first] = functions_.emplace(signature(record, open, end), !space.empty());
  const bool is_twin = !is_first && (twin->second || !space.empty());
  if ((is_twin || is_default_in_other_space(open, end)) && last < size())
    return remove(statement_begin(open), last);
  if (space.empty()) return;
  for (auto i = returns_object(open, end) ? statement_begin(open) : at_ + 1; i < end; ++i) {
    if (i == open) i = at_ + 1;
    if (i > at_ && stands_for_const(record, open, i))
      stream_.replace(i, "const");
    else if (is_address_space(at(i).text))
      stream_.remove(i, i);
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
  const auto first = statement_begin(open);
  auto result_end = first;
  while (result_end < open && !at(result_end).is("(")) ++result_end;
  const auto is_object = [&](std::size_t i) {
    // A thread keeps what is in either space.
    const bool is_kept = i < result_end && (at(i).is("thread") || at(i).is("ray_data"));
    return is_kept || (i > at_ && i < end) || (i < open && returns_object(open, end));
  };
  for (auto i = first; i <= last && i < size(); ++i)
    if (!is_object(i) || !is_address_space(at(i).text)) text.append(" ").append(at(i).text);
  for (auto i = at_ + 1; i < end; ++i)
    if (stands_for_const(record, open, i)) text.append(" const");
  return text;
}

bool Pass::constructs(std::string_view record, std::size_t open) const {
  const auto name = before(open).is(">") ? angle_opening(open - 1) : open;
  return before(name).is(record);
}

// Whether the qualifier at `i` of a function is a `constant` without `const`: what lies in constant
// memory is constant, whether its functions say so or not.
bool Pass::stands_for_const(std::string_view record, std::size_t open, std::size_t i) const {
  return at(i).is("constant") && !before(i).is("const") && !at(i + 1).is("const") &&
         !constructs(record, open);
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

bool Pass::names_space(std::size_t first, std::size_t behind) const {
  for (auto i = first; i < behind; ++i)
    if (is_other_space(at(i).text)) return true;
  return false;
}

// Whether [first, behind) calls a function of the same object that has an explicit one.
bool Pass::calls_spaced_function(std::string_view record, std::size_t first,
                                 std::size_t behind) const {
  const auto spaced = spaced_functions_.find(record);
  if (spaced == spaced_functions_.end()) return false;
  for (auto i = first; i < behind; ++i) {
    const bool of_other = before(i).is(".") || before(i).is("::") ||
                          (before(i).is("->") && !before(i - 1).is("this"));
    if (!of_other && at(i + 1).kind == tok::l_paren && spaced->second.contains(at(i).text))
      return true;
  }
  return false;
}

// Of the function whose parameters [open, at_] and qualifiers end before `end`. Where the body
// stands elsewhere, both places must say the same, so there it always has one. A member of payloads
// (`ray_data`) keeps its qualifier: as an explicit object, it would equal the one of `thread`.
bool Pass::needs_explicit_object(std::string_view record, std::size_t open, std::size_t end) const {
  const bool is_of_payloads = std::ranges::any_of(std::views::iota(at_ + 1, end),
                                                  [&](auto i) { return at(i).is("ray_data"); });
  if (constructs(record, open) || at(end).is("=") || is_of_payloads || !names_space(at_ + 1, end))
    return false;
  if (space_overloads_.contains(declaration(record, open, end))) return true;
  const bool is_apart = at(end).is(";") || record_before(open) == record;
  if (!returns_object(open, end) && (is_apart || names_space(statement_begin(open), open)))
    return true;
  const auto last = function_end(end);
  return last < size() && (names_space(end, last) || calls_spaced_function(record, end, last));
}

void Pass::explicit_object(std::size_t open, std::size_t end, std::string_view record) {
  std::string object = "this ";
  for (auto i = at_ + 1; i < end; ++i)
    if (!at(i).is("noexcept")) object.append(at(i).text).append(" ");
  object.append(record).append("& $self").append(at(open + 1).is(")") ? "" : ", ");
  stream_.insert_before(open + 1, object);
  stream_.remove(at_ + 1, end - 1);
  self_begin_ = end;
  self_end_ = at(end).is("{") ? closing(end) : end;
  hidden_until_.clear();
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
      stream_.insert_before(i + 2, builder_of(field->second).append("("));
      stream_.insert_before(close, ")");
    }
    i = close;
  }
}

// Whether the name at at_ is that of a new variable: `int x`, `thread T& x`, `device T* x`.
bool Pass::declares_variable() const {
  auto i = at_;
  while (before(i).is("*") || before(i).is("&") || before(i).is("const")) --i;
  if (i == at_) return before(i).is_name() && !precedes_expression(before(i));
  for (; before(i).is_name() || before(i).is("::"); --i)
    if (is_address_space(before(i).text)) return true;
  return false;
}

// Where the scope of a variable ends that is declared at at_: with its block, or behind what
// follows the parentheses of a loop or of parameters.
std::size_t Pass::scope_end() const {
  if (parens_ == 0) return blocks_.empty() ? self_end_ : closing(blocks_.back().begin);
  auto i = at_;
  while (i > 0 && !before(i).is("("))
    i = TokenStream::closes(before(i)) ? stream_.opening(i - 1) : i - 1;
  for (i = closing(i - 1) + 1; i < size() && !at(i).is("{") && !at(i).is(";");)
    i = TokenStream::opens(at(i)) ? closing(i) + 1 : i + 1;
  return at(i).is("{") ? closing(i) : i;
}

// Whether at_ lies in a record inside of the function with an explicit object.
bool Pass::is_in_local_record() const {
  return std::ranges::any_of(blocks_, [&](const Block& block) {
    return block.scope == Scope::record && block.begin > self_begin_;
  });
}

bool Pass::names_member_of_local_record(std::string_view name) const {
  return std::ranges::any_of(blocks_, [&](const Block& block) {
    const auto members = members_.find(block.record);
    return block.scope == Scope::record && block.begin > self_begin_ && members != members_.end() &&
           members->second.contains(name);
  });
}

bool Pass::qualify_member(const Token& token) {
  if (token.is("this") && !is_in_local_record()) {
    stream_.replace(at_, "(&$self)");
    return true;
  }
  const auto& previous = before(at_);
  if (!self_members_.contains(token.text) || previous.is(".") || previous.is("->") ||
      previous.is("::"))
    return false;
  const auto hidden = hidden_until_.find(token.text);
  if ((hidden != hidden_until_.end() && at_ < hidden->second) ||
      names_member_of_local_record(token.text))
    return false;
  if (declares_variable()) {
    hidden_until_[token.text] = scope_end();
    return false;
  }
  stream_.insert_before(at_, "$self.");
  return true;
}

}  // namespace msci::tokens
