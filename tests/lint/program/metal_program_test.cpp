// metal and xcrun, as builds call them that were written for Xcode.
#include <array>

#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

constexpr const char* good_source =
    "#include <metal_stdlib>\nusing namespace metal;\n"
    "kernel void f(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],\n"
    "              uint i [[thread_position_in_grid]]) {\n  if (i < n) x[i] = sqrt(x[i]);\n}\n";
constexpr const char* bad_source =
    "#include <metal_stdlib>\nusing namespace metal;\n"
    "kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
    "  x[i] = missing;\n}\n";

class MetalProgram : public LintProgram {
 protected:
  // Runs a line of a build in the folder, where `metal` and `xcrun` are first on the PATH.
  ProgramResult build(const std::string& line) const {
    return run_command("cd " + (folder_ / "") + " && export PATH=" +
                           program_path("metal").substr(0, program_path("metal").rfind('/')) +
                           ":$PATH; " + line,
                       folder_);
  }
  void write_sources(const char* text) const {
    for (const auto* name : {"k.metal", "two.metal", "k.comp"}) write(name, text);
    write("scene.h", "struct Scene { float a; };\n");
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
};

// As naga, SPIRV-Cross, slang, MLX and others call the compiler only to check.
constexpr std::array checks = {
    "xcrun -sdk macosx metal -mmacosx-version-min=10.11 -std=macos-metal2.0 "
    "-Werror=constant-conversion -x metal k.metal -o /dev/null",
    "xcrun -sdk macosx metal -mmacosx-version-min=10.11 -std=metal3.0 -x metal - -o /dev/null "
    "<k.metal",
    "xcrun --sdk macosx metal -x metal -std=macos-metal2.1 -Werror -Wno-unused-variable k.metal",
    "xcrun --sdk iphoneos metal -x metal -std=ios-metal2.2 -Werror -Wno-unused-variable k.metal",
    "metal -x metal -std=metal3.2 -Werror -Wno-unused-variable k.comp",
    "xcrun -sdk macosx metal -fsyntax-only -Wall -Wextra k.metal two.metal",
};

// The same with a file for the code, in which MSCI_METAL=check puts a marker.
constexpr std::array builds = {
    "xcrun --sdk macosx metal -std=metal3.1 -fno-strict-aliasing -Os -g -o k.air -DN=8 -I . "
    "k.metal",
    "xcrun -sdk macosx metal -x metal -Wall -Wextra -fno-fast-math -Wno-c++17-extensions "
    "-Wno-c++20-extensions -mmacosx-version-min=14.0 -c k.metal -I. -o k.air",
    "xcrun -sdk macosx metal -gline-tables-only -frecord-sources -mmacosx-version-min=10.15.7 -MO "
    "-c k.metal -include scene.h -o k.air",
    "metal -target air64-apple-macos12.1 -MO -gline-tables-only -isysroot /sdk -ffast-math -c -o "
    "k.air k.metal",
};

constexpr const char* words_of_bad = ":4:10: error: use of undeclared identifier 'missing'";

TEST_F(MetalProgram, checks_good_sources_as_builds_call_it) {
  write_sources(good_source);
  for (const auto* line : checks) {
    const auto done = build(line);
    EXPECT_EQ(done.status, 0) << line << "\n" << done.err;
    EXPECT_EQ(done.out, "") << line;
    EXPECT_EQ(done.err.find("error"), std::string::npos) << line << "\n" << done.err;
  }
  EXPECT_TRUE(has(build(checks[2]).err, "metal: note: msci checks Metal sources and makes no code"))
      << "nothing is written, so it says so";
}

TEST_F(MetalProgram, refuses_bad_sources_in_the_words_of_the_compiler) {
  write_sources(bad_source);
  for (const auto* line : checks) {
    const auto done = build(line);
    EXPECT_EQ(done.status, 1) << line;
    EXPECT_TRUE(has(done.err, words_of_bad)) << line;
    EXPECT_TRUE(has(done.err, "1 error generated.")) << line;
  }
  EXPECT_TRUE(has(build(checks[1]).err, "<stdin>:4:10: error: "));
}

TEST_F(MetalProgram, writes_no_code_and_says_what_helps) {
  write_sources(good_source);
  for (const auto* line : builds) {
    const auto done = build(line);
    EXPECT_EQ(done.status, 1) << line << "\n" << done.err;
    EXPECT_TRUE(has(done.err,
                    "metal: error: msci checks Metal sources and makes no code, so "
                    "'k.air' is not written; use -fsyntax-only, or set "
                    "MSCI_METAL=check"));
    EXPECT_FALSE(exists("k.air"));
  }
  EXPECT_EQ(build("metal -fsyntax-only -c k.metal -o k.air").status, 0);
  EXPECT_FALSE(exists("k.air"));
}

TEST_F(MetalProgram, writes_a_marker_where_it_is_asked_to) {
  for (const auto* line : builds) {
    write_sources(good_source);
    const auto done = build("export MSCI_METAL=check; " + std::string(line));
    EXPECT_EQ(done.status, 0) << line << "\n" << done.err;
    EXPECT_TRUE(has(folder_.contents("k.air"), "This is no Metal code. msci "));
    std::filesystem::remove(folder_ / "k.air");
    write_sources(bad_source);
    const auto bad = build("export MSCI_METAL=check; " + std::string(line));
    EXPECT_EQ(bad.status, 1) << line;
    EXPECT_TRUE(has(bad.err, "error: use of undeclared identifier 'missing'"));
    EXPECT_FALSE(exists("k.air")) << line;
  }
}

TEST_F(MetalProgram, flags_that_change_the_meaning_take_effect) {
  write("k.metal", "#ifndef N\n#error no N\n#endif\nkernel void f() {}\n");
  EXPECT_TRUE(has(build("metal k.metal").err, "k.metal:2:2: error: no N"));
  EXPECT_EQ(build("metal -D N=1 k.metal").status, 0);
  write("v.metal", "#if __METAL_VERSION__ != 240\n#error other\n#endif\n");
  EXPECT_EQ(build("metal -std=macos-metal2.4 v.metal").status, 0);
  EXPECT_EQ(build("metal -std=metal3.0 v.metal").status, 1);
}

TEST_F(MetalProgram, preprocesses) {
  const auto done = build(
      "echo __METAL_VERSION__ | xcrun -sdk macosx metal -mmacosx-version-min=14.0 -E -x metal -P - "
      "| tail -1");
  EXPECT_EQ(done.out, "310\n");
  write("k.metal", "#define TWICE(x) x + x\n#include <metal_stdlib>\nint a = TWICE(b);  // c\n");
  EXPECT_EQ(build("metal -E k.metal").out, "int a = b + b;\n");
  write("bad.metal", "#error stop\n");
  const auto bad = build("metal -E bad.metal");
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(bad.err, "bad.metal:1:2: error: stop\n");
}

TEST_F(MetalProgram, warns_of_faults_and_lets_the_build_go_on) {
  write("k.metal",
        "#include <metal_stdlib>\nusing namespace metal;\n"
        "kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]],\n"
        "              uint l [[thread_index_in_threadgroup]]) {\n"
        "  threadgroup float t[4];\n  t[l % 4] = x[i];\n  x[i] = t[7];\n}\n");
  const auto done = build("metal -Werror -fsyntax-only k.metal");
  EXPECT_EQ(done.status, 0) << "Apple's compiler does not refuse it";
  EXPECT_TRUE(has(done.err, "k.metal:7:10: warning: ")) << done.err;
  EXPECT_TRUE(has(done.err, "generated.\n"));
  EXPECT_EQ(build("metal -w -fsyntax-only k.metal").err, "");
}

TEST_F(MetalProgram, says_what_it_is) {
  for (const auto* line : {"metal --version", "xcrun --sdk iphoneos metal --version"})
    EXPECT_TRUE(has(build(line).out, "msci metal ")) << line;
  EXPECT_TRUE(has(build("xcrun metal -v").err, "(clang version 22.")) << "where slang looks for it";
  EXPECT_TRUE(has(build("metal --help").out, "Flags that are ignored:"));
  EXPECT_TRUE(has(build("xcrun -sdk macosx --find metal").out, "/metal\n"));
}

TEST_F(MetalProgram, refuses_what_it_cannot_do) {
  write_sources(good_source);
  struct Case {
    const char* line;
    int status;
    const char* words;
  };
  for (const auto& [line, status, words] : std::to_array<Case>({
           {"xcrun -sdk macosx metallib k.air -o k.metallib", 72,
            "xcrun: error: unable to find utility \"metallib\": this is msci's xcrun, whose metal "
            "checks sources and makes no code"},
           {"xcrun --find metallib", 72, "unable to find utility \"metallib\""},
           {"xcrun clang k.c", 72, "this is msci's xcrun, which has only metal"},
           {"xcrun --sdk macosx --show-sdk-path", 1, "there is no SDK here"},
           {"xcrun -sdk pocket metal k.metal", 1, "SDK \"pocket\" cannot be located"},
           {"metal k.air -o k.metallib", 1, "metal: error: 'k.air' is not Metal source"},
           {"metal -S k.metal", 1, "metal: error: '-S' is refused"},
           {"metal -", 1, "'-x metal' is required when input is from standard input"},
           {"metal -x c++ k.metal", 1, "language not recognized: 'c++'"},
           {"metal -c k.metal two.metal -o k.air", 1,
            "cannot specify -o when generating multiple output files"},
           {"metal -unknown k.metal", 1, "metal: error: unknown argument: '-unknown'"},
           {"metal none.metal", 1, "metal: error: no such file or directory: 'none.metal'"},
           {"metal k.metal -o", 1, "argument to '-o' is missing"},
           {"metal -c", 1, "metal: error: no input files"},
           {"metal -std=metal9.9 k.metal", 1, "metal9.9"},
       })) {
    const auto done = build(line);
    EXPECT_EQ(done.status, status) << line << "\n" << done.err;
    EXPECT_TRUE(has(done.err, words)) << line;
  }
  EXPECT_TRUE(has(build("metal -fnew-thing -fsyntax-only k.metal").err,
                  "metal: warning: argument is ignored: '-fnew-thing'"));
}

}  // namespace
}  // namespace msci
