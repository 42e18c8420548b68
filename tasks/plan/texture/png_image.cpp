#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <csetjmp>
#include <cstring>

#include "tasks/plan/texture/texel_image.h"

namespace msci {
namespace {

static_assert(std::endian::native == std::endian::little, "png_set_swap() is for such processors");

constexpr std::size_t signature_bytes = 8;

// libpng reports an error by a jump to the last setjmp(). Objects with destructors must not lie
// between the two: each function with setjmp() below has trivial locals only.
struct PngError {
  char message[128] = "";
};

[[noreturn]] void jump_out(png_structp png, png_const_charp message) {
  auto& error = *static_cast<PngError*>(png_get_error_ptr(png));
  std::strncpy(error.message, message, sizeof error.message - 1);
  png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

struct Input {
  std::span<const std::byte> file;
  std::size_t at = 0;
};

void read_from_memory(png_structp png, png_bytep to, std::size_t bytes) {
  auto& input = *static_cast<Input*>(png_get_io_ptr(png));
  if (bytes > input.file.size() - input.at) png_error(png, "the file ends too early");
  std::memcpy(to, input.file.data() + input.at, bytes);
  input.at += bytes;
}

// libpng's own memory for a picture that is read.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> file)
      : input_{file},
        png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &error_, jump_out, ignore_warning)),
        info_(png_ ? png_create_info_struct(png_) : nullptr) {}
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The sides and the layout of the image, without samples; false: error().
  bool read_header(PngImage& image) {
    if (!info_) return false;
    if (setjmp(png_jmpbuf(png_))) return false;
    // Only samples count: nothing else is unpacked, and the caller has limits of its own.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_read_fn(png_, &input_, read_from_memory);
    png_read_info(png_, info_);
    image.width = png_get_image_width(png_, info_);
    image.height = png_get_image_height(png_, info_);
    return true;
  }

  bool has_palette() const { return png_get_color_type(png_, info_) == PNG_COLOR_TYPE_PALETTE; }

  bool read_layout(PngImage& image, PngSamples meaning) {
    if (setjmp(png_jmpbuf(png_))) return false;
    if (meaning == PngSamples::shares)
      png_set_expand(png_);
    else
      png_set_packing(png_);
    png_set_swap(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    image.channels = png_get_channels(png_, info_);
    image.bits = png_get_bit_depth(png_, info_);
    return true;
  }

  bool read_rows(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png_))) return false;
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  Error error() const {
    return {fmt::format("it is not a correct PNG file: {}",
                        error_.message[0] ? error_.message : "libpng has no memory")};
  }

 private:
  PngError error_;
  Input input_;
  png_structp png_;
  png_infop info_;
};

std::size_t row_bytes(const PngImage& image) {
  return std::size_t{image.width} * image.channels * image.bits / 8;
}

std::vector<png_bytep> rows_of(PngImage& image) {
  std::vector<png_bytep> rows(image.height);
  for (std::size_t y = 0; y < rows.size(); ++y)
    rows[y] = reinterpret_cast<png_bytep>(image.samples.data()) + y * row_bytes(image);
  return rows;
}

void append_to_file(png_structp png, png_bytep from, std::size_t bytes) {
  auto& file = *static_cast<std::vector<std::byte>*>(png_get_io_ptr(png));
  const auto* begin = reinterpret_cast<const std::byte*>(from);
  file.insert(file.end(), begin, begin + bytes);
}

bool write_rows(png_structp png, png_infop info, const PngImage& image, png_bytepp rows,
                std::vector<std::byte>& file) {
  if (setjmp(png_jmpbuf(png))) return false;
  constexpr int colours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                             PNG_COLOR_TYPE_RGB_ALPHA};
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_write_fn(png, &file, append_to_file, nullptr);
  png_set_IHDR(png, info, image.width, image.height, static_cast<int>(image.bits),
               colours[image.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  png_set_swap(png);
  png_write_image(png, rows);
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

bool is_png(std::span<const std::byte> file) {
  return file.size() >= signature_bytes &&
         png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, signature_bytes) == 0;
}

Result<PngImage> read_png(std::span<const std::byte> file, unsigned width, unsigned height,
                          PngSamples meaning) {
  Reader reader(file);
  PngImage image;
  if (!reader.read_header(image)) return reader.error();
  if (image.width != width || image.height != height)
    return Error{fmt::format("the image has {} x {} pixels, and the texture {} x {}", image.width,
                             image.height, width, height)};
  if (meaning == PngSamples::numbers && reader.has_palette())
    return Error{"the image has a palette, whose colours are not the numbers of an integer format"};
  if (!reader.read_layout(image, meaning)) return reader.error();
  image.samples.resize(std::size_t{height} * row_bytes(image));
  if (!reader.read_rows(rows_of(image).data())) return reader.error();
  return image;
}

Result<std::vector<std::byte>> write_png(const PngImage& image) {
  assert(image.channels >= 1 && image.channels <= 4 && (image.bits == 8 || image.bits == 16) &&
         image.samples.size() == image.height * row_bytes(image) && "the layout of PngImage");
  PngError error;
  auto* png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &error, jump_out, ignore_warning);
  auto* info = png ? png_create_info_struct(png) : nullptr;
  auto copy = image;  // libpng's rows are not const
  std::vector<std::byte> file;
  const bool is_written = info && write_rows(png, info, copy, rows_of(copy).data(), file);
  png_destroy_write_struct(&png, &info);
  if (!is_written)
    return Error{fmt::format("cannot write the image as PNG: {}",
                             error.message[0] ? error.message : "libpng has no memory")};
  return file;
}

}  // namespace msci
