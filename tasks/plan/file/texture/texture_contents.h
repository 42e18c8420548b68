// The textures of a plan file: shapes, and texels from files and fills.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tasks/plan/file/buffer_contents.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_numbers.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {

struct TextureContents {
  TextureShape shape;
  std::vector<std::byte> memory;  // as a device has it; empty if no contents are read
  bool is_filled = true;          // otherwise zeros by default, which a strict verdict may replace
};

// A field of "textures".
TextureContents read_texture(PlanFieldReader& reader, const std::string& name, const Field& field,
                             const NumberScope& scope, const Filling& filling,
                             const ContentsLimits& limits);

// The file that a field names, as texels in the texture's format: a PNG is the largest level, with
// its layers, or z, one below the other, and other levels are zero; a .npy or raw file has all
// levels.
std::vector<std::byte> read_texels_file(PlanFieldReader& reader, const Field& field,
                                        const Size& size, const TextureShape& shape,
                                        const ContentsLimits& limits);

// How a contract declares a texture: "texture2d_array<float, access::read_write>".
std::string declaration_of(const TextureShape& shape, bool is_read_only);

// The texture with texels that no correct kernel leaves: NaN, or numbers of all 32 bits in integer
// formats. For textures that a strict verdict does not want to be zero.
std::vector<std::byte> with_poisoned_texels(const TextureShape& shape,
                                            std::span<const std::byte> texture);

}  // namespace msci
