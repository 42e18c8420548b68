#include "lint/host/readers/values.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace msci::host {
namespace {

// Constants are made of constants, and so on.
constexpr int deepest = 8;
constexpr std::size_t most = std::size_t{1} << 40;
constexpr std::size_t longest_expression = 200;

std::optional<std::size_t> literal(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  for (const std::string_view suffix : {"u64", "u32", "usize", "i32", "i64", "u16", "u8"})
    if (digits.ends_with(suffix)) digits.resize(digits.size() - suffix.size());
  const bool is_hex = digits.starts_with("0x");
  const auto* begin = digits.data() + (is_hex ? 2 : 0);
  std::size_t number = 0;
  const auto [end, error] =
      std::from_chars(begin, digits.data() + digits.size(), number, is_hex ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size() || number > most)
    return std::nullopt;
  return number;
}

// Conversions of whole numbers.
bool converts(std::string_view function) {
  constexpr std::array<std::string_view, 9> all = {
      "Int", "UInt", "NSUInteger", "UInt32", "Int32", "UInt64", "int", "Some", "NSInteger"};
  return std::ranges::find(all, function) != all.end();
}

}  // namespace

Values::Values(const Calls& calls, HostLanguage language)
    : calls_(calls), words_(calls.words()), language_(language), layouts_(calls, language) {
  find_assignments();
}

// Up to the end of the statement, or of the brackets that it stands in.
WordRange Values::expression_from(std::size_t first) const {
  auto end = first;
  const auto goes_on = [&](std::size_t at) {  // a line that begins with a dot goes on
    return !words_[at].starts_line || at == first || words_[at].is(".") || words_[at].is("?");
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
WordRange Values::type_before(std::size_t equals) const {
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

std::string_view Values::variable_at(std::size_t equals) const {
  if (equals == 0 || equals + 1 >= words_.size() || !words_[equals].is("=")) return "";
  constexpr std::string_view operators = "=!<+-*/%&|^";
  const auto& before = words_[equals - 1];
  const bool is_operator = before.text.size() == 1 &&
                           operators.find(before.text) != operators.npos &&
                           before.end() == words_[equals].offset;
  if (is_operator || words_[equals + 1].is("=") || words_[equals + 1].is(">")) return "";
  const auto type = type_before(equals);
  auto name = type.empty() ? equals - 1 : type.first - 2;
  // The first of Python's "pipeline, error =".
  while (language_ == HostLanguage::python && name > 1 && words_[name - 1].is(",") &&
         words_[name - 2].is_name() && !words_[name].starts_line)
    name -= 2;
  return words_[name].is_name() ? words_[name].text : "";
}

// Not the defaults of parameters, nor Python's arguments by name.
void Values::find_assignments() {
  std::vector<std::size_t> ends;  // of the brackets around a word
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (calls_.match(i) > i) ends.push_back(calls_.match(i));
    if (!ends.empty() && ends.back() == i) ends.pop_back();
    if (!words_[i].is("=") || (!ends.empty() && !words_[ends.back()].is("}"))) continue;
    const auto variable = variable_at(i);
    if (variable.empty()) continue;
    auto& known = assignments_[variable];
    ++known.times;
    known.type = type_before(i);
    known.value = expression_from(i + 1);
  }
}

std::optional<WordRange> Values::assigned_to(std::string_view variable) const {
  const auto found = assignments_.find(variable);
  if (found == assignments_.end() || found->second.times != 1) return std::nullopt;
  return found->second.value;
}

// Where `as T` begins at the end of a range; the end of the range without it.
std::size_t Values::end_before_as(WordRange range) const {
  for (auto at = range.first; at < range.end; ++at) {
    if (calls_.match(at) > at) at = calls_.match(at);
    if (at >= range.end || !words_[at].is("as")) continue;
    for (auto rest = at + 1; rest < range.end; ++rest) {
      const bool is_pointer =
          words_[rest].is("*") && (calls_.is(rest + 1, "const") || calls_.is(rest + 1, "mut"));
      if (!is_pointer && words_[rest].kind == Word::Kind::mark && !words_[rest].is(":") &&
          !words_[rest].is("_"))
        return range.end;
    }
    return at;
  }
  return range.end;
}

// Without parentheses around it, a `&` before it and an `as` behind it.
WordRange Values::unwrapped(WordRange range) const {
  for (bool goes_on = true; goes_on && !range.empty();) {
    goes_on = false;
    if (words_[range.first].is("&") || words_[range.first].is("mut")) {
      ++range.first;
      goes_on = true;
    } else if (words_[range.first].is("(") && calls_.match(range.first) + 1 == range.end) {
      range = {range.first + 1, range.end - 1};
      goes_on = true;
    }
    if (const auto end = end_before_as(range); end < range.end) {
      range.end = end;
      goes_on = true;
    }
  }
  return range;
}

// Each variable is worked out once.
std::optional<std::size_t> Values::number_named(std::string_view variable, int depth) const {
  const auto [known, is_new] = numbers_.try_emplace(variable);
  if (!is_new) return known->second;
  if (const auto value = assigned_to(variable)) known->second = number(*value, depth + 1);
  return known->second;
}

std::optional<std::size_t> Values::number(WordRange range) const { return number(range, 0); }

std::optional<std::size_t> Values::number(WordRange range, int depth) const {
  range = unwrapped(range);
  if (range.empty() || depth > deepest || range.end - range.first > longest_expression)
    return std::nullopt;
  for (auto at = range.first; at < range.end; ++at) {
    if (calls_.match(at) > at) at = calls_.match(at);
    if (!words_[at].is("*") || at == range.first) continue;
    const auto a = number({range.first, at}, depth + 1), b = number({at + 1, range.end}, depth + 1);
    if (!a || !b || *a > most || (*b != 0 && *a > most / *b)) return std::nullopt;
    return *a * *b;
  }
  const auto& first = words_[range.first];
  if (range.end - range.first == 1) {
    if (first.kind == Word::Kind::number) return literal(first.text);
    if (!first.is_name()) return std::nullopt;
    return number_named(first.text, depth);
  }
  if (first.is_name() && calls_.is(range.first + 1, "(") &&
      calls_.match(range.first + 1) + 1 == range.end && converts(first.text))
    return number({range.first + 2, range.end - 1}, depth + 1);
  return size_of(range);
}

// The type whose size a call gives: size_of::<T>(), ctypes.sizeof(T).
WordRange Values::type_in(const TextCall& call) const {
  if (call.name == "sizeof" && call.arguments.size() == 1) return call.arguments[0].value;
  return {};
}

std::optional<std::size_t> Values::size_of(WordRange range) const {
  const auto layout = type_measured_in(range);
  if (!layout) return std::nullopt;
  // The words that belong to a size and to nothing else.
  std::size_t known = 0;
  for (auto at = range.first; at < range.end; ++at) {
    constexpr std::array<std::string_view, 9> allowed = {
        "MemoryLayout", "size", "stride", "size_of", "sizeof", "std", "mem", "core", "ctypes"};
    if (std::ranges::find(allowed, words_[at].text) != allowed.end()) ++known;
    if (words_[at].is("+") || words_[at].is("-") || words_[at].is("/")) return std::nullopt;
  }
  return known > 0 ? std::optional(layout->bytes) : std::nullopt;
}

std::optional<Layout> Values::type_measured_in(WordRange range) const {
  std::optional<Layout> found;
  const auto keep = [&](WordRange type) {
    const auto layout = layouts_.of(type);
    const bool is_only = layout && !found;
    found = layout;
    return is_only;
  };
  for (auto at = range.first; at < range.end; ++at) {
    const bool is_swift = words_[at].is("MemoryLayout") && calls_.is(at + 1, "<");
    const bool is_rust = words_[at].is("size_of") && calls_.is(at + 3, "<");
    if (!is_swift && !is_rust) continue;
    const auto first = at + (is_swift ? 2 : 4);
    int depth = 1;
    auto end = first;
    for (; end < range.end; ++end) {
      if (words_[end].is("<")) ++depth;
      if (words_[end].is(">") && --depth == 0) break;
    }
    if (!keep({first, end})) return std::nullopt;
    at = end;
  }
  for (const auto& call : calls_.in(range))
    if (const auto type = type_in(call); !type.empty() && !keep(type)) return std::nullopt;
  return found;
}

std::optional<Layout> Values::variable_in(WordRange range) const {
  range = unwrapped(range);
  std::string_view variable;
  for (auto at = range.first; at < range.end; ++at) {
    constexpr std::array<std::string_view, 12> passed = {"NonNull", "from",  "cast",   "void",
                                                         "c_void",  "std",   "ptr",    "new",
                                                         "unwrap",  "byref", "ctypes", "mut"};
    if (!words_[at].is_name() || std::ranges::find(passed, words_[at].text) != passed.end())
      continue;
    if (!variable.empty()) return std::nullopt;
    variable = words_[at].text;
  }
  const auto found = assignments_.find(variable);
  if (found == assignments_.end() || found->second.times != 1) return std::nullopt;
  const auto& [type, value, times] = found->second;
  if (!type.empty()) return layouts_.of(type);
  // Params(n: 4), Params { n: 4 }, UInt32(4)
  if (value.end - value.first >= 2 && words_[value.first].is_name()) {
    const auto open = value.first + 1;
    const bool makes =
        (words_[open].is("(") || words_[open].is("{")) && calls_.match(open) + 1 == value.end;
    if (makes) return layouts_.of({value.first, open});
  }
  return std::nullopt;
}

std::optional<std::size_t> Values::threads(WordRange range) const { return threads(range, 0); }

std::optional<std::size_t> Values::threads(WordRange range, int depth) const {
  range = unwrapped(range);
  if (range.empty() || depth > deepest) return std::nullopt;
  if (range.end - range.first == 1 && words_[range.first].is_name()) {
    const auto value = assigned_to(words_[range.first].text);
    return value ? threads(*value, depth + 1) : std::nullopt;
  }
  // The last bracket of MTLSizeMake(…), MTLSize::new(…), MTLSize { … }, Metal.MTLSize(…), (…).
  auto open = range.first;
  bool is_size = false;
  while (open < range.end && !words_[open].is("(") && !words_[open].is("{"))
    is_size |= words_[open++].text.starts_with("MTLSize");
  if (open >= range.end || calls_.match(open) + 1 != range.end) {
    // What is left of "(8, 8, 1)" once it is unwrapped.
    open = range.first - 1;
    if (range.first == 0 || !words_[open].is("(") || calls_.match(open) != range.end)
      return number(range);  // torch's group_size=64
  } else if (!is_size) {
    return number(range);
  }
  std::size_t product = 1;
  const auto sides = calls_.parts({open + 1, calls_.match(open)});
  if (sides.empty() || sides.size() > 3) return std::nullopt;
  for (const auto& side : sides) {
    auto value = side.value;
    if (calls_.is(value.first + 1, ":")) value.first += 2;  // Rust's members
    const auto count = number(value);
    if (!count || *count > most / std::max<std::size_t>(product, 1)) return std::nullopt;
    product *= *count;
  }
  return product;
}

}  // namespace msci::host
