#include <clang/AST/Decl.h>
#include <gtest/gtest.h>

#include "compiler/frontend/preamble/preamble_cache.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"

namespace msci {
namespace {

using Names = std::vector<std::string_view>;

TEST(Preamble, holds_the_headers_that_a_source_begins_with) {
  const std::pair<const char*, Names> cases[] = {
      {"#include <metal_stdlib>\nusing namespace metal;\n#include <metal_math>\n",
       {"metal_stdlib"}},
      {"// one\n/* two\n */\n\t# include  <metal_math>\r\n\n#include <simd/simd.h>",
       {"metal_stdlib", "metal_math", "simd/simd.h"}},
      {"#include <metal_stdlib>", {"metal_stdlib"}},
      {"#include <metal_stdlib> // behind it\n", {"metal_stdlib"}},
      {"#include <metal_stdlib> \\\n+\n", {"metal_stdlib"}},
      {"// on \\\n#include <metal_stdlib>\n", {"metal_stdlib"}},
      {"/* open\n#include <metal_stdlib>\n", {"metal_stdlib"}},
      {"#pragma clang diagnostic ignored \"-Wall\"\n#include <metal_stdlib>\n", {"metal_stdlib"}},
      {"#pragma clang diagnostic \\\n#include <metal_stdlib>\n", {"metal_stdlib"}},
      {"#pragma once\n#include <metal_stdlib>\n", {"metal_stdlib"}},
      {"#define max min\n#include <metal_stdlib>\n", {"metal_stdlib"}},
      {"#include \"metal_stdlib\"\n", {"metal_stdlib"}},
      {"#include <__prelude>\n", {"metal_stdlib"}},
      {"#include <stdio.h>\n", {"metal_stdlib"}},
      {"#include <metal_stdlib", {"metal_stdlib"}},
      {"#", {"metal_stdlib"}},
      {"", {"metal_stdlib"}}};
  for (const auto& [text, includes] : cases)
    EXPECT_EQ(preamble_of(text).includes, includes) << text;
}

TEST(Preamble, differs_by_version) {
  EXPECT_NE(preamble_of("", LanguageVersion{310}), preamble_of("", LanguageVersion{200}));
}

const char* const text =
    "#include <metal_stdlib>\nusing namespace metal;\n"
    "kernel void f(device float* x [[buffer(0)]]) { x[0] = max(x[1], nothing); }\n";

TEST(PreambleCache, come_to_the_same_unit_as_a_parse_from_the_start) {
  const auto alone = parse({"s", text});
  PreambleCache starts(2);
  const auto preamble = preamble_of(text);
  starts.prepare(preamble_of("#include <metal_math>\n"));
  starts.prepare(preamble);
  for (const bool is_ready : {true, false}) {
    auto start = starts.take(preamble);
    ASSERT_TRUE(start);
    const auto unit = parse(*std::move(start), {"s", text});
    EXPECT_EQ(unit.diagnostics(), alone->diagnostics()) << is_ready;
    EXPECT_EQ(unit.diagnostics().size(), 1u);
    ASSERT_EQ(unit.kernels().size(), 1u);
    EXPECT_EQ(unit.locate(unit.kernels()[0].declaration->getLocation()).range.begin,
              (Location{3, 13}));
  }
}

}  // namespace
}  // namespace msci
