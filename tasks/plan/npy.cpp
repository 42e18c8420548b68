#include "tasks/plan/npy.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "tasks/plan/elements.h"

namespace msci {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

std::uint32_t little_endian(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    value |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * i);
  return value;
}

// What follows a key of the header, a Python dictionary.
std::string_view header_value(std::string_view header, std::string_view key) {
  const auto at = header.find(key);
  return at == std::string_view::npos ? std::string_view()
                                      : trimmed(header.substr(at + key.size()));
}

// The text between two characters at the start of a value.
std::string_view between(std::string_view value, char open, char close) {
  const auto end = value.find(close, 1);
  if (!value.starts_with(open) || end == std::string_view::npos) return {};
  return value.substr(1, end - 1);
}

// The extents of "3, 4", "3," or "". None: it is not a shape.
std::optional<std::vector<std::size_t>> extents_in(std::string_view shape) {
  std::vector<std::size_t> extents;
  for (const char *at = shape.data(), *end = at + shape.size(); at != end;) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    const auto [behind, problem] = std::from_chars(at, end, extents.emplace_back());
    if (problem != std::errc()) return std::nullopt;
    at = behind;
  }
  return extents;
}

// How many bytes an array has; none: too many.
std::optional<std::size_t> bytes_of(std::span<const std::size_t> extents, std::size_t element) {
  auto bytes = element;
  for (const auto extent : extents)
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  return bytes;
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
  const auto major = std::to_integer<unsigned>(file[6]), minor = std::to_integer<unsigned>(file[7]);
  if (major < 1 || major > 3 || minor != 0)
    return Error{fmt::format("its format has version {}.{}; save it in version 1.0, 2.0 or 3.0",
                             major, minor)};
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t length = little_endian(file.subspan(prefix, length_bytes));
  const auto begin = prefix + length_bytes + length;
  if (begin > file.size()) return Error{"its header is cut off"};
  const std::string_view header(reinterpret_cast<const char*>(file.data()) + prefix + length_bytes,
                                length);
  const auto descr = between(header_value(header, "'descr':"), '\'', '\'');
  const auto type = types.find(descr);
  if (type == types.end())
    return Error{fmt::format(
        "its elements are '{}'; save little-endian float32, float16 or integers", descr)};
  const auto order = header_value(header, "'fortran_order':");
  if (order.starts_with("True"))
    return Error{"it is in Fortran's order; save numpy.ascontiguousarray(x)"};
  if (!order.starts_with("False"))
    return Error{"its header lacks \"fortran_order\"; save it again"};
  const auto contents = file.subspan(begin);
  const auto shape = between(header_value(header, "'shape':"), '(', ')');
  auto extents = extents_in(shape);
  if (!extents || bytes_of(*extents, *element_bytes(type->second)) != contents.size())
    return Error{fmt::format("its shape is ({}), but {} bytes of elements follow; save it again",
                             shape, contents.size())};
  return NpyArray{
      std::string(type->second), *std::move(extents), {contents.begin(), contents.end()}};
}

}  // namespace msci
