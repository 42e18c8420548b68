#include "frontend/preamble/headers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/preamble/prebuilt.h"
#include "frontend/unit.h"

namespace msci {
namespace {

// What a user may include: names that begin with an underscore are ours.
std::vector<std::string> header_names() {
  std::vector<std::string> names;
  for (const auto& header : metal_headers())
    if (!header.name.starts_with('_')) names.emplace_back(header.name);
  return names;
}

void expect_compiles(const std::string& text, LanguageVersion version) {
  const auto unit = parse({"header", text}, version);
  ASSERT_TRUE(unit) << unit.error().message;
  for (const auto& diagnostic : unit->diagnostics())
    ADD_FAILURE() << "metal " << version.number << ": " << diagnostic.message << "\n" << text;
}

class Header : public testing::TestWithParam<std::string> {};

TEST_P(Header, can_be_included_alone_and_twice) {
  for (const unsigned version : {200u, 310u, 400u})
    expect_compiles(fmt::format("#include <{0}>\n#include <{0}>\n", GetParam()), {version});
}

INSTANTIATE_TEST_SUITE_P(Metal, Header, testing::ValuesIn(header_names()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(Headers, are_prebuilt_from_metal2_3_on) {
  for (const auto version : language_versions())
    EXPECT_EQ(prebuilt_headers(version).empty(), version.number < 230) << version.number;
}

// What stands before the include keeps the prebuilt headers from being used.
TEST(Headers, come_to_the_same_prebuilt_or_read) {
  const std::string text =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void f(device float4* x [[buffer(0)]], texture2d<float> t [[texture(0)]]) {\n"
      "  x[0] = max(x[1], nothing);\n  x[2] = half(t.get_width()) + float2(1);\n"
      "  atomic_fetch_add_explicit(x, 1, memory_order_relaxed);\n}\n";
  for (const auto version : language_versions()) {
    const auto prebuilt = parse({"source", text}, version);
    const auto read = parse({"source", "#define X\n" + text}, version);
    ASSERT_TRUE(prebuilt && read);
    ASSERT_EQ(prebuilt->diagnostics().size(), read->diagnostics().size()) << version.number;
    EXPECT_GE(prebuilt->diagnostics().size(), 2u);
    for (std::size_t i = 0; i < prebuilt->diagnostics().size(); ++i)
      EXPECT_EQ(prebuilt->diagnostics()[i].message, read->diagnostics()[i].message);
  }
}

TEST(Headers, know_no_name_without_an_include) {
  const auto unit = parse({"source", "using namespace metal;\nmetal::float4 v;\n"});
  ASSERT_TRUE(unit);
  EXPECT_FALSE(unit->compiled());
}

}  // namespace
}  // namespace msci
