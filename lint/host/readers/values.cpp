#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "lint/host/readers/readers.h"

namespace msci::host {
namespace {

// Constants are made of constants, and so on.
constexpr int deepest_constant = 8;
constexpr std::uint64_t most = std::uint64_t{1} << 40;
constexpr std::size_t longest_value = 200;

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

Values::Values(const Calls& calls, const Variables& variables, HostLanguage language)
    : calls_(calls), words_(calls.words()), variables_(variables), layouts_(calls, language) {}

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
std::optional<std::size_t> Values::number_named(std::size_t name, int depth) const {
  const auto value = variables_.assigned_to(name);
  if (!value) return std::nullopt;
  const auto [known, is_new] = numbers_.try_emplace(value->first);
  if (is_new) known->second = number(*value, depth + 1);
  return known->second;
}

// "width", "self.width", "Self::WIDTH"
bool Values::is_path(WordRange range) const {
  bool wants_name = true;
  for (auto at = range.first; at < range.end; ++at) {
    if (words_[at].is_name() != wants_name) return false;
    if (!wants_name && words_[at].is(":") && calls_.is(at + 1, ":"))
      ++at;
    else if (!wants_name && !words_[at].is("."))
      return false;
    wants_name = !wants_name;
  }
  return !wants_name;
}

std::optional<std::size_t> Values::number(WordRange range) const { return number(range, 0); }

std::optional<std::size_t> Values::number(WordRange range, int depth) const {
  range = unwrapped(range);
  if (range.empty() || depth > deepest_constant || range.end - range.first > longest_value)
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
  }
  if (is_path(range)) return number_named(range.end - 1, depth);
  if (first.is_name() && calls_.is(range.first + 1, "(") &&
      calls_.match(range.first + 1) + 1 == range.end && converts(first.text))
    return number({range.first + 2, range.end - 1}, depth + 1);
  const auto size = size_of(range);
  return size ? size : size_of_variable(range);
}

// The first word behind the modules that a function is named with: std::mem::, ctypes.
std::size_t Values::behind_modules(WordRange range) const {
  constexpr std::array<std::string_view, 4> modules = {"std", "core", "mem", "ctypes"};
  auto at = range.first;
  while (at < range.end && (words_[at].is(".") || words_[at].is(":") ||
                            std::ranges::find(modules, words_[at].text) != modules.end()))
    ++at;
  return at;
}

// Rust's size_of_val(&shape), and nothing else.
std::optional<std::size_t> Values::size_of_variable(WordRange range) const {
  const auto at = behind_modules(range);
  if (at + 1 >= range.end || !words_[at].is("size_of_val") || !calls_.is(at + 1, "(") ||
      calls_.match(at + 1) + 1 != range.end || !calls_.is(at + 2, "&"))
    return std::nullopt;
  const auto layout = variable_in({at + 2, range.end - 1});
  return layout ? std::optional(layout->bytes) : std::nullopt;
}

// The range is the size and nothing else: no method or operator changes it.
std::optional<std::size_t> Values::size_of(WordRange range) const {
  const auto layout = type_measured_in(range);
  if (!layout) return std::nullopt;
  const auto at = behind_modules(range);
  if (at >= range.end) return std::nullopt;
  if (words_[at].is("sizeof"))  // of ctypes
    return calls_.is(at + 1, "(") && calls_.match(at + 1) + 1 == range.end
               ? std::optional(layout->bytes)
               : std::nullopt;
  const bool is_swift = words_[at].is("MemoryLayout");
  if (!is_swift && !words_[at].is("size_of")) return std::nullopt;
  const auto last = range.end - 1;
  const bool is_whole =
      is_swift ? (words_[last].is("size") || words_[last].is("stride")) &&
                     words_[last - 1].is(".") && words_[last - 2].is(">")
               : words_[last].is(")") && words_[last - 1].is("(") && words_[last - 2].is(">");
  return is_whole ? std::optional(layout->bytes) : std::nullopt;
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
  for (const auto& call : calls_.in(range))  // of ctypes
    if (call.name == "sizeof" && call.arguments.size() == 1 && !keep(call.arguments[0].value))
      return std::nullopt;
  return found;
}

std::optional<Layout> Values::variable_in(WordRange range) const {
  range = unwrapped(range);
  std::optional<std::size_t> variable;
  for (auto at = range.first; at < range.end; ++at) {
    constexpr std::array<std::string_view, 12> passed = {"NonNull", "from",  "cast",   "void",
                                                         "c_void",  "std",   "ptr",    "new",
                                                         "unwrap",  "byref", "ctypes", "mut"};
    if (!words_[at].is_name() || std::ranges::find(passed, words_[at].text) != passed.end())
      continue;
    if (variable) return std::nullopt;
    variable = at;
  }
  const auto made = variable ? variables_.made(*variable) : std::nullopt;
  if (!made) return std::nullopt;
  const auto& [type, value] = *made;
  if (!type.empty()) return layouts_.of(type);
  // Params(n: 4), Params { n: 4 }, UInt32(4)
  if (value.end - value.first >= 2 && words_[value.first].is_name()) {
    const auto open = value.first + 1;
    const bool makes =
        (words_[open].is("(") || words_[open].is("{")) && calls_.match(open) + 1 == value.end;
    if (makes) return layouts_.of({value.first, open});
  }
  return layouts_.of_list(value);
}

std::optional<std::size_t> Values::threads(WordRange range) const { return threads(range, 0); }

std::optional<std::size_t> Values::threads(WordRange range, int depth) const {
  range = unwrapped(range);
  if (range.empty() || depth > deepest_constant) return std::nullopt;
  if (range.end - range.first == 1 && words_[range.first].is_name()) {
    const auto value = variables_.assigned_to(range.first);
    return value ? threads(*value, depth + 1) : std::nullopt;
  }
  if (words_[range.first].is("[") && calls_.match(range.first) + 1 == range.end)
    return product_of({range.first + 1, range.end - 1});  // torch's group_size=[8, 8]
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
  return product_of({open + 1, calls_.match(open)});
}

// Of one to three sides.
std::optional<std::size_t> Values::product_of(WordRange range) const {
  std::size_t product = 1;
  const auto sides = calls_.parts(range);
  if (sides.empty() || sides.size() > 3) return std::nullopt;
  for (const auto& side : sides) {
    auto value = side.value;
    const bool is_member = calls_.is(value.first + 1, ":") && !calls_.is(value.first + 2, ":");
    if (is_member) value.first += 2;  // of Rust's MTLSize
    const auto count = number(value);
    if (!count || *count > most / std::max<std::size_t>(product, 1)) return std::nullopt;
    product *= *count;
  }
  return product;
}

}  // namespace msci::host
