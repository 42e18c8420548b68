// --compare-with: what has changed since an earlier run.
#include <filesystem>

#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string kernel_with_error = "kernel void f(device float* restrict x) { x[0] = 1; }\n";
const std::string kernel_with_warning =
    "#include <metal_stdlib>\n"
    "kernel void g(device uint* x [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {\n"
    "  if (i < 9) metal::threadgroup_barrier(metal::mem_flags::mem_device);\n"
    "  x[i] = i;\n}\n";

class Compared : public LintProgram {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "src");
    write("src/a.metal", kernel_with_error);
    write("src/b.metal", kernel_with_warning);
    EXPECT_EQ(lint(all_ + "--write-baseline " + results_ + " " + src_).status, 1);
  }

  ProgramResult compared(const std::string& options = "") const {
    return lint(all_ + options + " --compare-with " + results_ + " " + src_);
  }
  Json json() const {
    const auto out = compared("--json").out;
    return Json::parse(out.substr(out.rfind("{\"since\"")));
  }

  const std::string all_ = "--select metal,hazard.barrier_divergence ";
  const std::string src_ = folder_ / "src";
  const std::string results_ = folder_ / "results.json";
};

TEST_F(Compared, nothing_has_changed) {
  const auto run = compared();
  EXPECT_EQ(run.status, 0) << "only new errors make a run fail";
  EXPECT_TRUE(has(run.out, "0 new, 0 gone, 0 moved, 2 as before"));
  EXPECT_FALSE(has(run.out, "restrict"));
}

TEST_F(Compared, lines_that_move_are_no_change) {
  write("src/a.metal", "\n\n// a comment\n" + kernel_with_error);
  EXPECT_TRUE(has(compared().out, "0 new, 0 gone, 0 moved, 2 as before"));
}

TEST_F(Compared, a_new_error_fails) {
  write("src/c.metal", kernel_with_error);
  const auto run = compared();
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(has(run.out, "c.metal:1:38: error: 'restrict' is a C keyword"));
  EXPECT_TRUE(has(run.out, "1 new, 0 gone, 0 moved, 2 as before"));
}

TEST_F(Compared, a_new_warning_fails_where_it_is_asked_to) {
  write("src/c.metal", kernel_with_warning);
  EXPECT_EQ(compared().status, 0);
  EXPECT_EQ(compared("--fail-on warning").status, 1);
  EXPECT_EQ(compared("--max-warnings 0").status, 1);
  EXPECT_EQ(compared("--max-warnings 1").status, 0);
}

TEST_F(Compared, gone_findings_are_named) {
  write("src/b.metal", "kernel void g(device uint* x [[buffer(0)]]) { x[0] = 1; }\n");
  const auto run = compared();
  EXPECT_TRUE(has(run.out, "gone: "));
  EXPECT_TRUE(has(run.out, "b.metal: warning: "));
  EXPECT_TRUE(has(run.out, "\n  if (i < 9) metal::threadgroup_barrier"));
  const auto found = json();
  EXPECT_EQ(found["gone"].size(), 1u);
  EXPECT_EQ(found["gone"][0]["rule"], "hazard.barrier_divergence");
  EXPECT_EQ(found["gone"][0]["severity"], "warning");
  EXPECT_EQ(found["same"], 1);
}

TEST_F(Compared, a_renamed_file_moves_its_findings) {
  fs::rename(folder_ / "src/a.metal", folder_ / "src/z.metal");
  const auto run = compared();
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(has(run.out, "moved from "));
  EXPECT_TRUE(has(run.out, "0 new, 0 gone, 1 moved, 1 as before"));
  EXPECT_TRUE(has(run.out, "2 files: nothing found\n")) << "new findings alone count";
  EXPECT_EQ(run.out.find("z.metal"), run.out.rfind("z.metal")) << run.out;
  const auto found = json();
  EXPECT_TRUE(has(found["moved"][0]["to"]["file"].get<std::string>(), "z.metal"));
}

TEST_F(Compared, a_file_that_is_there_has_not_moved) {
  fs::create_directories(folder_ / "other");
  write("other/a.metal", kernel_with_error);
  const auto other = lint(all_ + "--compare-with " + results_ + " " + (folder_ / "other"));
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(has(other.out, "1 new, 0 gone, 0 moved, 0 as before"));
  write("src/a.metal", "kernel void f(device float* x) { x[0] = 1; }\n");
  const auto both =
      lint(all_ + "--compare-with " + results_ + " " + src_ + " " + (folder_ / "other"));
  EXPECT_EQ(both.status, 1);
  EXPECT_TRUE(has(both.out, "1 new, 1 gone, 0 moved, 1 as before"));
}

TEST_F(Compared, files_that_were_not_linted_are_left_out) {
  const auto run = lint(all_ + "--compare-with " + results_ + " " + src_ + "/b.metal");
  EXPECT_TRUE(has(run.out, "0 new, 0 gone, 0 moved, 1 as before"));
}

TEST_F(Compared, a_finding_that_sources_share_counts_once) {
  write("src/shared.h", kernel_with_warning);
  for (const auto* name : {"c", "d"})
    write(std::string("src/") + name + ".metal", "#include \"shared.h\"\n");
  EXPECT_TRUE(has(compared().out, "1 new, 0 gone, 0 moved, 2 as before"));
  lint(all_ + "--write-baseline " + results_ + " " + src_);
  EXPECT_TRUE(has(compared().out, "0 new, 0 gone, 0 moved, 3 as before"));
  write("src/e.metal", "#include \"shared.h\"\n");
  EXPECT_TRUE(has(compared().out, "0 new, 0 gone, 0 moved, 3 as before"));
  EXPECT_EQ(compared("--max-warnings 0").status, 0);
}

TEST_F(Compared, other_files_are_refused) {
  write("results.json", lint(all_ + "--json " + src_).out);
  EXPECT_EQ(compared().status, 2);
  EXPECT_TRUE(has(compared().err,
                  "results.json: this is not a baseline; write one with msci-lint "
                  "--write-baseline "));
  EXPECT_EQ(lint("--compare-with " + (folder_ / "none.json") + " " + src_).status, 2);
  EXPECT_TRUE(has(compared("--fix").err, "excludes"));
}

}  // namespace
}  // namespace msci
