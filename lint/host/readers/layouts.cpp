#include <algorithm>
#include <array>
#include <charconv>

#include "lint/host/readers/readers.h"

namespace msci::host {
namespace {

// No argument of a kernel has larger arrays in its structs.
constexpr std::size_t most_elements = 1u << 20;
constexpr std::size_t most_bytes = std::size_t{1} << 30;
constexpr std::size_t most_members = 200;
constexpr std::size_t most_words_of_a_type = 32;

struct NamedScalar {
  std::string_view name;
  const char* type;
  std::size_t bytes;
};

constexpr std::array<NamedScalar, 15> swift_scalars = {{{"Float", "float", 4},
                                                        {"Float32", "float", 4},
                                                        {"Float16", "half", 2},
                                                        {"Double", "double", 8},
                                                        {"Int32", "int", 4},
                                                        {"UInt32", "uint", 4},
                                                        {"Int16", "short", 2},
                                                        {"UInt16", "ushort", 2},
                                                        {"Int8", "char", 1},
                                                        {"UInt8", "uchar", 1},
                                                        {"Int", "long", 8},
                                                        {"UInt", "ulong", 8},
                                                        {"Int64", "long", 8},
                                                        {"UInt64", "ulong", 8},
                                                        {"Bool", "bool", 1}}};
constexpr std::array<NamedScalar, 14> rust_scalars = {{{"f32", "float", 4},
                                                       {"f64", "double", 8},
                                                       {"f16", "half", 2},
                                                       {"i32", "int", 4},
                                                       {"u32", "uint", 4},
                                                       {"i16", "short", 2},
                                                       {"u16", "ushort", 2},
                                                       {"i8", "char", 1},
                                                       {"u8", "uchar", 1},
                                                       {"i64", "long", 8},
                                                       {"u64", "ulong", 8},
                                                       {"isize", "long", 8},
                                                       {"usize", "ulong", 8},
                                                       {"bool", "bool", 1}}};
constexpr std::array<NamedScalar, 16> ctypes_scalars = {{{"c_float", "float", 4},
                                                         {"c_double", "double", 8},
                                                         {"c_int", "int", 4},
                                                         {"c_uint", "uint", 4},
                                                         {"c_int32", "int", 4},
                                                         {"c_uint32", "uint", 4},
                                                         {"c_int16", "short", 2},
                                                         {"c_uint16", "ushort", 2},
                                                         {"c_short", "short", 2},
                                                         {"c_ushort", "ushort", 2},
                                                         {"c_int8", "char", 1},
                                                         {"c_uint8", "uchar", 1},
                                                         {"c_int64", "long", 8},
                                                         {"c_uint64", "ulong", 8},
                                                         {"c_bool", "bool", 1},
                                                         {"c_size_t", "ulong", 8}}};

template <std::size_t N>
std::optional<Layout> named_layout(const std::array<NamedScalar, N>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &NamedScalar::name);
  if (found == all.end()) return std::nullopt;
  return Layout{found->bytes, found->bytes, found->type, {}};
}

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || (end != text.data() + text.size() && *end != 'u'))
    return std::nullopt;
  return number;
}

// Metal's rule for its own vectors, which simd's follow: three numbers take the room of four.
Layout vector_layout(const Layout& scalar, std::size_t lanes) {
  const auto bytes = scalar.bytes * (lanes == 3 ? 4 : lanes);
  return {bytes, bytes, scalar.type + std::to_string(lanes), {}};
}

std::size_t rounded_up(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

Layouts::Layouts(const Calls& calls, HostLanguage language)
    : calls_(calls), words_(calls.words()), language_(language) {
  if (language_ == HostLanguage::python)
    read_ctypes();
  else
    read_structs();
}

std::optional<Layout> Layouts::scalar_named(std::string_view name) const {
  switch (language_) {
    case HostLanguage::swift:
      return named_layout(swift_scalars, name);
    case HostLanguage::rust:
      return named_layout(rust_scalars, name);
    case HostLanguage::python:
      return named_layout(ctypes_scalars, name);
    case HostLanguage::c_family:
      break;
  }
  return std::nullopt;
}

// SIMD3<Float>, simd_float3, float3 and vector_float3 of Swift.
std::optional<Layout> Layouts::vector_of(WordRange type) const {
  const auto name = words_[type.first].text;
  const auto lanes = name.empty() ? 0 : static_cast<std::size_t>(name.back() - '0');
  if (lanes < 2 || lanes > 4) return std::nullopt;
  if (name.starts_with("SIMD") && name.size() == 5 && type.end - type.first == 4 &&
      calls_.is(type.first + 1, "<")) {
    const auto scalar = scalar_named(words_[type.first + 2].text);
    return scalar ? std::optional(vector_layout(*scalar, lanes)) : std::nullopt;
  }
  if (type.end - type.first != 1) return std::nullopt;
  auto core = name.substr(0, name.size() - 1);
  for (const std::string_view prefix : {"simd_", "vector_"})
    if (core.starts_with(prefix)) core.remove_prefix(prefix.size());
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> scalars = {
      {{"float", "Float"},
       {"int", "Int32"},
       {"uint", "UInt32"},
       {"half", "Float16"},
       {"double", "Double"}}};
  for (const auto& [word, swift] : scalars)
    if (core == word) return vector_layout(*scalar_named(swift), lanes);
  return std::nullopt;
}

std::optional<Layout> Layouts::array_of(WordRange element, WordRange count) const {
  if (count.end - count.first != 1) return std::nullopt;
  const auto number = number_in(words_[count.first].text);
  auto layout = of(element);
  if (!number || *number == 0 || *number > most_elements || !layout) return std::nullopt;
  if (layout->bytes > most_bytes / *number) return std::nullopt;
  return Layout{layout->bytes * *number, layout->alignment, "", {}};
}

// Of Swift's (Float, Float): like a struct without names.
std::optional<Layout> Layouts::tuple_of(WordRange members) const {
  Layout whole;
  for (const auto& part : calls_.parts(members)) {
    const auto member = of(part.value);
    if (!member || member->alignment == 0) return std::nullopt;
    whole.bytes = (whole.bytes + member->alignment - 1) / member->alignment * member->alignment +
                  member->bytes;
    whole.alignment = std::max(whole.alignment, member->alignment);
  }
  return whole.bytes > 0 ? std::optional(whole) : std::nullopt;
}

std::optional<Layout> Layouts::of(WordRange type) const {
  // ctypes.c_float, std::ffi::c_float: the last name tells.
  while (type.first + 2 < type.end && words_[type.first].is_name()) {
    const auto dots = calls_.is(type.first + 1, ".")                                     ? 2u
                      : calls_.is(type.first + 1, ":") && calls_.is(type.first + 2, ":") ? 3u
                                                                                         : 0u;
    if (dots == 0) break;
    type.first += dots;
  }
  if (type.empty() || type.end - type.first > most_words_of_a_type) return std::nullopt;
  const auto& first = words_[type.first];
  if (language_ == HostLanguage::rust && first.is("[") && calls_.match(type.first) + 1 == type.end)
    for (auto at = type.first + 1; at + 1 < type.end; ++at) {
      if (calls_.match(at) > at) at = calls_.match(at);
      if (words_[at].is(";")) return array_of({type.first + 1, at}, {at + 1, type.end - 1});
    }
  if (language_ == HostLanguage::python && type.end - type.first == 3 &&
      calls_.is(type.first + 1, "*"))
    return array_of({type.first, type.first + 1}, {type.first + 2, type.end});
  if (language_ == HostLanguage::swift && first.is("(") && calls_.match(type.first) + 1 == type.end)
    return tuple_of({type.first + 1, type.end - 1});
  if (!first.is_name()) return std::nullopt;
  if (language_ == HostLanguage::swift)
    if (auto vector = vector_of(type)) return vector;
  if (type.end - type.first != 1) return std::nullopt;
  if (const auto known = structs_.find(first.text); known != structs_.end()) return known->second;
  return scalar_named(first.text);
}

std::optional<Layout> Layouts::of_list(WordRange value) const {
  if (language_ != HostLanguage::rust || value.end - value.first < 3 ||
      !words_[value.first].is("[") || calls_.match(value.first) + 1 != value.end)
    return std::nullopt;
  const auto items = calls_.parts({value.first + 1, value.end - 1});
  const auto& first = words_[value.first + 1];
  const bool is_repeated = std::ranges::any_of(items, [&](const CallArgument& each) {
    return std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(each.value.first),
                       words_.begin() + static_cast<std::ptrdiff_t>(each.value.end),
                       [](const Word& word) { return word.is(";"); });
  });
  if (first.kind != Word::Kind::number || is_repeated) return std::nullopt;
  for (const auto& scalar : rust_scalars)
    if (first.text.ends_with(scalar.name))
      return Layout{scalar.bytes * items.size(), scalar.bytes, "", {}};
  return std::nullopt;
}

void Layouts::add(std::string_view name, const std::vector<Member>& members) {
  const auto [known, is_new] = structs_.try_emplace(name);
  if (!is_new) {
    known->second.reset();
    return;
  }
  if (members.empty() || members.size() > most_members) return;
  Layout whole;
  for (const auto& member : members) {
    const auto layout = of(member.type);
    if (!layout) return;
    whole.bytes = rounded_up(whole.bytes, layout->alignment);
    whole.members.push_back({std::string(member.name), whole.bytes, layout->bytes});
    whole.bytes += layout->bytes;
    whole.alignment = std::max(whole.alignment, layout->alignment);
  }
  whole.bytes = rounded_up(whole.bytes, whole.alignment);
  known->second = std::move(whole);
}

// The words before a struct of Rust: #[repr(C)], other attributes, `pub`.
bool Layouts::is_repr_c(std::size_t at) const {
  for (std::size_t steps = 0; at > 0 && steps < 200; ++steps) {
    const auto& before = words_[at - 1];
    if (before.is("]") && calls_.match(at - 1) < at - 1) {
      const auto open = calls_.match(at - 1);
      if (calls_.is(open + 1, "repr")) return calls_.is(open + 3, "C") && calls_.is(open + 4, ")");
      at = open > 0 && words_[open - 1].is("#") ? open - 1 : open;
    } else if (before.is("pub") || before.is(")")) {
      at = before.is(")") ? calls_.match(at - 1) : at - 1;
      if (before.is(")") && at > 0 && !words_[at - 1].is("pub")) return false;
    } else {
      return false;
    }
  }
  return false;
}

// "var a: Float", "pub a: f32", each with its type up to the end of the line or the comma.
std::vector<Layouts::Member> Layouts::members_of(WordRange body) const {
  std::vector<Member> members;
  const bool is_swift = language_ == HostLanguage::swift;
  for (auto at = body.first; at + 2 < body.end; ++at) {
    if (calls_.match(at) > at) {  // a method, an attribute
      at = calls_.match(at);
      continue;
    }
    const bool begins = is_swift ? words_[at].is("var") || words_[at].is("let")
                                 : words_[at].is_name() && calls_.is(at + 1, ":");
    if (!begins || (at > body.first && words_[at - 1].is("static"))) continue;
    const auto name = is_swift ? at + 1 : at;
    if (!calls_.is_name(name) || !calls_.is(name + 1, ":")) {
      members.push_back({words_[name].text, {}});  // a type that is inferred: unknown
      continue;
    }
    auto end = name + 2;
    while (end < body.end && !words_[end].is(",") && !words_[end].is("=") && !words_[end].is("{") &&
           !words_[end].is(";") && !(is_swift && words_[end].starts_line))
      end = calls_.match(end) > end ? calls_.match(end) + 1 : end + 1;
    const bool is_computed = is_swift && calls_.is(end, "{");
    if (!is_computed) members.push_back({words_[name].text, {name + 2, std::min(end, body.end)}});
    at = end > at ? end - 1 : at;
  }
  return members;
}

void Layouts::read_structs() {
  for (std::size_t i = 0; i + 2 < words_.size(); ++i) {
    if (!words_[i].is("struct") || !words_[i + 1].is_name()) continue;
    auto open = i + 2;
    while (open < words_.size() && !words_[open].is("{") && !words_[open].is(";") && open < i + 20)
      ++open;
    if (!calls_.is(open, "{") || calls_.match(open) <= open) continue;
    const bool is_laid_out = language_ == HostLanguage::swift || is_repr_c(i);
    if (is_laid_out && !calls_.is(i + 2, "<"))
      add(words_[i + 1].text, members_of({open + 1, calls_.match(open)}));
    else
      structs_[words_[i + 1].text] = std::nullopt;
  }
}

// class Params(ctypes.Structure): _fields_ = [("n", ctypes.c_uint32), …]
void Layouts::read_ctypes() {
  std::string_view name;
  for (std::size_t i = 0; i + 2 < words_.size(); ++i) {
    if (words_[i].is("class") && words_[i + 1].is_name()) name = words_[i + 1].text;
    if (words_[i].is("_pack_") && !name.empty()) structs_[name] = std::nullopt;
    const bool begins = words_[i].is("_fields_") && words_[i + 1].is("=") && words_[i + 2].is("[");
    if (!begins || name.empty()) continue;
    std::vector<Member> members;
    for (const auto& [label, entry] : calls_.parts({i + 3, calls_.match(i + 2)})) {
      if (!words_[entry.first].is("(")) continue;
      const auto parts = calls_.parts({entry.first + 1, calls_.match(entry.first)});
      if (parts.size() == 2 && words_[parts[0].value.first].is_string())
        members.push_back({words_[parts[0].value.first].body, parts[1].value});
      else
        members.push_back({});
    }
    add(name, members);
    name = {};
  }
}

}  // namespace msci::host
