// What a program has to run on: the option, the configuration, the compilation database.
#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

class TargetOption : public LintProgram {
 protected:
  const std::string kernel_ =
      write("src/k.metal",
            "#include <metal_stdlib>\n"
            "using namespace metal;\n"
            "kernel void f(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
            "  x[i] = bfloat(simd_sum(float(x[i])));\n"
            "}\n");
  const std::string found_ = "1 file: nothing found\n";
  const std::string lacks_ =
      "'simd_sum' needs a GPU of family Apple7; the target apple6 lacks it [resource.target]";
};

TEST_F(TargetOption, finds_what_a_gpu_lacks) {
  EXPECT_EQ(lint(kernel_).out, found_);
  EXPECT_EQ(lint("--target m1,macos14 " + kernel_).out, found_);
  EXPECT_TRUE(has(lint("--target apple6 " + kernel_).out, lacks_))
      << lint("--target apple6 " + kernel_).out;
}

TEST_F(TargetOption, chooses_the_versions_of_its_systems) {
  EXPECT_TRUE(
      has(lint("--target macos13 " + kernel_).out, "it needs metal3.1, and this is metal3.0"));
  EXPECT_TRUE(has(lint("--target macos13,macos15 " + kernel_).out, "(at metal3.0)"));
  EXPECT_TRUE(has(lint("--target macos14 --std metal3.2 " + kernel_).out,
                  "metal3.2 needs macOS 15 or iOS 18; the target macos14 has up to metal3.1"));
}

TEST_F(TargetOption, comes_from_the_configuration) {
  write(".msci.json", R"({"target": "apple6"})");
  EXPECT_TRUE(has(lint(kernel_).out, lacks_));
  EXPECT_EQ(lint("--target apple7 " + kernel_).out, found_);
  write(".msci.json", R"({"overrides": [{"files": ["k.metal"], "target": "apple6"}]})");
  EXPECT_TRUE(has(lint(kernel_).out, lacks_));
  EXPECT_TRUE(has(lint("--show-config " + kernel_).out, "\"target\": \"apple6\""));
}

TEST_F(TargetOption, comes_from_deployment_targets) {
  const std::string old = "this is metal3.0";
  EXPECT_TRUE(has(lint(kernel_ + " -- -mmacosx-version-min=13.0").out, old));
  EXPECT_EQ(lint(kernel_ + " -- -target air64-apple-macos14.0").out, found_);
  write("compile_commands.json",
        R"([{"directory": ".", "file": "src/k.metal",
             "command": "xcrun metal -target air64-apple-ios16.0 -c src/k.metal"}])");
  EXPECT_TRUE(has(lint(kernel_).out, old));
}

TEST_F(TargetOption, is_an_error_if_it_is_unknown) {
  const auto run = lint("--target apple70 " + kernel_);
  EXPECT_EQ(run.status, 2);
  EXPECT_TRUE(has(run.err, "unknown target 'apple70'; known are apple2 to apple10, mac2, a14"))
      << run.err;
}

TEST_F(TargetOption, is_explained) {
  const auto run = lint("--explain-target apple3,ios16");
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(has(run.out, "apple3: GPU family Apple3\n"));
  EXPECT_TRUE(has(run.out, "ios16: versions of the language up to metal3.0\n"));
  EXPECT_EQ(lint("--explain-target x").status, 2);
}

}  // namespace
}  // namespace msci
