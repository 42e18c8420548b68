// The checked mode and the profile know kernels with textures.
#include "tasks/plan/kernel_code.h"
#include "tests/texture/texture_run.h"

namespace msci {
namespace {

const TextureShape image{.format = TexelFormat::rgba8unorm, .width = 16, .height = 8};

std::vector<std::byte> zeros() { return std::vector<std::byte>(encoded_bytes(image)); }

class CheckedTextures : public testing::Test {
 protected:
  std::vector<Fault> faults(const Plan& plan) {
    const auto ran = kernels_.run_whole(plan);
    return ran ? ran->checks.faults : std::vector<Fault>();
  }
  TextureKernels kernels_{"cpu", "check.metal", TranslationPurpose::checking};
};

TEST_F(CheckedTextures, a_right_kernel_has_no_faults) {
  TexturePlan plan("halves", {16, 8});
  plan.texture(0, image, zeros());
  plan.result(plan.texture(1, image, zeros()));
  plan.sampler(0, {.mag_filter = SamplerDescription::Filter::linear});
  EXPECT_EQ(faults(plan.take()).size(), 0U);
}

TEST_F(CheckedTextures, barriers_for_textures_order_texels) {
  TexturePlan plan("mirrors_in_place", {16, 8});
  plan.result(plan.texture(0, image, zeros()));
  EXPECT_EQ(faults(plan.take()).size(), 0U);
}

TEST_F(CheckedTextures, a_race_names_the_texture) {
  TexturePlan plan("collides", {16, 8});
  plan.result(plan.texture(0, image, zeros()));
  const auto found = faults(plan.take());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, Fault::Kind::race);
  EXPECT_EQ(found[0].object, "image");
}

TEST(ProfiledTextures, have_counted_code) {
  const auto source = read_source(std::string(MSCI_TEXTURE_KERNELS) + "/check.metal");
  ASSERT_TRUE(source);
  const auto prepared = compile(*source, all_rules(), {.purpose = TranslationPurpose::profiling});
  ASSERT_TRUE(prepared) << prepared.error().message;
  ASSERT_TRUE(prepared->translation) << prepared->rejection;
  EXPECT_EQ(prepared->translation->code.size(), 3U);
  EXPECT_TRUE(prepared->translation->refused.empty());
}

}  // namespace
}  // namespace msci
