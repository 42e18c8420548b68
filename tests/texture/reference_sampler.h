// What a texture function must return, computed in doubles from the rules of
// docs/reference/textures.md, independently of the Metal headers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tasks/plan/texture/sampler_bits.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {

using Color = std::array<double, 4>;

// A texture's texels as numbers.
struct ReferenceTexture {
  TextureShape shape;
  std::vector<Color> texels;  // in the order of memory

  ReferenceTexture(const TextureShape& shape, std::span<const std::byte> encoded);
};

struct SamplePoint {
  std::array<float, 3> at{};  // a coordinate, or a direction into a cube
  std::uint32_t index = 0;    // of an array
  float lod = 0;
  std::array<int, 3> offset{};
  float least_lod = 0;  // min_lod_clamp
};

// The level of detail that two gradients of the coordinate give: log2 of the longer one in texels
// of level 0; on the face of a cube that the point lies on.
double reference_lod(const TextureShape& shape, const SamplePoint& point,
                     const std::array<std::array<float, 4>, 2>& gradients);

// texture.sample(sampler, at, index, level(lod), offset)
Color reference_sample(const ReferenceTexture& texture, const SamplerDescription& sampler,
                       const SamplePoint& point);
// texture.sample_compare(sampler, at, index, value, level(lod)), of a depth texture.
double reference_compare(const ReferenceTexture& texture, const SamplerDescription& sampler,
                         const SamplePoint& point, float value);
// texture.gather(sampler, at, index, offset, component)
Color reference_gather(const ReferenceTexture& texture, const SamplerDescription& sampler,
                       const SamplePoint& point, unsigned component);
// texture.read(at, index, lod); zeros outside.
Color reference_read(const ReferenceTexture& texture, std::array<std::uint32_t, 3> at,
                     std::uint32_t layer, std::uint32_t sample, std::uint32_t lod);

}  // namespace msci
