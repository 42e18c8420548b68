#include "evaluator/plan/npy.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include "evaluator/plan/elements.h"

namespace msci {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

std::uint32_t little_endian(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    value |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * i);
  return value;
}

// The text between the quotes or brackets that follow a key of the header, a Python dictionary.
std::string_view value_of(std::string_view header, std::string_view key, char open, char close) {
  const auto at = header.find(key);
  if (at == std::string_view::npos) return {};
  const auto begin = header.find(open, at + key.size());
  const auto end = header.find(close, begin + 1);
  if (begin == std::string_view::npos || end == std::string_view::npos) return {};
  return header.substr(begin + 1, end - begin - 1);
}

// How many elements an array of that shape ("3, 4", "3," or "") has. None: it is not a shape, or
// too many.
std::optional<std::size_t> elements_in(std::string_view shape) {
  std::size_t count = 1;
  for (const char *at = shape.data(), *end = at + shape.size(); at != end;) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::size_t extent = 0;
    const auto [behind, problem] = std::from_chars(at, end, extent);
    if (problem != std::errc() || __builtin_mul_overflow(count, extent, &count)) return {};
    at = behind;
  }
  return count;
}

}  // namespace

bool is_npy(std::span<const std::byte> file) {
  return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

Result<NpyArray> read_npy(std::span<const std::byte> file) {
  static const std::map<std::string_view, std::string_view> types{
      {"<f4", "float"},  {"<f2", "half"},  {"<u4", "uint"},  {"<i4", "int"},
      {"<u2", "ushort"}, {"<i2", "short"}, {"|u1", "uchar"}, {"|i1", "char"},
      {"<u8", "ulong"},  {"<i8", "long"},  {"|b1", "bool"}};
  constexpr std::size_t prefix = 8;  // magic and version
  if (!is_npy(file) || file.size() < prefix + 4) return Error{"it is not an .npy file"};
  const std::size_t length_bytes = file[6] == std::byte{1} ? 2 : 4;
  const std::size_t length = little_endian(file.subspan(prefix, length_bytes));
  const auto begin = prefix + length_bytes + length;
  if (begin > file.size()) return Error{"its header is cut off"};
  const std::string_view header(reinterpret_cast<const char*>(file.data()) + prefix + length_bytes,
                                length);
  const auto type = types.find(value_of(header, "'descr':", '\'', '\''));
  if (type == types.end())
    return Error{
        fmt::format("its elements are '{}'; save little-endian float32, float16 or integers",
                    value_of(header, "'descr':", '\'', '\''))};
  if (header.find("'fortran_order': True") != std::string_view::npos)
    return Error{"it is in Fortran's order; save numpy.ascontiguousarray(x)"};
  const auto contents = file.subspan(begin);
  const auto shape = value_of(header, "'shape':", '(', ')');
  const auto count = elements_in(shape);
  std::size_t bytes = 0;
  if (!count || __builtin_mul_overflow(*count, *element_bytes(type->second), &bytes) ||
      bytes != contents.size())
    return Error{fmt::format("its shape is ({}), but {} bytes of elements follow; save it again",
                             shape, contents.size())};
  return NpyArray{std::string(type->second), {contents.begin(), contents.end()}};
}

}  // namespace msci
