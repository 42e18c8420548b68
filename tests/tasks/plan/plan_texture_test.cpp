// Plans with textures and samplers: what they describe, how results are compared, and errors.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/files/read_file.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/elements.h"
#include "tasks/plan/file/texture/texture_contents.h"
#include "tasks/plan/plan_file.h"
#include "tasks/plan/texture/sampler_bits.h"
#include "tasks/plan/texture/texel_image.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

using TexelBytes = std::vector<std::byte>;

TexelBytes bytes_of(std::initializer_list<unsigned> values) {
  TexelBytes bytes;
  for (const auto value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

// A correct plan, as parts that a test can replace: a filter of an image of 3 x 2 texels.
struct Parts {
  std::string image = R"("format": "rgba8unorm", "width": "w", "height": 2, "read_only": true,
                         "fill": {"uniform": [0, 1], "seed": 1})";
  std::string result = R"("format": "r8unorm", "width": "w", "height": 2)";
  std::string sampler = R"("filter": "linear", "s_address": "repeat", "mip_filter": "nearest")";
  std::string launch = R"("textures": {"0": "image", "1": "result"}, "samplers": {"2": "smooth"})";
  std::string more = R"("expect": {"result": {"file": "result.bin"}})";
  std::string text() const {
    return R"({"sizes": [{"label": "three", "w": 3}], "textures": {"image": {)" + image +
           R"(}, "result": {)" + result + R"(}}, "samplers": {"smooth": {)" + sampler +
           R"(}}, "launches": [{"kernel": "k", "grid": ["w", 2], "threadgroup": [4, 1], )" +
           launch + "}], " + more + "}";
  }
};

class PlanTexture : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    write("result.bin", bytes_of({0, 1, 2, 100, 254, 255}));
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const TexelBytes& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  // With its contents.
  Result<std::unique_ptr<PlanFile>> read(const Parts& parts) const {
    std::ofstream(folder_ / "plan.json") << parts.text();
    auto plan = read_plan_file(folder_ / "plan.json");
    if (!plan) return plan;
    if (auto error = (*plan)->task().load({})) return *error;
    return plan;
  }
  std::string error_of(const Parts& parts) const {
    const auto plan = read(parts);
    return plan ? "none" : plan.error().message.substr((folder_ / "plan.json: ").string().size());
  }
  // The texels of the first texture, in its format.
  TexelBytes texels_of(const Parts& parts, const TextureShape& shape) const {
    const auto file = read(parts);
    EXPECT_TRUE(file) << file.error().message;
    if (!file) return {};
    const auto& task = (*file)->task();
    const auto plan = task.plan(task.sizes[0], {});
    const auto texels = encoded_texels(shape, plan->buffers[0].initial);
    EXPECT_TRUE(texels) << texels.error().message;
    return texels ? *texels : TexelBytes();
  }
  Verdict judged(const Parts& parts, const Bytes& memory) const {
    const auto file = read(parts);
    EXPECT_TRUE(file) << file.error().message;
    const auto& task = (*file)->task();
    return *task.judge(task.sizes[0], {}, {memory}, {memory});
  }

  fs::path folder_ = testing::TempDir() + "plan_texture_test_" + std::to_string(::getpid());
};

constexpr TextureShape image_shape{.format = TexelFormat::rgba8unorm, .width = 3, .height = 2};
constexpr TextureShape result_shape{.format = TexelFormat::r8unorm, .width = 3, .height = 2};

TEST_F(PlanTexture, is_a_buffer_that_a_launch_binds_by_the_index_of_its_kind) {
  const auto file = read({});
  ASSERT_TRUE(file) << file.error().message;
  const auto& task = (*file)->task();
  auto plan = task.plan(task.sizes[0], {});
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->buffers.size(), 3U);
  EXPECT_EQ(plan->buffers[1].initial, *texture_memory(result_shape, TexelBytes(6)));
  using Address = SamplerDescription::Address;
  using Filter = SamplerDescription::Filter;
  const auto sampler = sampler_bits({.s_address = Address::repeat,
                                     .mag_filter = Filter::linear,
                                     .min_filter = Filter::linear,
                                     .mip_filter = SamplerDescription::MipFilter::nearest});
  std::uint64_t bits = 0;
  ASSERT_EQ(plan->buffers[2].initial.size(), sizeof bits);
  std::memcpy(&bits, plan->buffers[2].initial.data(), sizeof bits);
  EXPECT_EQ(bits, sampler);
  EXPECT_EQ(plan->launches.at(0).bindings,
            (std::vector<Binding>{{.index = 0, .buffer = 0, .kind = ArgumentKind::texture},
                                  {.index = 1, .buffer = 1, .kind = ArgumentKind::texture},
                                  {.index = 2, .buffer = 2, .kind = ArgumentKind::sampler}}));
  EXPECT_EQ(plan->results, std::vector<std::size_t>{1});
  EXPECT_EQ(task.kernels.at(0).arguments,
            (std::vector<ContractArgument>{
                {0, "texture2d<float>", "image", "", ArgumentKind::texture},
                {1, "texture2d<float, access::read_write>", "result", "", ArgumentKind::texture},
                {2, "sampler", "smooth", "", ArgumentKind::sampler}}));
  mark_constant_buffers(task, *plan);
  EXPECT_TRUE(plan->buffers[0].constant);
  EXPECT_FALSE(plan->buffers[1].constant);
  EXPECT_TRUE(plan->buffers[2].constant);
  EXPECT_EQ(task.work(task.sizes[0]), 6 * 4 + 6 + 8) << "texels count as they are encoded";
}

// The members of a struct, beside a texture that may be written and one that may not.
Parts with_struct(const std::string& members) {
  Parts parts;
  parts.more += R"(, "buffers": {"scene": {"struct": )" + members +
                R"(}, "numbers": {"type": "float", "count": 4}})";
  parts.launch = R"("bind": {"0": "scene"})";
  return parts;
}

TEST_F(PlanTexture, and_sampler_are_members_of_structs) {
  const auto file = read(with_struct(
      R"([["uint", 7], {"texture": "image"}, {"sampler": "smooth"}, {"buffer": "numbers", "offset": 4},
          {"struct": [{"texture": "result"}, ["uchar", "i"]], "times": 2, "index": "i"},
          [{"texture": null}, {"sampler": {"coord": "pixel"}}]])"));
  ASSERT_TRUE(file) << file.error().message;
  const auto& task = (*file)->task();
  auto plan = task.plan(task.sizes[0], {});
  ASSERT_TRUE(plan) << plan.error().message;
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < plan->buffers.size(); ++i) index[plan->buffers[i].name] = i;
  const auto& scene = plan->buffers[index.at("scene")];
  EXPECT_EQ(scene.pointers,
            (std::vector<PlanPointer>{{.at = 8, .buffer = index.at("image"), .read_only = true},
                                      {.at = 24, .buffer = index.at("numbers"), .offset = 4},
                                      {.at = 32, .buffer = index.at("result")},
                                      {.at = 48, .buffer = index.at("result")}}));
  std::vector<std::uint64_t> words(scene.bytes / 8);
  std::memcpy(words.data(), scene.initial.data(), scene.bytes);
  using Filter = SamplerDescription::Filter;
  const auto smooth = sampler_bits({.s_address = SamplerDescription::Address::repeat,
                                    .mag_filter = Filter::linear,
                                    .min_filter = Filter::linear,
                                    .mip_filter = SamplerDescription::MipFilter::nearest});
  const auto in_pixels = sampler_bits({.coord = SamplerDescription::Coord::pixel});
  EXPECT_EQ(words, (std::vector<std::uint64_t>{7, 0, smooth, 4, 0, 0, 0, 1, 0, in_pixels}))
      << "references find 0 in place of a texture, and a sampler's bits";
  mark_constant_buffers(task, *plan);
  EXPECT_TRUE(plan->buffers[index.at("image")].constant);
  EXPECT_FALSE(plan->buffers[index.at("result")].constant) << "a kernel may write it";
}

TEST_F(PlanTexture, and_what_surrounds_it_are_described) {
  auto parts = with_struct(
      R"([["uint", 7], {"texture": "image"}, {"sampler": "smooth"}, {"buffer": "numbers", "offset": 4},
          {"struct": [{"texture": null}, ["uchar", "i", "w"]], "times": 2, "index": "i"},
          [{"buffer": null}, {"sampler": {"coord": "pixel"}}], {"functions": ["f", null]}],
          "read_only": true, "meaning": "all of it")");
  parts.image += R"(, "kind": "2d_array", "array_length": "2*w", "mip_levels": 2)";
  const auto file = read(parts);
  ASSERT_TRUE(file) << file.error().message;
  const auto& task = (*file)->task();
  EXPECT_EQ(
      task.data,
      (std::vector<TaskData>{
          {"scene",
           "a struct {`uint`; texture `image`; sampler `smooth`; a pointer to `numbers` from "
           "byte `4`; a struct {no texture; `uchar[2]` (`i`, `w`)} `2` times; {a null "
           "pointer; a sampler (coord `pixel`)}; a table of functions (`f`, none)}, read-only",
           "all of it"},
          {"numbers", "`float[4]`", ""},
          {"image",
           "a 2d_array texture of `rgba8unorm`, `w` x `2`, `2*w` layers, `2` mip levels, "
           "read-only",
           ""},
          {"result", "a 2d texture of `r8unorm`, `w` x `2`, a result", ""},
          {"smooth", "a sampler: filter `linear`, s_address `repeat`, mip_filter `nearest`", ""}}));
  EXPECT_EQ(task.launches, std::vector<std::string>{
                               "`k`: a grid of `w` x `2` threads, in threadgroups of `4` x `1`"});
}

TEST_F(PlanTexture, stands_beside_a_table_of_functions_in_a_contract) {
  Parts parts;
  parts.launch += R"(, "bind": {"3": {"functions": ["f", null, "g"]}})";
  const auto file = read(parts);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ((*file)->task().kernels.at(0).arguments.at(0),
            (ContractArgument{3, "visible_function_table", "functions_f_g", "functions 0: f, 2: g",
                              ArgumentKind::buffer}));
}

TEST_F(PlanTexture, errors_in_members_of_structs_name_the_field) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([{"texture": "numbers"}])",
       "/0/texture: 'numbers' is a buffer, not a texture; write {\"buffer\": \"numbers\"}"},
      {R"([{"buffer": "image", "offset": 16}])",
       "/0/buffer: 'image' is a texture, not a buffer; write {\"texture\": \"image\"}"},
      {R"([["uint", 1], {"texture": "picture"}])",
       "/1/texture: texture 'picture' not found in \"textures\""},
      {R"([{"texture": 5}])", "/0/texture: it must be a texture's name, in quotes"},
      {R"([{"texture": "image", "offset": 16}])",
       "/0/offset: unknown field; the fields here are texture"},
      {R"([{"texure": "image"}])", "/0/texure: unknown field; did you mean \"texture\"?"},
      {R"([{"pointer": "numbers"}])",
       "/0/pointer: unknown field; the fields here are buffer, offset, texture, sampler, "
       "functions, "
       "struct, times, index"},
      {R"([{"offset": 4}])",
       "/0: it needs one of the fields buffer, texture, sampler, functions and struct"},
      {R"([{"sampler": {"filter": "liner"}}])",
       "/0/sampler/filter: 'liner' is unknown; did you mean \"linear\"?"},
      {R"([{"sampler": "image"}])", "/0/sampler: sampler 'image' not found in \"samplers\""},
      {R"([{"sampler": null}])", "/0/sampler: it must be a sampler's name, in quotes"},
      {R"([{"sampler": {"filter": "cubic"}}])",
       "/0/sampler/filter: 'cubic' is unknown; use nearest, linear"}};
  for (const auto& [members, expected] : cases)
    EXPECT_EQ(error_of(with_struct(members)), std::string("/buffers/scene/struct") + expected);
}

TEST_F(PlanTexture, takes_texels_from_fills_in_decoded_numbers) {
  const auto with = [](const std::string& format, const std::string& fill) {
    Parts parts;
    parts.image = R"("format": ")" + format + R"(", "width": "w", "height": 2, "fill": )" + fill;
    return parts;
  };
  EXPECT_EQ(texels_of(with("rgba8unorm", R"({"constant": [1, 0, 0.5, 0.25]})"), image_shape),
            bytes_of({255, 0, 128, 64, 255, 0, 128, 64, 255, 0, 128, 64,
                      255, 0, 128, 64, 255, 0, 128, 64, 255, 0, 128, 64}));
  EXPECT_EQ(texels_of(with("r8uint", R"({"iota": [250, 1]})"),
                      {.format = TexelFormat::r8uint, .width = 3, .height = 2}),
            bytes_of({250, 251, 252, 253, 254, 255}));
  EXPECT_EQ(texels_of(with("r8sint", R"({"constant": -3})"),
                      {.format = TexelFormat::r8sint, .width = 3, .height = 2}),
            bytes_of({253, 253, 253, 253, 253, 253}));
  // A linear value of 0.2140 is encoded as one half.
  EXPECT_EQ(texels_of(with("r8unorm_srgb", R"({"constant": 0.21404114})"),
                      {.format = TexelFormat::r8unorm_srgb, .width = 3, .height = 2}),
            bytes_of({128, 128, 128, 128, 128, 128}));
  const TextureShape halves{.format = TexelFormat::r16float, .width = 3, .height = 2};
  const auto once = texels_of(with("r16float", R"({"uniform": [2, 3], "seed": 1})"), halves);
  EXPECT_EQ(once, texels_of(with("r16float", R"({"uniform": [2, 3], "seed": 1})"), halves));
  EXPECT_NE(once, texels_of(with("r16float", R"({"uniform": [2, 3], "seed": 2})"), halves));
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_GE(get_element("half", once, i), 2);
    EXPECT_LE(get_element("half", once, i), 3);
  }
  const TextureShape bytes{.format = TexelFormat::r8sint, .width = 64, .height = 64};
  const auto all = texels_of({.image = R"("format": "r8sint", "width": 64, "height": 64,
                                          "fill": {"uniform": [-128, 128], "seed": 1})"},
                             bytes);
  for (const int end : {-128, 127})
    EXPECT_NE(std::ranges::find(all, static_cast<std::byte>(end)), all.end()) << end;
}

TEST_F(PlanTexture, takes_texels_from_files) {
  PngImage image{3, 2, 3, 8, {}};
  for (unsigned i = 0; i < 18; ++i) image.samples.push_back(static_cast<std::byte>(10 * i));
  write("image.png", *write_png(image));
  Parts parts;
  parts.image = R"("format": "bgra8unorm", "width": "w", "height": 2, "file": "image.png")";
  const TextureShape shape{.format = TexelFormat::bgra8unorm, .width = 3, .height = 2};
  EXPECT_EQ(texels_of(parts, shape),
            bytes_of({20,  10,  0,  255, 50,  40,  30,  255, 80,  70,  60,  255,
                      110, 100, 90, 255, 140, 130, 120, 255, 170, 160, 150, 255}));
  // The slices of an array lie one below the other, and a PNG has the largest level only.
  parts.image = R"("kind": "2d_array", "format": "rgba8unorm", "width": "w", "height": 1,
                   "array_length": 2, "mip_levels": 2, "file": "image.png")";
  auto texels = texels_of(parts, {.kind = TextureKind::d2_array,
                                  .format = TexelFormat::rgba8unorm,
                                  .width = 3,
                                  .height = 1,
                                  .array_length = 2,
                                  .mip_levels = 2});
  ASSERT_EQ(texels.size(), 4 * (6 + 2U));
  EXPECT_EQ(texels[12], std::byte{90}) << "the second slice";
  EXPECT_EQ(TexelBytes(texels.begin() + 24, texels.end()), TexelBytes(8)) << "the second level";
  // Raw texels have all levels.
  write("six.bin", bytes_of({1, 2, 3, 4, 5, 6}));
  parts.image = R"("kind": "1d", "format": "r16uint", "width": "w", "file": "six.bin")";
  EXPECT_EQ(texels_of(parts, {.kind = TextureKind::d1, .format = TexelFormat::r16uint, .width = 3}),
            bytes_of({1, 2, 3, 4, 5, 6}));
}

// What np.save() writes.
TexelBytes npy_of(const std::string& type, const std::string& shape, const TexelBytes& contents,
                  const std::string& order = "False", unsigned version = 1) {
  auto header =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", type, order, shape);
  header.resize(117, ' ');
  TexelBytes file = bytes_of({0x93, 'N', 'U', 'M', 'P', 'Y', version, 0, 118, 0});
  if (version > 1) file.insert(file.end(), 2, std::byte{0});
  for (const char c : header + "\n") file.push_back(static_cast<std::byte>(c));
  file.insert(file.end(), contents.begin(), contents.end());
  return file;
}

TexelBytes counting(unsigned bytes) {
  TexelBytes made;
  for (unsigned i = 0; i < bytes; ++i) made.push_back(static_cast<std::byte>(i));
  return made;
}

TEST_F(PlanTexture, takes_arrays_of_its_shape) {
  struct Case {
    const char* fields;
    unsigned bytes;
    const char *type, *shape;
    const char* reason;  // empty: it is taken
  };
  const auto* flat = R"("format": "rgba8unorm", "width": 3, "height": 2)";
  const auto* grey = R"("format": "r8unorm", "width": 3, "height": 2)";
  const auto* layers = R"("kind": "2d_array", "format": "rg16uint", "width": 3, "height": 2,
                          "array_length": 4)";
  const auto* cube = R"("kind": "cube", "format": "r32float", "width": 2)";
  const auto* volume = R"("kind": "3d", "format": "r8uint", "width": 3, "height": 2, "depth": 4)";
  const auto* row = R"("kind": "1d", "format": "rgb10a2unorm", "width": 5)";
  const auto* levels = R"("format": "r8uint", "width": 4, "height": 2, "mip_levels": 2)";
  const Case cases[] = {
      {flat, 24, "|u1", "2, 3, 4", ""},
      {flat, 24, "|u1", "1, 2, 3, 4", ""},
      {flat, 24, "|u1", "24,", ""},
      {flat, 24, "|u1", "3, 2, 4",
       "its shape is (3, 2, 4), and the texture's (2, 3, 4); change one of them, or save a flat "
       "array of 24"},
      {flat, 24, "|u1", "6, 4",
       "its shape is (6, 4), and the texture's (2, 3, 4); change one of them, or save a flat array "
       "of 24"},
      {flat, 24, "<u4", "2, 3", "it has elements of type uint, and rgba8unorm has uchar"},
      {grey, 6, "|u1", "2, 3", ""},
      {grey, 6, "|u1", "2, 3, 1", ""},
      {grey, 6, "|u1", "3, 2",
       "its shape is (3, 2), and the texture's (2, 3); change one of them, or save a flat array of "
       "6"},
      {layers, 96, "<u2", "4, 2, 3, 2", ""},
      {layers, 96, "<u2", "2, 3, 4, 2",
       "its shape is (2, 3, 4, 2), and the texture's (4, 2, 3, 2); change one of them, or save a "
       "flat array of 48"},
      {cube, 96, "<f4", "6, 2, 2", ""},
      {volume, 24, "|u1", "4, 2, 3", ""},
      {row, 20, "<u4", "5,", ""},
      {row, 20, "|u1", "5, 4", ""},
      {row, 20, "|u1", "4, 5",
       "its shape is (4, 5), and the texture's (5, 4); change one of them, or save a flat array of "
       "20"},
      {row, 24, "<u8", "3,", "it has elements of type ulong, and rgb10a2unorm has 4 bytes"},
      {levels, 10, "|u1", "10,", ""},
      {levels, 10, "|u1", "5, 2",
       "its shape is (5, 2), and a texture with mip levels needs a flat array of 10"}};
  for (const auto& each : cases) {
    write("texels.npy", npy_of(each.type, each.shape, counting(each.bytes)));
    Parts parts;
    parts.image = std::string(each.fields) + R"(, "file": "texels.npy")";
    const auto reason = std::string(each.reason);
    EXPECT_EQ(error_of(parts),
              reason.empty()
                  ? "none"
                  : "/textures/image/file: " + (folder_ / "texels.npy: ").string() + reason)
        << each.shape;
  }
}

TEST_F(PlanTexture, takes_the_texels_of_arrays_row_by_row) {
  Parts parts;
  parts.image = R"("format": "rgba8unorm", "width": "w", "height": 2, "file": "texels.npy")";
  for (const unsigned version : {1, 2, 3}) {
    write("texels.npy", npy_of("|u1", "2, 3, 4", counting(24), "False", version));
    EXPECT_EQ(texels_of(parts, image_shape), counting(24)) << version;
  }
}

TEST_F(PlanTexture, and_buffers_take_no_array_in_another_order_or_version) {
  Parts texture, buffer;
  texture.image = R"("format": "rgba8unorm", "width": "w", "height": 2, "file": "texels.npy")";
  buffer.more += R"(, "buffers": {"b": {"file": "texels.npy"}})";
  const auto expect = [&](const TexelBytes& file, const std::string& reason) {
    write("texels.npy", file);
    const auto sentence = (folder_ / "texels.npy: ").string() + reason;
    EXPECT_EQ(error_of(texture), "/textures/image/file: " + sentence);
    EXPECT_EQ(error_of(buffer), "/buffers/b/file: " + sentence);
  };
  const auto* transposed = "it is in Fortran's order; save numpy.ascontiguousarray(x)";
  expect(npy_of("|u1", "2, 3, 4", counting(24), "True"), transposed);
  expect(npy_of("|u1", "2, 3, 4", counting(24), "  True"), transposed);
  expect(npy_of("|u1", "2, 3, 4", counting(24), "1"),
         "its header lacks \"fortran_order\"; save it again");
  expect(npy_of("|u1", "2, 3, 4", counting(24), "False", 4),
         "its format has version 4.0; save it in version 1.0, 2.0 or 3.0");
  expect(npy_of("|u1", "2, -3, 4", counting(24)),
         "its shape is (2, -3, 4), but 24 bytes of elements follow; save it again");
}

TexelBytes result_of(std::initializer_list<unsigned> texels) {
  return *texture_memory(result_shape, bytes_of(texels));
}

// Metal lets a device round to either neighbour.
TEST_F(PlanTexture, of_a_normalised_format_may_differ_by_one_unit) {
  Parts exact, rough;
  rough.more += R"(, "tolerance": {"max_abs": 0.05})";
  EXPECT_EQ(judged(exact, result_of({0, 1, 2, 100, 254, 255})),
            (Verdict{.correct = true, .error_kind = "different", .tolerance = 0}));
  EXPECT_TRUE(judged(exact, result_of({1, 0, 3, 101, 255, 254})).correct);
  EXPECT_EQ(judged(exact, result_of({0, 1, 4, 100, 250, 255})),
            (Verdict{.correct = false,
                     .error_value = 2,
                     .error_kind = "different",
                     .tolerance = 0,
                     .differences =
                         Differences{6, 2, 0, "result[2, 0].r is 0.015686275, not 0.007843138"}}));
  EXPECT_EQ(judged(rough, result_of({0, 1, 2, 113, 254, 255})).differences->wrong, 1U);
  EXPECT_EQ(judged(rough, result_of({0, 1, 2, 112, 254, 255})).error_value, 12 / 255.0);
  EXPECT_TRUE(judged(rough, result_of({0, 1, 2, 112, 254, 255})).correct);
  EXPECT_FALSE(judged(rough, result_of({0, 1, 2, 113, 254, 255})).correct);
}

// A unit of a small component is most of its range.
TEST_F(PlanTexture, of_few_bits_must_be_equal) {
  Parts parts;
  parts.result = R"("kind": "1d", "format": "bgr5a1unorm", "width": 2)";
  write("result.bin", bytes_of({0xff, 0xff, 0, 0x80}));  // opaque white and black
  const TextureShape shape{.kind = TextureKind::d1, .format = TexelFormat::bgr5a1unorm, .width = 2};
  EXPECT_TRUE(judged(parts, {*texture_memory(shape, bytes_of({0xff, 0xff, 0, 0x80}))}).correct);
  EXPECT_FALSE(judged(parts, {*texture_memory(shape, bytes_of({0xff, 0xff, 0, 0}))}).correct);
  EXPECT_FALSE(judged(parts, {*texture_memory(shape, bytes_of({0xfe, 0xff, 0, 0x80}))}).correct);
}

TEST_F(PlanTexture, of_floats_must_be_equal_without_a_tolerance) {
  Parts parts;
  parts.result = R"("kind": "1d", "format": "r32float", "width": 2)";
  write("result.bin", bytes_of({0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}));  // 1 and -2
  const TextureShape shape{.kind = TextureKind::d1, .format = TexelFormat::r32float, .width = 2};
  const Bytes right{*texture_memory(shape, bytes_of({0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}))};
  const Bytes close{*texture_memory(shape, bytes_of({1, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}))};
  EXPECT_TRUE(judged(parts, right).correct);
  EXPECT_FALSE(judged(parts, close).correct);
  parts.more += R"(, "tolerance": {"relative": 1e-6})";
  EXPECT_TRUE(judged(parts, close).correct);
}

// Junk that reads as a number of the format once it is encoded is not taken for one.
TEST_F(PlanTexture, that_holds_no_value_of_its_format_is_wrong) {
  auto memory = result_of({0, 1, 2, 100, 254, 255});
  const float beyond = 2;  // encoded as 255
  std::memcpy(&memory[TextureHeader::bytes + 5 * texel_memory_bytes], &beyond, sizeof beyond);
  EXPECT_FALSE(judged({}, memory).correct);
  auto header = result_of({0, 1, 2, 100, 254, 255});
  header[0] = std::byte{0};
  EXPECT_FALSE(judged({}, header).correct);
}

TEST_F(PlanTexture, is_in_its_format_for_commands) {
  Parts parts;
  parts.image = R"("format": "r8unorm", "width": "w", "height": 2, "fill": {"iota": [0, 0.2]})";
  parts.more = R"("expect": {"result": {}},
                  "reference": ["sh", "-c", "cp $0/image.bin $0/result.out", "{folder}"],
                  "check": ["sh", "-c", "cmp -s $0/image.bin $0/result.got && cmp -s $0/image.bin $0/result.out && echo right > $0/verdict || echo wrong > $0/verdict", "{folder}"])";
  EXPECT_TRUE(judged(parts, result_of({0, 51, 102, 153, 204, 255})).correct);
  EXPECT_FALSE(judged(parts, result_of({0, 51, 102, 153, 204, 254})).correct);
}

TEST_F(PlanTexture, of_a_strict_problem_is_keyed_or_poisoned) {
  Parts parts;
  parts.image = R"("format": "r8unorm", "width": "w", "height": 2, "read_only": true,
                   "fill": {"uniform": [0, 1], "seed": 1})";
  parts.more = R"("expect": {"result": {}},
                  "reference": ["sh", "-c", "cp $0/image.bin $0/result.out", "{folder}"],
                  "stress": {"sizes": [{"label": "three", "w": 3}]})";
  const auto file = read(parts);
  ASSERT_TRUE(file) << file.error().message;
  const auto& task = (*file)->task();
  const auto& size = task.stress.sizes.at(0);
  const auto plan = task.stress.plan(size, {}, {1, 2});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(*plan, *task.stress.plan(size, {}, {1, 2}));
  EXPECT_NE(plan->buffers[0], task.stress.plan(size, {}, {1, 3})->buffers[0]);
  const auto expected = task.stress.reference(size, {1, 2});
  ASSERT_TRUE(expected) << expected.error().message;
  const auto& result = expected->at(0);
  EXPECT_EQ(result.element, Expected::Element::typed);
  // What the kernel should write is right, one unit beside it, too, and junk is not.
  const auto image = *encoded_texels(result_shape, plan->buffers[0].initial);
  EXPECT_EQ(result.numbers({*texture_memory(result_shape, image)}), result.values);
  ASSERT_EQ(result.rounding.size(), 1U);
  EXPECT_GT(result.rounding[0], 1 / 255.0);
  EXPECT_LT(result.rounding[0], 2 / 255.0);
  for (const auto number : result.numbers({plan->buffers[1].initial}))
    EXPECT_TRUE(number != number);
}

TEST_F(PlanTexture, is_saved_with_what_it_should_be) {
  std::ofstream(folder_ / "plan.json") << Parts{}.text();
  const auto file = read_plan_file(folder_ / "plan.json");
  ASSERT_TRUE(file) << file.error().message;
  const auto& task = (*file)->task();
  ImageFolder images(folder_ / "images");
  ASSERT_FALSE(task.load({.images = &images}));
  const auto memory = result_of({9, 8, 7, 6, 5, 4});
  ASSERT_TRUE(task.judge(task.sizes[0], {}, {memory}, {memory}));
  const auto saved = [&](const std::string& name) {
    const auto png = read_bytes(folder_ / "images" / name, 1000);
    return png ? read_png(*png, 3, 2) : Result<PngImage>(png.error());
  };
  EXPECT_EQ(*saved("three.result.png"), (PngImage{3, 2, 1, 8, bytes_of({9, 8, 7, 6, 5, 4})}));
  EXPECT_EQ(saved("three.result.expected.png")->samples, bytes_of({0, 1, 2, 100, 254, 255}));
  EXPECT_EQ(images.problems(), std::vector<std::string>());
}

// A result of one texel of r8unorm.
ExpectedResult single(const std::string& name, unsigned wanted) {
  return {.contents = {bytes_of({wanted})},
          .name = name,
          .texture = TextureShape{.format = TexelFormat::r8unorm}};
}

std::vector<std::byte> single_texel(unsigned value) {
  return *texture_memory({.format = TexelFormat::r8unorm}, bytes_of({value}));
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& each : fs::directory_iterator(folder)) names.insert(each.path().filename());
  return names;
}

TEST_F(PlanTexture, has_an_image_of_its_own) {
  ImageFolder images(folder_ / "images");
  const std::vector results{single("o", 1), single("o.expected", 2), single("x/y", 3),
                            single("x y", 4)};
  const Outputs outputs(4, {single_texel(9)});
  images.save("a", results, outputs);
  const std::vector underlined{single("b_o", 5), single("o", 6)};
  images.save("a", {underlined.data(), 1}, {outputs[0]});
  images.save("a_b", {underlined.data() + 1, 1}, {outputs[0]});
  EXPECT_EQ(names_in(folder_ / "images"),
            (std::set<std::string>{
                "a.o.png", "a.o.expected.png", "a.o%2Eexpected.png", "a.o%2Eexpected.expected.png",
                "a.x%2Fy.png", "a.x%2Fy.expected.png", "a.x%20y.png", "a.x%20y.expected.png",
                "a.b_o.png", "a.b_o.expected.png", "a_b.o.png", "a_b.o.expected.png"}));
  const auto png = read_bytes(folder_ / "images/a.o.expected.png", 1000);
  EXPECT_EQ(read_png(*png, 1, 1)->samples, bytes_of({1}));
}

TEST_F(PlanTexture, is_saved_in_place_of_links_and_fifos) {
  fs::create_directories(folder_ / "images");
  write("precious", bytes_of({1, 2, 3}));
  fs::create_symlink(folder_ / "precious", folder_ / "images/a.o.png");
  ASSERT_EQ(::mkfifo((folder_ / "images/a.o.expected.png").c_str(), 0600), 0);
  ImageFolder images(folder_ / "images");
  images.save("a", std::vector{single("o", 1)}, {{single_texel(9)}});
  EXPECT_EQ(images.problems(), std::vector<std::string>());
  EXPECT_EQ(*read_bytes(folder_ / "precious", 10), bytes_of({1, 2, 3}));
  for (const auto* name : {"a.o.png", "a.o.expected.png"}) {
    const auto status = fs::symlink_status(folder_ / "images" / name);
    EXPECT_TRUE(fs::is_regular_file(status)) << name;
  }
  EXPECT_EQ(names_in(folder_ / "images").size(), 2U);
}

TEST_F(PlanTexture, without_an_image_is_a_problem_of_the_folder) {
  ImageFolder images(folder_ / "images");
  fs::create_directories(folder_ / "images/a.o.png");
  auto integers = single("integers", 1);
  integers.texture->format = TexelFormat::r32uint;
  integers.contents = std::vector<std::byte>(4);
  const std::vector results{single("o", 1), integers};
  const Outputs outputs{{single_texel(9)}, {*texture_memory(*integers.texture, integers.contents)}};
  for (int turn = 0; turn < 2; ++turn) images.save("a", results, outputs);
  const std::string label(300, 'l');
  images.save(label, {results.data(), 1}, {outputs[0]});
  const auto folder = (folder_ / "images").string();
  EXPECT_EQ(
      images.problems(),
      (std::vector<std::string>{
          "no image of result 'o' at size a: cannot write " + folder + "/a.o.png: Is a directory",
          "no image of result 'integers' at size a: a PNG cannot show the numbers of r32uint",
          "no image of result 'o' at size " + label + ": cannot write " + folder + "/" + label +
              ".o.png: File name too long"}));
  EXPECT_EQ(names_in(folder), (std::set<std::string>{"a.o.png", "a.o.expected.png"}));
}

// More rows than libpng takes by default.
TEST_F(PlanTexture, of_a_million_rows_is_saved) {
  const TextureShape shape{.kind = TextureKind::d2_array,
                           .format = TexelFormat::r8unorm,
                           .height = 16384,
                           .array_length = 62};
  const TexelBytes texels(encoded_bytes(shape), std::byte{7});
  ImageFolder images(folder_ / "images");
  images.save("a", std::vector{ExpectedResult{.name = "o", .texture = shape}},
              {{*texture_memory(shape, texels)}});
  EXPECT_EQ(images.problems(), std::vector<std::string>());
  const auto png = read_bytes(folder_ / "images/a.o.png", 1 << 20);
  ASSERT_TRUE(png);
  const auto image = read_png(*png, 1, 62 * 16384);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->samples, texels);
}

// What the plan says about a kernel that declares the result, of r8unorm, as that type.
std::string misfit(const PlanFile& file, const std::string& type) {
  const auto& task = file.task();
  KernelSignature kernel{.name = "k"};
  kernel.arguments = {{.kind = ArgumentKind::texture, .index = 1, .name = "to", .type = type}};
  const Translation program{.kernels = {kernel}};
  const auto plan = task.plan(task.sizes[0], program);
  return plan ? "" : plan.error().message;
}

TEST_F(PlanTexture, must_have_the_kind_and_the_components_that_its_kernel_declares) {
  const auto expect = [&](const std::string& result, const std::string& type,
                          const std::string& reason) {
    Parts parts;
    parts.result = result;
    parts.image = R"("format": "rgba8unorm", "width": "w", "height": 2)";  // that kernels may write
    parts.more = R"("expect": {"image": {}}, "reference": ["true"])";
    std::ofstream(folder_ / "plan.json") << parts.text();
    const auto file = read_plan_file(folder_ / "plan.json");
    ASSERT_TRUE(file) << file.error().message;
    const auto sentence = (folder_ / "plan.json").string() +
                          ": /launches/0/textures/1: texture 'result' does not fit the parameter "
                          "'to' of k, which is " +
                          type + ": " + reason + "; change one of them";
    EXPECT_EQ(misfit(**file, type), reason.empty() ? "" : sentence) << result;
  };
  const std::string flat = R"("width": "w", "height": 2, "format": )";
  for (const auto* fits : {"texture2d<float, access::write>", "texture2d<half, access::sample>",
                           "depth2d<float, access::sample>", "some_type<uint>", "sampler", ""})
    expect(flat + R"("r8unorm")", fits, "");
  expect(flat + R"("rgba8unorm_srgb")", "texture2d<uint, access::read>",
         "its format rgba8unorm_srgb holds floats");
  expect(flat + R"("r16float")", "texture2d<short, access::read>",
         "its format r16float holds floats");
  expect(flat + R"("r8uint")", "texture2d<ushort, access::read>", "");
  expect(flat + R"("r8uint")", "texture2d<int, access::read>",
         "its format r8uint holds unsigned integers");
  expect(flat + R"("r8sint")", "texture2d<int, access::read>", "");
  expect(flat + R"("r8sint")", "texture2d<half, access::read>",
         "its format r8sint holds signed integers");
  expect(flat + R"("rg32uint")", "texture2d<ulong, access::read_write>", "");
  expect(flat + R"("r32uint")", "texture2d<ulong, access::read_write>",
         "its format r32uint holds unsigned integers");
  expect(flat + R"("r8unorm")", "texture3d<float, access::sample>", "its kind is 2d");
  expect(flat + R"("r8unorm")", "texture2d_array<float, access::sample>", "its kind is 2d");
  expect(flat + R"("r8unorm")", "depth2d_array<float, access::sample>", "its kind is 2d");
  expect(R"("kind": "buffer", "width": "w", "format": "r8unorm")",
         "texture_buffer<float, access::read>", "");
  expect(R"("kind": "1d", "width": "w", "format": "r8unorm")",
         "texture_buffer<float, access::read>", "its kind is 1d");
}

TEST_F(PlanTexture, errors_name_the_field) {
  write("image.png", *write_png({2, 2, 1, 8, TexelBytes(4)}));
  const auto image = [](const std::string& fields) {
    Parts parts;
    parts.image = fields;
    return parts;
  };
  const auto launch = [](const std::string& fields) {
    Parts parts;
    parts.launch = fields;
    return parts;
  };
  const auto sampler = [](const std::string& fields) {
    Parts parts;
    parts.sampler = fields;
    return parts;
  };
  write("ones.bin", bytes_of({0, 1, 0, 1, 0, 0}));
  Parts ones;
  ones.more = R"("expect": {"result": {"file": "ones.bin"}})";
  const std::pair<Parts, const char*> cases[] = {
      {ones,
       "/expect/result: a result of zeros would pass: at size three all values differ from zero by "
       "the rounding of the format at most"},
      {image(R"("width": 3, "height": 2)"), "/textures/image: \"format\" is missing"},
      {image(R"("format": "r8unorm", "height": 2)"), "/textures/image: \"width\" is missing"},
      {image(R"("format": "r8unorm", "width": 3)"), "/textures/image: \"height\" is missing"},
      {image(R"("format": "r8unorm", "width": 3, "height": 2, "depth": 2)"),
       "/textures/image/depth: a texture of this kind has no \"depth\"; remove it"},
      {image(R"("format": "r8unorm", "width": 16385, "height": 2)"),
       "/textures/image: the width is 16385; a texture of this kind allows 1 to 16384"},
      {image(R"("format": "r8unorm", "width": 3, "height": 0)"),
       "/textures/image: the height is 0; a texture of this kind allows 1 to 16384"},
      {image(R"("format": "r8unorm", "width": "3 - w", "height": "w - 4")"),
       "/textures/image/height: it is -1 at size three; it must not be negative"},
      {image(R"("format": "r8unorm", "width": 3, "height": 2, "mip_levels": 3)"),
       "/textures/image: the number of mip levels is 3; a texture of this kind allows 1 to 2"},
      {image(R"("format": "r8unorm", "width": 3, "height": 2, "fill": {"constant": 1.5})"),
       "/textures/image/fill/constant: r8unorm cannot hold 1.5; a component is a number from 0 to "
       "1"},
      {image(R"("format": "r8uint", "width": 3, "height": 2, "fill": {"iota": [0, 0.5]})"),
       "/textures/image/fill/iota: r8uint cannot hold 0.5; a component is a whole number from 0 to "
       "255"},
      {image(R"("format": "rg8unorm", "width": 3, "height": 2, "fill": {"constant": [1]})"),
       "/textures/image/fill/constant: the format has 2 components, and 1 numbers are given"},
      {image(R"("format": "r8unorm", "width": 3, "height": 2, "fill": {}, "file": "x.png")"),
       "/textures/image/fill: \"file\" is given, too; remove one of the two"},
      {image(R"("format": "r8unorm", "width": 3, "height": 2, "file": "image.png")"),
       "/textures/image/file: the image has 2 x 2 pixels, and the texture 3 x 2"},
      {image(R"("format": "rgba8unorm", "width": 3, "height": 2, "file": "result.bin")"),
       "/textures/image/file: the file has 6 bytes of texels, and the texture 24"},
      {image(R"("format": "r8unorm", "width": 3, "height": 2, "type": "uint")"),
       "/textures/image/type: unknown field; the fields here are kind, format, width, height, "
       "depth, array_length, mip_levels, samples, file, fill, read_only, meaning"},
      {sampler(R"("filter": "cubic")"),
       "/samplers/smooth/filter: 'cubic' is unknown; use nearest, linear"},
      {sampler(R"("filter": "linear", "min_filter": "nearest")"),
       "/samplers/smooth/min_filter: \"filter\" is given, too; remove one of the two"},
      {sampler(R"("max_anisotropy": 17)"),
       "/samplers/smooth/max_anisotropy: it must be from 1 to 16"},
      {sampler(R"("lod_clamp": [2, 1])"),
       "/samplers/smooth/lod_clamp: it must be [least, most] with 0 <= least <= most"},
      {launch(R"("textures": {"0": "picture"})"),
       "/launches/0/textures/0: buffer or texture 'picture' not found; \"buffers\" and "
       "\"textures\" have image, result"},
      {launch(R"("textures": {"128": "image"})"),
       "/launches/0/textures/128: the index of a binding is a number from 0 to 127, in quotes"},
      {launch(R"("textures": {}, "samplers": {"16": "smooth"})"),
       "/launches/0/samplers/16: the index of a binding is a number from 0 to 15, in quotes"},
      {launch(R"("textures": {}, "samplers": {"0": "rough"})"),
       "/launches/0/samplers/0: sampler 'rough' not found in \"samplers\""},
      {launch(R"("bind": {"0": "image"})"),
       "/launches/0/bind/0: it is a texture; bind it by the launch's \"textures\""},
      {launch(R"("textures": ["image"])"),
       "/launches/0/textures: it must be an object like {\"0\": \"x\"}"},
  };
  for (const auto& [parts, expected] : cases) EXPECT_EQ(error_of(parts), expected) << parts.text();
  EXPECT_EQ(error_of(image(R"("kind": "4d", "format": "r8unorm")")).substr(0, 51),
            "/textures/image/kind: '4d' is not a kind of texture");
  EXPECT_EQ(error_of(image(R"("format": "rgba8unrom", "width": 3)")),
            "/textures/image/format: 'rgba8unrom' is not a pixel format; did you mean "
            "\"rgba8unorm\"?");
  EXPECT_EQ(error_of(image(R"("format": "RGB", "width": 3)")).substr(0, 76),
            "/textures/image/format: 'RGB' is not a pixel format; use one of a8unorm, r8u");
}

// 16384 x 16384 x 15 texels are 60 GiB: an error, and not an attempt to get them.
TEST_F(PlanTexture, above_the_memory_is_an_error) {
  Parts parts;
  parts.image = R"("kind": "2d_array", "format": "r8unorm", "width": 16384, "height": 16384,
                   "array_length": 15)";
  EXPECT_NE(error_of(parts).find("16 for each texel"), std::string::npos) << error_of(parts);
}

TEST_F(PlanTexture, changes_places_with_one_of_the_same_shape) {
  Parts parts;
  parts.more += R"(, "swap": [["image", "result"]])";
  EXPECT_EQ(error_of(parts),
            "/swap/0: textures that change places must have the same kind, format and sizes");
  parts.image = R"("format": "r8unorm", "width": "w", "height": 2)";
  const auto file = read(parts);
  ASSERT_TRUE(file) << file.error().message;
  const auto& task = (*file)->task();
  EXPECT_EQ(task.plan(task.sizes[0], {})->results, std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace msci
