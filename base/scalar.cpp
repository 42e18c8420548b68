#include "base/scalar.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

namespace msci {
namespace {

constexpr Scalar whole(std::size_t bytes) { return {false, bytes}; }
constexpr Scalar real(std::size_t bytes) { return {true, bytes}; }

constexpr std::array<std::pair<std::string_view, Scalar>, 44> scalars = {
    {{"float", real(4)},           {"half", real(2)},          {"bfloat", real(2)},
     {"double", real(8)},          {"cl_float", real(4)},      {"cl_double", real(8)},
     {"cl_half", real(2)},         {"__fp16", real(2)},        {"_Float16", real(2)},
     {"simd_float", real(4)},      {"Float32", real(4)},       {"char", whole(1)},
     {"uchar", whole(1)},          {"int8_t", whole(1)},       {"uint8_t", whole(1)},
     {"cl_char", whole(1)},        {"cl_uchar", whole(1)},     {"short", whole(2)},
     {"ushort", whole(2)},         {"int16_t", whole(2)},      {"uint16_t", whole(2)},
     {"unsigned short", whole(2)}, {"int", whole(4)},          {"uint", whole(4)},
     {"unsigned", whole(4)},       {"unsigned int", whole(4)}, {"int32_t", whole(4)},
     {"uint32_t", whole(4)},       {"cl_int", whole(4)},       {"cl_uint", whole(4)},
     {"simd_int", whole(4)},       {"simd_uint", whole(4)},    {"ulong", whole(8)},
     {"int64_t", whole(8)},        {"uint64_t", whole(8)},     {"cl_long", whole(8)},
     {"cl_ulong", whole(8)},       {"size_t", whole(8)},       {"NSUInteger", whole(8)},
     {"NSInteger", whole(8)},      {"UInt32", whole(4)},       {"signed char", whole(1)},
     {"long", whole(8)},           {"bool", whole(1)}}};

// The one word, or two, that name the type: without spaces, qualifiers, pointers and vector sizes.
std::string core_of(std::string_view type) {
  std::string core;
  for (std::size_t at = 0; at < type.size();) {
    const auto end = std::min(type.find_first_of(" *&[", at), type.size());
    auto word = type.substr(at, end - at);
    at = end + 1;
    for (std::string_view scope : {"std::", "metal::", "simd::"})
      if (word.starts_with(scope)) word.remove_prefix(scope.size());
    constexpr std::array<std::string_view, 8> qualifiers = {
        "device", "constant", "const", "volatile", "thread", "static", "constexpr", "inline"};
    if (word.empty() || std::find(qualifiers.begin(), qualifiers.end(), word) != qualifiers.end())
      continue;
    core += (core.empty() ? "" : " ") + std::string(word);
  }
  for (std::string_view prefix : {"packed_", "atomic_", "simd_"})
    if (core.starts_with(prefix)) core = core.substr(prefix.size());
  if (core.starts_with("atomic<") && core.ends_with('>')) core = core.substr(7, core.size() - 8);
  return core;
}

}  // namespace

std::optional<Scalar> scalar_of(std::string_view type) {
  auto core = core_of(type);
  if (core.size() > 1 && core.back() >= '2' && core.back() <= '4' &&
      std::isalpha(static_cast<unsigned char>(core[core.size() - 2])))
    core.pop_back();
  const auto found = std::find_if(scalars.begin(), scalars.end(),
                                  [&](const auto& each) { return each.first == core; });
  if (found == scalars.end()) return std::nullopt;
  return found->second;
}

std::size_t lanes_of(std::string_view type) {
  const auto core = core_of(type);
  const bool has_size = core.size() > 1 && core.back() >= '2' && core.back() <= '4' &&
                        std::isalpha(static_cast<unsigned char>(core[core.size() - 2]));
  return has_size ? static_cast<std::size_t>(core.back() - '0') : 1;
}

std::optional<std::size_t> value_bytes(std::string_view type) {
  const auto scalar = scalar_of(type);
  if (!scalar) return std::nullopt;
  const auto lanes = lanes_of(type);
  const bool is_packed = type.find("packed_") != std::string_view::npos;
  return scalar->bytes * (lanes == 3 && !is_packed ? 4 : lanes);
}

std::optional<std::size_t> bound_value_bytes(std::string_view type) {
  constexpr std::string_view sized = "struct of ";
  if (type.find('*') != std::string_view::npos) return std::nullopt;
  const auto at = type.find(sized);
  if (at == std::string_view::npos) return value_bytes(type);
  std::size_t bytes = 0;
  const auto* begin = type.data() + at + sized.size();
  const auto read = std::from_chars(begin, type.data() + type.size(), bytes);
  return read.ec == std::errc() ? std::optional(bytes) : std::nullopt;
}

}  // namespace msci
