// The textures of a plan file: shapes, and texels from files and fills.
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tasks/plan/file/buffer_contents.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_numbers.h"
#include "tasks/plan/file/plan_results.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"
#include "tasks/plan/texture/sampler_bits.h"
#include "tasks/plan/texture/texel_format.h"
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

// Results of passes as PNG files, for people to look at.

// A folder of images. Safe to use from several threads.
class ImageFolder {
 public:
  explicit ImageFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Writes the largest level of each result that is a texture to LABEL.NAME.png, and what it must
  // be, if that is known, to LABEL.NAME.expected.png; layers lie one below the other. Characters
  // other than letters, digits, _ and - are escaped in LABEL and NAME, as in a URL, so that no two
  // results share a file. `outputs` are those of `expected`, in order.
  void save(const std::string& label, std::span<const ExpectedResult> expected,
            const Outputs& outputs);

  // Why images are missing, each once: a format that a PNG cannot show, a file that cannot be
  // written. That says nothing about the kernel.
  std::vector<std::string> problems() const;

 private:
  void note(std::string problem);

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::vector<std::string> problems_;
};

// The samplers of a plan file.

// A field of "samplers". Its keys and words are those of Metal's `constexpr sampler`: "coord",
// "address" and "filter" (of all directions and both filters), "s_address", "t_address",
// "r_address", "mag_filter", "min_filter", "mip_filter", "compare_func", "border_color",
// "reduction", "max_anisotropy", "lod_clamp" ([least, most]) and "bias".
SamplerDescription read_sampler(PlanFieldReader& reader, const Field& field);

// The fills of a plan file's textures.

// Makes the texels, in the format, those of the field "fill" of the texture `name`: {"constant": c}
// or a list of a number for each component, {"iota": [first, step]} or {"uniform": [low, high],
// "seed": s}. Numbers are what a kernel reads, component by component of those that the format has:
// 0 to 1 in unorm formats, linear in sRGB formats.
void fill_texels(PlanFieldReader& reader, const std::string& name, const Field& field,
                 const Filling& filling, TexelFormat format, std::vector<std::byte>& texels);

// Whether kernels can use the textures that a plan binds to them.

// Why Metal does not let a kernel use a texture of that shape as the argument: another kind, or a
// format whose components the type of the argument does not take. None if it can, or if the type is
// none that is known.
std::optional<std::string> refuse_texture(const TextureShape& shape,
                                          const KernelArgument& argument);

// The numbers by which textures are compared.

// The components that the format has, of one texel after the other: what a kernel reads, but of an
// sRGB format the encoded values, 0 to 1, so that a unit of the format is the same everywhere.
std::vector<double> texel_numbers(TexelFormat format, std::span<const std::byte> texels);

// The same of the memory of a texture after a pass. NaN where memory does not hold a value of the
// format, as after a write that a texture does not do, and everywhere if the header has changed.
std::vector<double> texel_numbers(const TextureShape& shape, std::span<const std::byte> memory);

// For each component that the format has, the largest difference that counts as none: one unit of a
// normalised component of 8 bits or more, since Metal lets devices round to either neighbour;
// otherwise 0, since a unit of fewer bits can be most of the range.
std::vector<double> texel_rounding(TexelFormat format);

// Where number `index` of texel_numbers() lies: "[2, 1].g", or "[5].g" of a texture that is not
// flat or has levels: the texel's place in memory.
std::string texel_place(const TextureShape& shape, std::size_t index);

// Whether a component may differ by texel_rounding().
bool is_rounded(TexelFormat format);

}  // namespace msci
