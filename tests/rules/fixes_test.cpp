// Which fixes are safe, where the page cannot say.
#include <gtest/gtest.h>

#include "lint/lint.h"
#include "lint/lint_and_fix.h"
#include "rules/rules.h"

namespace msci {
namespace {

// Whether the first fix of the first finding is safe; nothing without a fix.
std::optional<bool> is_first_fix_safe(std::string text) {
  const auto report = examine({"kernel.metal", std::move(text)}, all_rules(), {});
  EXPECT_TRUE(report) << report.error().message;
  if (report->findings.empty() || report->findings.front().fixes.empty()) return std::nullopt;
  return report->findings.front().fixes.front().safe;
}

TEST(ReservedName, renames_safely_where_the_word_is_nothing_else) {
  EXPECT_EQ(is_first_fix_safe("uint f(uint n) {\n"
                              "  uint half = n / 2;\n"
                              "  return n < half ? n + half : n;  // half\n"
                              "}\n"
                              "uint g(uint half) { return 2 * half; }\n"),
            true);
}

TEST(ReservedName, only_proposes_where_the_word_is_a_type_elsewhere) {
  EXPECT_EQ(is_first_fix_safe("uint f(uint n) {\n"
                              "  uint half = n / 2;\n"
                              "  return n - half;\n"
                              "}\n"
                              "float g(half x) { return x; }\n"),
            false);
}

TEST(ReservedName, only_proposes_where_the_new_name_is_taken) {
  EXPECT_EQ(is_first_fix_safe("constant uint half_ = 3;\n"
                              "uint f(uint n) {\n"
                              "  uint half = n / 2;\n"
                              "  return n - half;\n"
                              "}\n"),
            false);
}

// The text after all rounds of safe fixes, on which all rules agree.
std::string mended(std::string text) {
  const auto made = lint_and_fix({"kernel.metal", std::move(text)}, all_rules(), {}, {});
  EXPECT_TRUE(made) << made.error().message;
  return made->fixed ? made->fixed->source.text : "";
}

TEST(ProgramScopeConstant, puts_one_word_where_another_language_has_its_own) {
  const std::string kernel =
      "kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
      "  x[i] = c[i & 1];\n"
      "}\n";
  const std::string expected = "constant float c[2] = {1.0f, 2.0f};\n" + kernel;
  EXPECT_EQ(mended("__constant__ float c[2] = {1.0f, 2.0f};\n" + kernel), expected);
  EXPECT_EQ(mended("__constant float c[2] = {1.0f, 2.0f};\n" + kernel), expected);
  EXPECT_EQ(mended("float c[2] = {1.0f, 2.0f};\n" + kernel), expected);
  EXPECT_EQ(mended("static __constant__ const float c[2] = {1.0f, 2.0f};\n" + kernel),
            "static constant const float c[2] = {1.0f, 2.0f};\n" + kernel);
  EXPECT_EQ(mended("__constant__\nfloat c[2] = {1.0f, 2.0f};\n" + kernel),
            "constant\nfloat c[2] = {1.0f, 2.0f};\n" + kernel);
  // Behind a header that is not there, the compiler does not say that it does not know the word.
  EXPECT_EQ(mended("#include <math.h>\n__constant__ float c[2] = {1.0f, 2.0f};\n" + kernel),
            "#include <math.h>\n" + expected);
}

TEST(ProgramScopeConstant, leaves_what_was_meant_for_another_space) {
  EXPECT_EQ(mended("__device__ float c[2];\n"), "");
  EXPECT_EQ(mended("__shared__ float c[2];\n"), "threadgroup float c[2];\n");
}

// The message of the first finding.
std::string first_message(std::string text) {
  const auto report = examine({"kernel.metal", std::move(text)}, all_rules(), {});
  EXPECT_TRUE(report) << report.error().message;
  return report->findings.empty() ? "" : report->findings.front().message;
}

TEST(UnknownFunction, says_in_a_sentence_what_to_do_instead) {
  const auto in_kernel = [](const std::string& statement) {
    return "kernel void f(uint i [[thread_position_in_grid]]) { " + statement + " }\n";
  };
  EXPECT_EQ(first_message(in_kernel("printf(i);")),
            "use of undeclared identifier 'printf'; Metal has no printf; log with os_log from "
            "<metal_logging>, since metal3.2, or write to a buffer");
  EXPECT_EQ(first_message(in_kernel("std::abs(i);")),
            "use of undeclared identifier 'std'; Metal has no namespace std; its library is in the "
            "namespace metal");
  EXPECT_EQ(first_message(in_kernel("__shfl_sync(i, 0);")),
            "use of undeclared identifier '__shfl_sync'; in Metal, use simd_shuffle(value, lane)");
  EXPECT_EQ(first_message(in_kernel("float4x4 v;")),
            "unknown type name 'float4x4'; did you mean 'metal::float4x4'?");
  EXPECT_EQ(first_message("using namespace metal;\n"), "");
}

// A source may use a name of Metal for its own: without a call it is not Metal's.
TEST(UnknownFunction, takes_no_variable_for_a_function) {
  EXPECT_EQ(first_message("float f() { return distance * 2.0f; }\n"),
            "use of undeclared identifier 'distance'");
}

}  // namespace
}  // namespace msci
