#include "compiler/frontend/clang_messages.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <fmt/format.h>

#include <array>
#include <utility>

namespace msci {
namespace {

// Longer spellings first: one may begin another.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> words{{
    {"const __global_host ", "constant "},
    {"__global_host const ", "constant "},
    {"__host_global ", "constant "},
    {"__global_host ", "constant "},
    {"__attribute__((opencl_global_host)) ", "constant "},
    {"__global_device ", "object_data "},
    {"__global ", "device "},
    {"__local ", "threadgroup "},
    {"__private ", "threadgroup_imageblock "},
    {"__attribute__((address_space(1))) ", "ray_data "},
    {"address space '__global_host'", "address space 'constant'"},
    {"address space '__global'", "address space 'device'"},
    {"address space '__local'", "address space 'threadgroup'"},
    {"address space '__private'", "address space 'threadgroup_imageblock'"},
    {"_Float16", "half"},
    {"__bf16", "bfloat"},
    {"$td", "std"},
    {"$vec<", "vec<"},
    {"$vec_of<", "vec<"},
    {"$bools<", "vec<bool, "},
    {"$bools_by<$B, ", "vec<bool, "},
    {"$bool_by<$B>", "bool"},
    {"$packed<", "packed_vec<"},
    {"__builtin_bit_cast", "as_type"},
}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// A vector of integers without a name of its own is what a comparison gave: in Metal, bools.
void name_comparisons(std::string& text) {
  if (text.find("ext_vector_type") == std::string::npos) return;
  for (const std::string_view scalar : {"int", "short", "char", "long"})
    for (int width = 2; width <= 4; ++width) {
      constexpr auto form =
          "'{0} __attribute__((ext_vector_type({1})))' (vector of {1} '{0}' values)";
      replace_all(text, fmt::format(form, scalar, width), fmt::format(form, "bool", width));
    }
}

// The functions that build vectors: '$loat4' is float4's.
void name_builders(std::string& text) {
  constexpr std::array<std::string_view, 12> scalars = {"float", "half",  "bfloat", "int",
                                                        "uint",  "short", "ushort", "char",
                                                        "uchar", "long",  "ulong",  "bool"};
  for (const auto scalar : scalars)
    for (int width = 2; width <= 4; ++width) {
      const auto name = fmt::format("{}{}", scalar, width);
      replace_all(text, fmt::format("'${}'", name.substr(1)), fmt::format("'{}'", name));
      replace_all(text, fmt::format("'$acked_{}'", name), fmt::format("'packed_{}'", name));
    }
  for (int width = 2; width <= 4; ++width) {
    replace_all(text, fmt::format("' (aka '$mask<vec<char, {}>>')", width), "'");
    for (const std::string_view ours :
         {"$mask<char __attribute__((ext_vector_type({})))>", "$mask<vec<char, {}>>"})
      replace_all(text, fmt::format(fmt::runtime(ours), width), fmt::format("bool{}", width));
  }
}

// `'typename $name<…>' (aka 'type')` → `'type'`
void drop_own_aliases(std::string& text) {
  constexpr std::string_view aka = "' (aka '";
  for (auto at = text.find(aka); at != std::string::npos; at = text.find(aka, at + 1)) {
    const auto begin = at == 0 ? std::string::npos : text.rfind('\'', at - 1);
    const auto close = text.find("')", at + aka.size());
    if (begin == std::string::npos || close == std::string::npos) continue;
    if (text.find('$', begin) > at) continue;
    text.erase(close + 1, 1);
    text.erase(begin, at + aka.size() - 1 - begin);
    at = begin;
  }
}

// 'float __attribute__((ext_vector_type(4)))' is float4.
void name_vectors(std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> scalars{{
      {"unsigned int", "uint"},
      {"unsigned short", "ushort"},
      {"unsigned char", "uchar"},
      {"unsigned long", "ulong"},
      {"float", "float"},
      {"half", "half"},
      {"bfloat", "bfloat"},
      {"int", "int"},
      {"short", "short"},
      {"char", "char"},
      {"long", "long"},
      {"bool", "bool"},
  }};
  if (text.find("ext_vector_type") == std::string::npos) return;
  for (const auto& [clangs, metals] : scalars)
    for (int width = 2; width <= 4; ++width)
      replace_all(text, fmt::format("{} __attribute__((ext_vector_type({})))", clangs, width),
                  fmt::format("{}{}", metals, width));
}

// Clang writes a pointer to a vector as 'float const device * __attribute__((ext_vector_type(4)))'.
void name_pointers_to_vectors(std::string& text) {
  constexpr std::string_view vector = " __attribute__((ext_vector_type(";
  for (auto at = text.find(vector); at != std::string::npos; at = text.find(vector, at + 1)) {
    const auto close = at + vector.size() + 1;
    const auto begin = text.find_last_of("'<,", at) + 1;
    const auto star = text.find_first_of("*&", begin);
    if (star == std::string::npos || star > at || text.substr(close, 3) != ")))") continue;
    const auto written = text.substr(begin, star - begin);
    const auto first = written.find_first_not_of(' ');
    const auto word = first == std::string::npos ? first : written.find(' ', first);
    if (word == std::string::npos) continue;
    auto scalar = written.substr(first, word - first), rest = written.substr(word + 1);
    if (scalar == "unsigned") {
      const auto next = rest.find(' ');
      if (next == std::string::npos) continue;
      scalar = "u" + rest.substr(0, next);
      rest.erase(0, next + 1);
    }
    text.replace(begin + first, close + 3 - begin - first,
                 fmt::format("{}{}{} {}", rest, scalar, text[at + vector.size()],
                             text.substr(star, at - star)));
    at = begin;
  }
}

// Where a template of ours is used, its name says nothing.
void name_instantiations(std::string& text) {
  if (text.starts_with("in instantiation of ") &&
      text.find("specialization '$") != std::string::npos)
    text = "in this expression";
}

// "static assertion failed due to requirement '$own<T>': why" → "why".
void drop_own_requirement(std::string& text) {
  if (!text.starts_with("static assertion failed due to requirement '")) return;
  const auto end = text.find("': ");
  if (end != std::string::npos && text.find('$') < end) text.erase(0, end + 3);
}

// What is left of the names that the Metal headers and the token pass have for themselves.
void hide_own_names(std::string& text) {
  if (text.find('$') == std::string::npos) return;
  drop_own_requirement(text);
  name_instantiations(text);
  name_builders(text);
  drop_own_aliases(text);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> others{{
      {"$enable<", "enable_if<"},
      {"no matching function for call to '$make'", "no matching conversion for cast"},
      {"$ec<", "vec<"},
      {"$ec'", "vec'"},
      {"$list<", "list<"},
      {"(&$self)", "this"},
      {"$self", "this"},
  }};
  for (const auto& [ours, metals] : others) replace_all(text, ours, metals);
  for (auto at = text.find("$unnamed"); at != std::string::npos; at = text.find("$unnamed")) {
    auto end = at + 8;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    text.replace(at, end - at, "(unnamed struct)");
  }
  std::erase(text, '$');
}

// What Apple's compiler says where Clang says something else, by the beginning of Clang's message.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> apples_words{{
    {"ISO C++17 does not allow 'register' storage class specifier",
     "Metal does not support the 'register' storage class specifier"},
    {"default initialization of an object of const type 'constant ",
     "variable in constant address space must be initialized"},
    {"'delete' cannot delete objects of type '", "'delete' is not supported in Metal"},
}};

// `… source type 'half4' (vector of …) does not match destination type 'float' (…)`
void name_refused_cast(std::string& text) {
  constexpr std::string_view start = "size of 'as_type' source type ",
                             middle = " does not match destination type ";
  const auto at = text.find(middle);
  if (!text.starts_with(start) || at == std::string::npos) return;
  const auto named = [](std::string_view type) {
    const bool is_vector = type.find("(vector of") != std::string_view::npos;
    type = type.substr(0, type.find('\'', 1) + 1);
    return fmt::format("{} {}", is_vector ? "vector" : "scalar", type);
  };
  const std::string_view all = text;
  text = fmt::format("as_type cast from {} to {} of different size",
                     named(all.substr(start.size(), at - start.size())),
                     named(all.substr(at + middle.size())));
}

bool is_word(std::string_view text) {
  for (char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return !text.empty();
}

}  // namespace

std::string diagnostic_id(const clang::Diagnostic& diagnostic) {
  auto& ids = *diagnostic.getDiags()->getDiagnosticIDs();
  if (const auto group = ids.getWarningOptionForDiag(diagnostic.getID()); !group.empty())
    return group.str();
  std::string slug;
  for (char c : ids.getDescription(diagnostic.getID())) {
    if (std::isalpha(static_cast<unsigned char>(c)))
      slug += static_cast<char>(std::tolower(c));
    else if (!slug.empty() && slug.back() != '_')
      slug += '_';
    if (slug.size() >= 48) break;
  }
  return slug;
}

std::string to_metal_terms(std::string message, std::string_view spelling) {
  for (const auto& [clangs, metals] : words) replace_all(message, clangs, metals);
  name_comparisons(message);
  // Our macros stand for attributes; name the one that the user wrote.
  if (is_word(spelling)) {
    const auto quoted = fmt::format("'{}'", spelling);
    replace_all(message, "'clang::annotate'", quoted);
    replace_all(message, "'annotate'", quoted);
    replace_all(message, "'$make'", quoted);
    // '$loat4' is the function that builds a float4.
    if (spelling.size() > 1) replace_all(message, fmt::format("${}", spelling.substr(1)), spelling);
  }
  hide_own_names(message);
  name_vectors(message);
  name_pointers_to_vectors(message);
  if (message.starts_with(" from vector")) message.insert(0, "cast");
  for (const auto& [clangs, apples] : apples_words)
    if (message.starts_with(clangs)) message = apples;
  name_refused_cast(message);
  return message;
}

}  // namespace msci
