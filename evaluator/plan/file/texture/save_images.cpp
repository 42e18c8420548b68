#include "evaluator/plan/file/texture/save_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/files/write_file.h"
#include "evaluator/plan/texture/texel_image.h"

namespace msci {
namespace {

// A label may have any characters.
std::string file_stem(const std::string& label, const std::string& name) {
  auto stem = fmt::format("{}_{}", label, name);
  std::ranges::replace_if(
      stem,
      [](char c) {
        return !std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' && c != '.';
      },
      '_');
  return stem;
}

std::optional<Error> save(const std::filesystem::path& file, const TextureShape& shape,
                          std::span<const std::byte> texels) {
  const auto largest = levels_of(shape).front();
  const auto rows = static_cast<unsigned>(largest.texels / largest.width);
  const auto image = image_of(texels, shape.format, largest.width, rows);
  if (!image) return std::nullopt;
  const auto png = write_png(*image);
  if (!png) return png.error();
  const auto written = write_file(
      file.string(), {reinterpret_cast<const char*>(png->data()), png->size()}, Sync::no);
  return written ? std::nullopt : std::optional(written.error());
}

}  // namespace

std::optional<Error> save_images(const std::filesystem::path& folder, const std::string& label,
                                 std::span<const std::string> names,
                                 std::span<const ExpectedResult> expected, const Outputs& outputs) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);  // an error shows when a file is written
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!expected[i].texture) continue;
    const auto& shape = *expected[i].texture;
    const auto stem = file_stem(label, names[i]);
    if (const auto texels = encoded_texels(shape, outputs[i].data))
      if (auto error = save(folder / (stem + ".png"), shape, *texels)) return error;
    if (expected[i].contents.data.empty()) continue;
    if (auto error = save(folder / (stem + "_expected.png"), shape, expected[i].contents.data))
      return error;
  }
  return std::nullopt;
}

}  // namespace msci
