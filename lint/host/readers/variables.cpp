#include <algorithm>

#include "lint/host/readers/readers.h"

namespace msci::host {
namespace {

constexpr std::size_t longest_expression = 200;
constexpr std::size_t longest_pattern = 40;
constexpr std::size_t most_parents = 32;

bool is_mark_among(const Word& word, std::string_view marks) {
  return word.kind == Word::Kind::mark && word.text.size() == 1 &&
         marks.find(word.text) != marks.npos;
}

}  // namespace

Variables::Variables(const Calls& calls, HostLanguage language)
    : calls_(calls), words_(calls.words()), language_(language), scopes_(calls, language) {
  read_parameters();
  read_assignments();
}

// Up to the end of the statement, or of the brackets that it stands in.
WordRange Variables::expression_from(std::size_t first) const {
  auto end = first;
  const auto goes_on = [&](std::size_t at) {  // so does a line that begins with an operator
    return !words_[at].starts_line || at == first || is_mark_among(words_[at], ".?+-*/%&|^<>=");
  };
  while (end < words_.size() && end - first < longest_expression) {
    const auto& word = words_[end];
    const bool closes = word.is(")") || word.is("]") || word.is("}");
    const bool ends = word.is(";") || word.is(",") || closes ||
                      (language_ != HostLanguage::rust && !goes_on(end)) ||
                      (end > first && word.is("else"));
    if (ends) break;
    end = calls_.match(end) > end ? calls_.match(end) + 1 : end + 1;
  }
  return {first, std::min(end, words_.size())};
}

// "let n: UInt32 =": UInt32.
WordRange Variables::type_before(std::size_t equals) const {
  for (auto at = equals; at > 1 && equals - at < longest_expression; --at) {
    if (at < equals && words_[at].starts_line) break;
    if (calls_.match(at - 1) < at - 1) {
      at = calls_.match(at - 1) + 1;
      continue;
    }
    if (words_[at - 1].is(":") && !calls_.is(at, ":") && !words_[at - 2].is(":"))
      return {at, equals};
    if (words_[at - 1].is(";") || words_[at - 1].is("(") || words_[at - 1].is(",")) break;
  }
  return {};
}

std::optional<std::size_t> Variables::target_of(std::size_t equals) const {
  if (equals == 0 || equals + 1 >= words_.size() || !words_[equals].is("=")) return std::nullopt;
  const auto& before = words_[equals - 1];
  const bool is_operator =
      is_mark_among(before, "=!<+-*/%&|^") && before.end() == words_[equals].offset;
  if (is_operator || words_[equals + 1].is("=") || words_[equals + 1].is(">")) return std::nullopt;
  const auto type = type_before(equals);
  auto name = type.empty() ? equals - 1 : type.first - 2;
  // The first of Python's "pipeline, error =".
  while (language_ == HostLanguage::python && name > 1 && words_[name - 1].is(",") &&
         words_[name - 2].is_name() && !words_[name].starts_line)
    name -= 2;
  return words_[name].is_name() ? std::optional(name) : std::nullopt;
}

std::string_view Variables::variable_at(std::size_t equals) const {
  const auto name = target_of(equals);
  return name ? words_[*name].text : std::string_view();
}

// "n +=", "n >>=", "n := ": n.
std::optional<std::size_t> Variables::operand_changed_by(std::size_t equals) const {
  if (!words_[equals].is("=") || calls_.is(equals + 1, "=")) return std::nullopt;
  auto at = equals;
  while (at > 0 && is_mark_among(words_[at - 1], "+-*/%&|^<>@?:") &&
         words_[at - 1].end() == words_[at].offset && equals - at < 3)
    --at;
  const auto length = equals - at;
  if (length == 0 || at == 0) return std::nullopt;
  const bool compares = length == 1 && is_mark_among(words_[at], "<>");
  if (compares || !words_[at - 1].is_name()) return std::nullopt;
  return at - 1;
}

bool Variables::is_declared(std::size_t name) const {
  return name > 0 &&
         (words_[name - 1].is("let") || words_[name - 1].is("var") || words_[name - 1].is("mut") ||
          words_[name - 1].is("const") || words_[name - 1].is("static"));
}

// The scope whose variable or member an assignment gives a value; nothing if it is not known.
std::optional<std::size_t> Variables::owner_of_target(std::size_t name) {
  auto scope = scopes_.of(name);
  if (name > 1 && words_[name - 1].is(".")) {
    const bool is_own = words_[name - 2].is("self") && !(name > 2 && words_[name - 3].is("."));
    const auto type = is_own ? scopes_.type_around(scope) : std::nullopt;
    if (!type) foreign_.insert(words_[name].text);
    return type;
  }
  if (language_ == HostLanguage::python || is_declared(name)) return scope;
  for (std::size_t steps = 0; scope != Scopes::file && steps < most_parents; ++steps) {
    const bool is_member = scopes_[scope].is_type && language_ == HostLanguage::swift;
    if (is_member || known_.contains({scope, words_[name].text})) return scope;
    scope = scopes_[scope].parent;
  }
  return Scopes::file;
}

void Variables::assign(std::size_t equals) {
  const bool is_python = language_ == HostLanguage::python;
  const auto name = target_of(equals);
  if (!name) {  // "(a, b) ="
    if (equals > 0 && words_[equals].is("=") && words_[equals - 1].is(")"))
      bind_all({calls_.match(equals - 1), equals});
    return;
  }
  auto first = *name;
  while (first > 1 && words_[first - 1].is(".") && words_[first - 2].is_name()) first -= 2;
  if (is_python && first > 0 && words_[first - 1].is(",")) return bind(*name);
  if (is_python && calls_.is(*name + 1, ",")) bind_all({*name + 1, equals});
  const auto owner = owner_of_target(*name);
  if (!owner) return;
  auto& known = known_[{*owner, words_[*name].text}];
  ++known.times;
  known.assignment = {type_before(equals), expression_from(equals + 1)};
}

void Variables::change(std::size_t name) {
  if (const auto owner = owner_of_target(name)) known_[{*owner, words_[name].text}].changes = true;
}

void Variables::bind(std::size_t name) {
  known_[{scopes_.of(name), words_[name].text}].is_other = true;
}

void Variables::bind_all(WordRange range) {
  range.end = std::min({range.end, words_.size(), range.first + longest_pattern});
  for (auto at = range.first; at < range.end; ++at)
    if (words_[at].is_name()) bind(at);
}

void Variables::read_parameters() {
  for (const auto& range : scopes_.parameters()) {
    bool is_name = true;
    for (auto at = range.first; at < range.end; ++at) {
      if (words_[at].is(",")) is_name = true;
      if (words_[at].is(":") || words_[at].is("=")) is_name = false;
      if (is_name && words_[at].is_name()) bind(at);
      if (!is_name && calls_.match(at) > at) at = calls_.match(at);
    }
  }
}

// Rust's "Some(n) =", "Params { n, .. } =" and "(a, b) =", Swift's "(a, b) =" and ".some(n) =".
void Variables::read_pattern(std::size_t at) {
  auto end = at;
  while (end < words_.size() && end - at < longest_pattern && !words_[end].is("=") &&
         !words_[end].is("in") && !words_[end].is(";"))
    ++end;
  bind_all({at, end});
}

void Variables::read_declaration(std::size_t keyword) {
  auto name = keyword + 1;
  while (calls_.is(name, "mut") || calls_.is(name, "ref")) ++name;
  if (name + 1 >= words_.size()) return;
  if (!words_[name].is_name()) return read_pattern(name);
  const bool is_whole = calls_.is(name + 1, "=") || calls_.is(name + 1, ":");
  if (language_ == HostLanguage::rust) {
    if (calls_.is(name + 1, "(") || calls_.is(name + 1, "{") || calls_.is(name + 2, ":"))
      read_pattern(name);
    else
      known_[{scopes_.of(name), words_[name].text}];
    return;
  }
  if (!is_whole || words_[keyword - (keyword > 0 ? 1 : 0)].is("case")) return bind(name);
  known_[{scopes_.of(name), words_[name].text}];
  for (auto at = name + 1; at < words_.size() && at - name < longest_pattern; ++at) {
    if (words_[at].starts_line || words_[at].is("=") || words_[at].is(";")) return;
    if (words_[at].is("{")) return bind(name);  // its value is computed
  }
}

void Variables::read_loop(std::size_t keyword) {
  for (auto at = keyword + 1; at < words_.size() && at - keyword < longest_pattern; ++at) {
    if (words_[at].is("{") || words_[at].is(";")) return;
    if (words_[at].is("in")) return bind_all({keyword + 1, at});
  }
}

// Swift's "{ a, b in", Rust's "|a, b|", Python's "lambda a, b:".
void Variables::read_closure(std::size_t open) {
  const bool is_rust = language_ == HostLanguage::rust;
  const auto end_mark = is_rust ? "|" : words_[open].is("{") ? "in" : ":";
  const bool begins = open == 0 || words_[open - 1].is("move") || words_[open - 1].is("return") ||
                      is_mark_among(words_[open - 1], "(,={;");
  if (is_rust && !begins) return;  // "or", or the second mark
  for (auto at = open + 1; at < words_.size() && at - open < longest_pattern; ++at) {
    const auto& word = words_[at];
    if (word.is(end_mark)) return bind_all({open + 1, at});
    if (word.is("{") || word.is("}") || word.is(";") || word.is("for") || word.is("let") ||
        word.is("var"))
      return;
  }
}

// Python's "global n": its function assigns the file's variable.
void Variables::read_global(std::size_t at) {
  if (!words_[at].is("global") && !words_[at].is("nonlocal")) return;
  for (++at; at < words_.size() && !words_[at].starts_line && !words_[at].is(";"); ++at) {
    if (!words_[at].is_name()) continue;
    bind(at);
    auto scope = scopes_.of(at);
    for (std::size_t steps = 0; scope != Scopes::file && steps < most_parents; ++steps) {
      scope = scopes_[scope].parent;
      known_[{scope, words_[at].text}].is_other = true;
    }
  }
}

// The names before Rust's "=>".
void Variables::read_arm(std::size_t arrow) {
  auto first = arrow;
  for (; first > 0 && arrow - first < longest_pattern; --first) {
    const auto& before = words_[first - 1];
    if (calls_.match(first - 1) < first - 1)
      first = std::max(calls_.match(first - 1), arrow - std::min(arrow, longest_pattern)) + 1;
    else if (before.is(",") || before.is("{") || before.is(";"))
      break;
  }
  bind_all({first, arrow});
}

// "&n" and "&mut n" may change n, unless Metal's own calls take it.
void Variables::read_reference(std::size_t mark, std::size_t bracket) {
  if (language_ == HostLanguage::rust) {
    if (calls_.is(mark + 1, "mut") && calls_.is_name(mark + 2)) change(mark + 2);
    return;
  }
  const bool is_prefix = mark > 0 && (words_[mark - 1].is("(") || words_[mark - 1].is(",") ||
                                      words_[mark - 1].is(":"));
  if (language_ != HostLanguage::swift || !is_prefix || !calls_.is_name(mark + 1)) return;
  const bool only_reads =
      bracket > 0 && (words_[bracket - 1].is("setBytes") || words_[bracket - 1].is("makeBuffer"));
  if (!only_reads) change(mark + 1);
}

// The names that a word binds in another way than by `=`.
void Variables::read_names(std::size_t at, std::size_t bracket) {
  const auto& word = words_[at];
  const bool is_python = language_ == HostLanguage::python;
  const bool is_swift = language_ == HostLanguage::swift;
  if (word.is("for")) return read_loop(at);
  if (is_python && word.is("lambda")) return read_closure(at);
  if (is_python && word.is("as") && calls_.is_name(at + 1)) return bind(at + 1);
  if (is_python) return read_global(at);
  if (word.is("let") || (is_swift && word.is("var"))) return read_declaration(at);
  if (word.is("&")) return read_reference(at, bracket);
  if (is_swift ? word.is("{") : word.is("|")) return read_closure(at);
  if (!is_swift && word.is("=") && calls_.is(at + 1, ">")) read_arm(at);
}

// An `=` counts neither in the defaults of parameters nor in Python's arguments by name.
void Variables::read_assignments() {
  std::vector<std::size_t> open;  // the brackets around a word
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!open.empty() && calls_.match(open.back()) == i) open.pop_back();
    const auto bracket = open.empty() ? 0 : open.back();
    read_names(i, bracket);
    if (const auto name = operand_changed_by(i))
      change(*name);
    else if (open.empty() || words_[bracket].is("{"))
      assign(i);
    if (calls_.match(i) > i) open.push_back(i);
  }
}

// Behind a dot or two colons.
bool Variables::is_in_path(std::size_t name) const {
  return name > 0 && (words_[name - 1].is(".") ||
                      (name > 1 && words_[name - 1].is(":") && words_[name - 2].is(":")));
}

// The scope that a path names: "self.", "Self::", "Index.", "crate::".
std::optional<std::size_t> Variables::owner_of_path(std::size_t name) const {
  const bool has_colons = words_[name - 1].is(":");
  auto prefix = name - 1;
  while (prefix > 0 && (words_[prefix].is(".") || words_[prefix].is(":") ||
                        words_[prefix].is("?") || words_[prefix].is("!")))
    --prefix;
  const auto& word = words_[prefix];
  if (!word.is_name()) return std::nullopt;
  const bool is_whole = !is_in_path(prefix);
  if (has_colons && (word.is("crate") || word.is("super") || word.is("self"))) return Scopes::file;
  if (word.is("self") || word.is("Self") || word.is("cls"))
    return is_whole ? scopes_.type_around(scopes_.of(name)) : std::nullopt;
  return scopes_.type_named(word.text);
}

const Variables::Known* Variables::known(std::size_t name) const {
  const auto text = words_[name].text;
  const auto find = [&](std::size_t scope) {
    const auto found = known_.find({scope, text});
    return found == known_.end() ? nullptr : &found->second;
  };
  if (is_in_path(name)) {
    const auto owner = owner_of_path(name);
    return owner && !foreign_.contains(text) ? find(*owner) : nullptr;
  }
  auto scope = scopes_.of(name);
  for (std::size_t steps = 0; scope != Scopes::file; ++steps) {
    if (steps == most_parents) return nullptr;
    const bool is_member = scopes_[scope].is_type;
    const bool is_visible = !is_member || language_ == HostLanguage::swift;
    if (const auto* found = is_visible ? find(scope) : nullptr)
      return is_member && foreign_.contains(text) ? nullptr : found;
    scope = scopes_[scope].parent;
  }
  return find(Scopes::file);
}

std::optional<Assignment> Variables::made(std::size_t name) const {
  const auto* found = known(name);
  if (!found || found->times != 1 || found->is_other) return std::nullopt;
  return found->assignment;
}

std::optional<WordRange> Variables::assigned_to(std::size_t name) const {
  const auto* found = known(name);
  if (!found || found->times != 1 || found->is_other || found->changes) return std::nullopt;
  return found->assignment.value;
}

}  // namespace msci::host
