#include "base/formats/diff.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace msci {
namespace {

TEST(Diff, shows_three_lines_around_a_change) {
  EXPECT_EQ(
      unified_diff("s.metal", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
      "--- a/s.metal\n+++ b/s.metal\n"
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(Diff, puts_far_changes_into_hunks_of_their_own) {
  const std::string before = "a\n1\n2\n3\n4\n5\n6\n7\nb\n";
  EXPECT_EQ(unified_diff("s", before, "1\n2\n3\n4\n5\n6\n7\nb\nc\n"),
            "--- a/s\n+++ b/s\n"
            "@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n"
            "@@ -7,3 +6,4 @@\n 6\n 7\n b\n+c\n");
}

TEST(Diff, says_where_the_last_line_has_no_end) {
  EXPECT_EQ(unified_diff("s", "a", "a\n"),
            "--- a/s\n+++ b/s\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
  EXPECT_EQ(unified_diff("s", "", "a\n"), "--- a/s\n+++ b/s\n@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(unified_diff("s", "a\n", "a\n"), "");
}

TEST(Diff, quotes_odd_names) {
  EXPECT_TRUE(unified_diff("a \"b\"\t", "1\n", "2\n")
                  .starts_with("--- \"a/a \\042b\\042\\011\"\n+++ \"b/a \\042b\\042\\011\"\n"));
}

// A text of few different lines, so that many ways lead from one to another.
std::string random_text(std::mt19937& random) {
  std::string text;
  for (auto lines = random() % 30; lines > 0; --lines)
    text += std::string(1, static_cast<char>('a' + random() % 4)) + (random() % 9 ? "\n" : "\r\n");
  if (random() % 3 == 0) text += "end";
  return text;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Diff, is_understood_by_git) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "git is missing";
  const std::filesystem::path folder =
      testing::TempDir() + "msci_diff_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    const auto before = random_text(random) + "x";  // git has no patch for an empty file
    const auto after = random_text(random) + "x";
    if (before == after) continue;
    write(folder / "a b.metal", before);
    write(folder / "patch", unified_diff("a b.metal", before, after));
    const auto command = "cd '" + folder.string() +
                         "' && GIT_CEILING_DIRECTORIES=/ git apply --whitespace=nowarn patch";
    ASSERT_EQ(std::system(command.c_str()), 0) << file_text(folder / "patch");
    ASSERT_EQ(file_text(folder / "a b.metal"), after) << file_text(folder / "patch");
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace msci
