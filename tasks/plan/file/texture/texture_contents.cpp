#include "tasks/plan/file/texture/texture_contents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <span>

#include "base/files/read_file.h"
#include "tasks/plan/elements.h"
#include "tasks/plan/texture/texel_fields.h"
#include "tasks/plan/texture/texel_image.h"

namespace msci {
namespace {

// ---- shapes

bool is_array(TextureKind kind) {
  return kind == TextureKind::d1_array || kind == TextureKind::d2_array ||
         kind == TextureKind::d2_ms_array || kind == TextureKind::cube_array;
}
bool is_multisampled(TextureKind kind) {
  return kind == TextureKind::d2_ms || kind == TextureKind::d2_ms_array;
}
bool is_cube(TextureKind kind) {
  return kind == TextureKind::cube || kind == TextureKind::cube_array;
}
bool is_row(TextureKind kind) {
  return kind == TextureKind::d1 || kind == TextureKind::d1_array || kind == TextureKind::buffer;
}

TextureKind read_kind(PlanFieldReader& reader, const Field& field) {
  const auto given = reader.optional_member(field, "kind");
  if (!given) return TextureKind::d2;
  const auto name = reader.text(*given, "the kind of a texture");
  const auto kind = texture_kind_from(name);
  if (!reader.failed() && !kind)
    reader.report_error(
        *given, fmt::format("'{}' is not a kind of texture; use 1d, 1d_array, 2d, 2d_array, "
                            "2d_ms, 2d_ms_array, 3d, cube, cube_array or buffer",
                            name));
  return kind.value_or(TextureKind::d2);
}

TexelFormat read_format(PlanFieldReader& reader, const Field& field) {
  const auto given = reader.member(field, "format");
  if (reader.failed()) return {};
  const auto name = reader.text(given, "a pixel format");
  const auto format = texel_format_from(name);
  if (!reader.failed() && !format)
    reader.report_error(given, fmt::format("'{}' is not a pixel format{}", name,
                                           hint(name, texel_format_names(), "use one of")));
  return format.value_or(TexelFormat{});
}

// One of the sizes; a field that the kind lacks is an error.
void read_side(PlanFieldReader& reader, const Field& field, const std::string& key, bool has_it,
               const NumberScope& scope, std::uint32_t& to) {
  const auto given = reader.optional_member(field, key);
  if (has_it && !given) {
    reader.report_error(field, fmt::format("\"{}\" is missing", key));
  } else if (given && !has_it) {
    reader.report_error(*given,
                        fmt::format("a texture of this kind has no \"{}\"; remove it", key));
  } else if (given) {
    to = read_unsigned(reader, *given, scope);
  }
}

TextureShape read_shape(PlanFieldReader& reader, const Field& field, const NumberScope& scope) {
  TextureShape shape{.kind = read_kind(reader, field), .format = read_format(reader, field)};
  const auto kind = shape.kind;
  const auto read = [&](const std::string& key, bool has_it, std::uint32_t& to) {
    if (!reader.failed()) read_side(reader, field, key, has_it, scope, to);
  };
  read("width", true, shape.width);
  if (is_cube(kind))
    shape.height = shape.width;
  else
    read("height", !is_row(kind), shape.height);
  read("depth", kind == TextureKind::d3, shape.depth);
  read("array_length", is_array(kind), shape.array_length);
  read("samples", is_multisampled(kind), shape.samples);
  if (field.has("mip_levels")) read("mip_levels", true, shape.mip_levels);
  if (reader.failed()) return shape;
  if (const auto refused = refuse_shape(shape)) reader.report_error(field, refused->message);
  return shape;
}

void check_memory(PlanFieldReader& reader, const Field& field, const TextureShape& shape,
                  const ContentsLimits& limits) {
  if (reader.failed() || texture_bytes(shape) <= limits.most_bytes) return;
  reader.report_error(field,
                      fmt::format("the texture needs {} bytes, 16 for each texel, and {} are "
                                  "left here",
                                  texture_bytes(shape), limits.most_bytes));
}

// ---- files

// How many images of the largest level lie one below the other.
std::uint32_t slices_of(const TextureShape& shape) {
  return shape.array_length * shape.depth * (is_cube(shape.kind) ? 6 : 1);
}

std::vector<std::byte> texels_of_png(PlanFieldReader& reader, const Field& field,
                                     std::span<const std::byte> file, const TextureShape& shape) {
  const auto report = [&](const Error& error) {
    reader.report_error(field, error.message);
    return std::vector<std::byte>();
  };
  if (is_multisampled(shape.kind))
    return report({"a PNG has one sample for each texel; use a .bin or .npy file"});
  const auto meaning = is_integer(shape.format) ? PngSamples::numbers : PngSamples::shares;
  const auto image = read_png(file, shape.width, shape.height * slices_of(shape), meaning);
  if (!image) return report(image.error());
  auto texels = texels_from(*image, shape.format);
  if (!texels) return report(texels.error());
  texels->resize(encoded_bytes(shape));
  return *std::move(texels);
}

// The scalar type of an array with such texels; empty: any of the same length.
std::string_view scalar_of(TexelFormat format) {
  const auto fields = present_fields(format);
  const auto bits = fields.front().bits;
  const bool is_regular = layout_of(format).bytes * 8 == bits * fields.size() &&
                          (bits == 8 || bits == 16 || bits == 32);
  if (!is_regular) return {};
  const std::size_t width = bits / 16;  // 0, 1, 2
  switch (layout_of(format).encoding) {
    case TexelEncoding::floating:
      return std::array<std::string_view, 3>{"", "half", "float"}[width];
    case TexelEncoding::snorm:
    case TexelEncoding::sint:
      return std::array<std::string_view, 3>{"char", "short", "int"}[width];
    default:
      return std::array<std::string_view, 3>{"uchar", "ushort", "uint"}[width];
  }
}

// The extents of an array of the texels of one level, the outermost first.
std::vector<std::size_t> extents_of(const TextureShape& shape, std::size_t scalars_of_a_texel) {
  return {shape.array_length, is_cube(shape.kind) ? 6u : 1u,
          shape.depth,        shape.height,
          shape.width,        shape.samples,
          scalars_of_a_texel};
}

std::vector<std::size_t> without_ones(std::vector<std::size_t> extents) {
  std::erase(extents, 1u);
  return extents;
}

// Why the array cannot be the texture.
std::optional<std::string> refuse_array(const NpyArray& array, const TextureShape& shape) {
  const auto& layout = layout_of(shape.format);
  const auto type = scalar_of(shape.format);
  const auto scalar_bytes = *element_bytes(array.type);
  if ((!type.empty() && type != array.type) || layout.bytes % scalar_bytes != 0)
    return fmt::format("it has elements of type {}, and {} has {}", array.type, layout.name,
                       type.empty() ? fmt::format("{} bytes", layout.bytes) : type);
  if (array.shape.size() == 1) return std::nullopt;  // flat
  const auto scalars = encoded_bytes(shape) / scalar_bytes;
  const auto text = fmt::format("its shape is ({})", fmt::join(array.shape, ", "));
  if (shape.mip_levels > 1)
    return fmt::format("{}, and a texture with mip levels needs a flat array of {}", text, scalars);
  const auto wanted = without_ones(extents_of(shape, layout.bytes / scalar_bytes));
  if (without_ones(array.shape) == wanted) return std::nullopt;
  return fmt::format("{}, and the texture's ({}); change one of them, or save a flat array of {}",
                     text, fmt::join(wanted, ", "), scalars);
}

std::vector<std::byte> texels_of_array(PlanFieldReader& reader, const Field& field,
                                       const std::filesystem::path& path,
                                       std::vector<std::byte> file, const TextureShape& shape) {
  if (!is_npy(file)) return file;
  auto array = read_array(reader, field, path, file);
  if (!array) return {};
  if (const auto reason = refuse_array(*array, shape))
    reader.report_error(field, fmt::format("{}: {}", path.string(), *reason));
  return std::move(array->contents);
}

// ---- contents

// Zeros, a file or a fill, in the texture's format.
std::vector<std::byte> read_texels(PlanFieldReader& reader, const std::string& name,
                                   const Field& field, const TextureShape& shape, const Size& size,
                                   const Filling& filling, const ContentsLimits& limits) {
  if (const auto file = reader.optional_member(field, "file"))
    return read_texels_file(reader, *file, size, shape, limits);
  std::vector<std::byte> texels(encoded_bytes(shape));
  if (const auto how = reader.optional_member(field, "fill"))
    fill_texels(reader, name, *how, filling, shape.format, texels);
  return texels;
}

// Reports a wrong fill, whose texels are not needed.
void check_fill(PlanFieldReader& reader, const std::string& name, const Field& field,
                const Filling& filling, const TextureShape& shape) {
  std::vector<std::byte> one(layout_of(shape.format).bytes);
  if (const auto how = reader.optional_member(field, "fill"))
    fill_texels(reader, name, *how, filling, shape.format, one);
}

}  // namespace

std::vector<std::byte> read_texels_file(PlanFieldReader& reader, const Field& field,
                                        const Size& size, const TextureShape& shape,
                                        const ContentsLimits& limits) {
  const auto name = reader.text(field, "a file's name");
  if (reader.failed()) return {};
  const auto path = limits.folder / substitute(name, size);
  const auto file = read_bytes(path, limits.most_bytes);
  if (!file) {
    reader.report_error(field, file.error().message);
    return {};
  }
  if (is_png(*file)) return texels_of_png(reader, field, *file, shape);
  auto texels = texels_of_array(reader, field, path, *file, shape);
  if (!reader.failed() && texels.size() != encoded_bytes(shape))
    reader.report_error(field, fmt::format("the file has {} bytes of texels, and the texture {}",
                                           texels.size(), encoded_bytes(shape)));
  return texels;
}

TextureContents read_texture(PlanFieldReader& reader, const std::string& name, const Field& field,
                             const NumberScope& scope, const Filling& filling,
                             const ContentsLimits& limits) {
  reader.check_keys(field, {"kind", "format", "width", "height", "depth", "array_length",
                            "mip_levels", "samples", "file", "fill", "read_only", "meaning"});
  reader.check_alone(field, "file", {"fill"});
  if (reader.failed()) return {};
  TextureContents made{.shape = read_shape(reader, field, scope),
                       .is_filled = field.has("file") || field.has("fill")};
  check_memory(reader, field, made.shape, limits);
  if (reader.failed()) return made;
  if (filling.contents == Filling::Contents::none) {
    check_fill(reader, name, field, filling, made.shape);
    return made;
  }
  const auto texels = read_texels(reader, name, field, made.shape, scope.size, filling, limits);
  if (reader.failed()) return made;
  auto memory = texture_memory(made.shape, texels);
  if (memory)
    made.memory = *std::move(memory);
  else
    reader.report_error(field, memory.error().message);
  return made;
}

std::string declaration_of(const TextureShape& shape, bool is_read_only) {
  const auto kind = to_string(shape.kind);
  const auto* family = is_depth(shape.format) ? "depth" : "texture";
  const auto dimension = kind == "buffer" ? "_buffer" : kind;
  const auto* component = !is_integer(shape.format)                                 ? "float"
                          : layout_of(shape.format).encoding == TexelEncoding::uint ? "uint"
                                                                                    : "int";
  return fmt::format("{}{}<{}{}>", family, dimension, component,
                     is_read_only ? "" : ", access::read_write");
}

std::vector<std::byte> with_poisoned_texels(const TextureShape& shape,
                                            std::span<const std::byte> texture) {
  std::vector<std::byte> memory(texture.begin(), texture.end());
  constexpr std::uint32_t quiet_nan = 0x7fc00000;
  std::mt19937 random(1);
  const auto levels = levels_of(shape);
  const auto texels = levels.back().first_texel + levels.back().texels;
  const auto end = TextureHeader::bytes + texels * texel_memory_bytes;
  const auto& fields = layout_of(shape.format).fields;
  for (auto at = TextureHeader::bytes; at < end; at += texel_memory_bytes) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].bits == 0) continue;  // the same in every texel of the format
      const auto junk = static_cast<std::uint32_t>(random());
      const std::uint32_t word = is_integer(shape.format) ? junk : quiet_nan | junk >> 12;
      std::memcpy(&memory[at + i * sizeof word], &word, sizeof word);
    }
  }
  return memory;
}

}  // namespace msci
