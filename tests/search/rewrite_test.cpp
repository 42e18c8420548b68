// Each transformation NAME rewrites rewrite/before/NAME.metal to rewrite/after/NAME.metal;
// MSCI_UPDATE=1 writes these.
#include "search/rewrite/rewrite.h"

#include <gtest/gtest.h>

#include <set>

#include "base/files/read_file.h"
#include "tests/compiler/golden.h"

namespace msci::search {
namespace {

const std::filesystem::path folder = MSCI_REWRITES;

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& each : transformations()) names.emplace_back(each.name);
  return names;
}

Source source_of(const std::string& name) {
  auto source = read_source(folder / "before" / (name + ".metal"));
  EXPECT_TRUE(source) << source.error().message;
  return source ? Source{name, source->text} : Source{};
}

class Rewrites : public testing::TestWithParam<std::string> {};

TEST_P(Rewrites, its_places_and_no_others) {
  const auto kernel = rewrite(source_of(GetParam()), {.only = GetParam()});
  ASSERT_TRUE(kernel) << kernel.error().message;
  expect_golden(kernel->text, folder / "after" / (GetParam() + ".metal"));
}

INSTANTIATE_TEST_SUITE_P(Transformation, Rewrites, testing::ValuesIn(names()),
                         [](const auto& each) { return each.param; });

TEST(Rewrite, is_the_same_for_the_same_seed_and_number) {
  const auto source = source_of("several");
  std::set<std::string> texts;
  for (std::uint64_t number = 1; number <= 8; ++number) {
    const auto once = rewrite(source, {.seed = 3, .number = number});
    const auto again = rewrite(source, {.seed = 3, .number = number});
    ASSERT_TRUE(once && again);
    EXPECT_EQ(once->text, again->text);
    EXPECT_NE(once->text, source.text);
    EXPECT_FALSE(once->about.empty());
    texts.insert(once->text);
  }
  EXPECT_GE(texts.size(), 4u);
  std::set<std::string> first;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    first.insert(rewrite(source, {.seed = seed})->text);
  EXPECT_GE(first.size(), 2u) << "the seed decides the order";
}

TEST(Rewrite, tells_why_there_is_none) {
  const auto error_of = [](const std::string& text, const std::string& only) {
    const auto kernel = rewrite({"k.metal", text}, {.only = only});
    return kernel ? kernel->text : kernel.error().message;
  };
  const std::string plain = "#include <metal_stdlib>\nusing namespace metal;\n";
  EXPECT_EQ(error_of(plain, ""), "no transformation applies to this kernel");
  EXPECT_EQ(error_of(plain, "magic"), "no transformation has the name magic");
  EXPECT_NE(error_of(plain + "kernel void f( {}", "").find("k.metal:3:"), std::string::npos);
}

TEST(Rewrite, takes_the_last_kernel_of_a_prompt) {
  EXPECT_EQ(
      kernel_of(
          "# Previous\n```metal\na\n```\n# To improve\n```metal\nb\nc\n```\n```json\n1\n```\n"),
      "b\nc\n");
  EXPECT_EQ(kernel_of("kernel void f() {}\n"), "kernel void f() {}\n");
}

}  // namespace
}  // namespace msci::search
