// Sources that a host joins from several files.
#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

class Joined : public LintProgram {
 protected:
  Joined() {
    write("parts/types.metal", "struct Pair { float a, b; };\n");
    write("parts/sums.metal",
          "#include \"types.metal\"\ninline float sum_of(Pair p) { return p.a + p.b; }\n");
    write("parts/kernels.metal",
          "kernel void f(device Pair* x, device float* y) { y[0] = sum_of(x[0]); }\n");
  }
  std::string part(const std::string& name) const { return folder_ / ("parts/" + name); }
  // As /tmp is: all users may write to it, and it has the sticky bit.
  void share(const std::string& name) {
    std::filesystem::permissions(
        folder_ / name, std::filesystem::perms::sticky_bit | std::filesystem::perms::others_write,
        std::filesystem::perm_options::add);
  }
  bool gives_hint(const std::string& name) {
    const auto out = lint(folder_ / name).out;
    EXPECT_TRUE(has(out, "unknown type name")) << out;
    return has(out, "is defined in");
  }
  const std::string all_found_ = "3 files: nothing found\n";
};

TEST_F(Joined, parts_without_a_configuration_get_a_hint) {
  const auto out = lint(part("kernels.metal")).out;
  EXPECT_TRUE(has(out, "unknown type name 'Pair'")) << out;
  EXPECT_TRUE(has(out, "'Pair' is defined in types.metal; if a host joins these files")) << out;
}

TEST_F(Joined, folders_that_all_users_share_give_no_hint) {
  write("own/kernels.metal", "kernel void f(device Pair* x) { x[0] = x[1]; }\n");
  EXPECT_TRUE(gives_hint("own/kernels.metal"));
  share("parts");
  EXPECT_FALSE(gives_hint("own/kernels.metal"));    // it lies beside the source's folder
  EXPECT_FALSE(gives_hint("parts/kernels.metal"));  // the source is in it
}

TEST_F(Joined, a_shared_folder_above_gives_no_hint) {
  write("all/types.metal", "struct Near { float a; };\n");
  write("all/own/kernels.metal", "kernel void f(device Near* x) { x[0] = x[1]; }\n");
  EXPECT_TRUE(gives_hint("all/own/kernels.metal"));
  share("all");
  EXPECT_FALSE(gives_hint("all/own/kernels.metal"));
}

TEST_F(Joined, a_link_gives_no_hint) {
  const auto types = write("elsewhere/deep/down/below/types.metal", "struct Far { float a; };\n");
  write("own/kernels.metal", "kernel void f(device Far* x) { x[0] = x[1]; }\n");
  std::filesystem::create_symlink(types, folder_ / "own/link.metal");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere/deep/down/below",
                                            folder_ / "own/below");
  EXPECT_FALSE(gives_hint("own/kernels.metal"));
  write("own/types.metal", "struct Far { float a; };\n");
  EXPECT_TRUE(gives_hint("own/kernels.metal"));
}

TEST_F(Joined, parts_are_read_behind_those_before_them) {
  write(".msci.json",
        R"({"join": ["parts/types.metal", "parts/sums.metal", "parts/kernels.metal"]})");
  EXPECT_EQ(lint(folder_ / "parts").out, all_found_);
}

TEST_F(Joined, a_prelude_precedes_the_files_of_a_pattern) {
  write(".msci.json", R"({"overrides": [{"files": ["parts/*"],
                           "prelude": ["parts/types.metal", "parts/sums.metal"]}]})");
  EXPECT_EQ(lint(folder_ / "parts").out, all_found_);
}

TEST_F(Joined, files_of_a_linted_folder_include_each_other) {
  write("parts/deep/k.metal", "#include \"../types.metal\"\nfloat first(Pair p) { return p.a; }\n");
  EXPECT_TRUE(has(lint(part("deep/k.metal")).out, "outside of the source's folders"));
  EXPECT_FALSE(has(lint(folder_ / "parts").out, "outside of the source's folders"));
}

}  // namespace
}  // namespace msci
