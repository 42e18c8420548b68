#include "compiler/frontend/preamble/headers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/frontend/preamble/prebuilt.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "compiler/frontend/unit.h"

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
  for (const unsigned version : {200u, 310u, 400u, 410u})
    expect_compiles(fmt::format("#include <{0}>\n#include <{0}>\n", GetParam()), {version});
}

INSTANTIATE_TEST_SUITE_P(Metal, Header, testing::ValuesIn(header_names()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(Headers, are_prebuilt_for_the_oldest_version_and_from_metal2_3_on) {
  for (const auto version : language_versions())
    EXPECT_EQ(prebuilt_headers(version).empty(), 100 < version.number && version.number < 230)
        << version.number;
}

TEST(Headers, come_to_the_same_prebuilt_or_read) {
  const std::string text =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void f(device float4* x [[buffer(0)]], texture2d<float> t [[texture(0)]]) {\n"
      "  x[0] = max(x[1], nothing);\n  x[2] = half(t.get_width()) + float2(1);\n"
      "  atomic_fetch_add_explicit(x, 1, memory_order_relaxed);\n}\n";
  for (const auto version : language_versions()) {
    const auto prebuilt = parse({"source", text}, version);
    auto start = begin(preamble_of(text, version), Headers::read);
    ASSERT_TRUE(prebuilt && start);
    const std::optional read = parse(*std::move(start), {"source", text});
    ASSERT_EQ(prebuilt->diagnostics().size(), read->diagnostics().size()) << version.number;
    EXPECT_GE(prebuilt->diagnostics().size(), 2u);
    for (std::size_t i = 0; i < prebuilt->diagnostics().size(); ++i)
      EXPECT_EQ(prebuilt->diagnostics()[i].message, read->diagnostics()[i].message);
  }
}

// As Apple's compiler knows it: the library in its namespace, vector types everywhere.
TEST(Headers, are_known_without_an_include) {
  const std::pair<const char*, bool> cases[] = {
      {"float4 f() { return metal::float4(1); }\n", true},
      {"float f(uint2 i) { return metal::sin(1.0f); }\n", true},
      {"using namespace metal;\nfloat4x4 f();\n", true},
      {"float4x4 f();\n", false},
      {"float f() { return sin(1.0f); }\n", false}};
  for (const auto& [text, compiles] : cases) {
    const auto unit = parse({"source", text});
    ASSERT_TRUE(unit);
    EXPECT_EQ(unit->compiled(), compiles) << text;
  }
}

}  // namespace
}  // namespace msci
