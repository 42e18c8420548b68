#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/files/write_file.h"
#include "tasks/plan/file/texture/texture_contents.h"
#include "tasks/plan/texture/texel_image.h"

namespace msci {
namespace {

// A part of a file's name. A point, which ends it, is escaped, too.
std::string escaped(std::string_view text) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  std::string made;
  for (const char c : text)
    made += plain.find(c) != std::string_view::npos
                ? std::string(1, c)
                : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return made;
}

std::optional<Error> save_texels(const std::filesystem::path& file, const TextureShape& shape,
                                 std::span<const std::byte> texels) {
  const auto largest = levels_of(shape).front();
  const auto rows = static_cast<unsigned>(largest.texels / largest.width);
  const auto image = image_of(texels, shape.format, largest.width, rows);
  if (!image)
    return Error{fmt::format("a PNG cannot show the numbers of {}", layout_of(shape.format).name)};
  const auto png = write_png(*image);
  if (!png) return png.error();
  return replace_file(file.string(), {reinterpret_cast<const char*>(png->data()), png->size()},
                      Sync::no);
}

std::optional<Error> save_result(const std::filesystem::path& stem, const ExpectedResult& expected,
                                 const Bytes& output) {
  const auto file = [&](std::string_view ending) { return stem.string() + std::string(ending); };
  const auto& shape = *expected.texture;
  const auto texels = encoded_texels(shape, output);
  auto error = texels ? save_texels(file(".png"), shape, *texels) : texels.error();
  if (expected.contents.empty()) return error;
  auto other = save_texels(file(".expected.png"), shape, expected.contents);
  return error ? error : other;
}

}  // namespace

void ImageFolder::save(const std::string& label, std::span<const ExpectedResult> expected,
                       const Outputs& outputs) {
  std::error_code problem;
  std::filesystem::create_directories(folder_, problem);  // an error shows when a file is written
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!expected[i].texture) continue;
    const auto stem = folder_ / fmt::format("{}.{}", escaped(label), escaped(expected[i].name));
    if (const auto error = save_result(stem, expected[i], outputs[i]))
      note(fmt::format("no image of result '{}' at size {}: {}", expected[i].name, label,
                       error->message));
  }
}

std::vector<std::string> ImageFolder::problems() const {
  const std::scoped_lock lock(mutex_);
  return problems_;
}

// A size may be judged several times.
void ImageFolder::note(std::string problem) {
  const std::scoped_lock lock(mutex_);
  if (std::ranges::find(problems_, problem) == problems_.end())
    problems_.push_back(std::move(problem));
}

}  // namespace msci
