#include "base/files/repository.h"

#include <gtest/gtest.h>

#include "tests/support/folder.h"

namespace msci {
namespace {

// Whether a repository with this .gitignore at its top ignores the path; "x/" is a folder.
bool ignores(const std::string& gitignore, std::string path) {
  const Folder folder;
  folder.write(".git/HEAD", "");
  folder.write(".gitignore", gitignore);
  const bool is_folder = path.ends_with('/');
  if (is_folder) path.pop_back();
  return IgnoredFiles().ignores(folder / path, is_folder);
}

// As git check-ignore answers.
TEST(IgnoredFiles, follow_the_patterns_of_git) {
  EXPECT_TRUE(ignores("*.gen.metal\n", "a/b.gen.metal"));
  EXPECT_FALSE(ignores("*.gen.metal\n", "a/b.metal"));
  EXPECT_TRUE(ignores("build/\n", "a/build/"));
  EXPECT_FALSE(ignores("build/\n", "a/build"));
  EXPECT_TRUE(ignores("/build\n", "build/"));
  EXPECT_FALSE(ignores("/build\n", "a/build/"));
  EXPECT_TRUE(ignores("a/b\n", "a/b"));
  EXPECT_FALSE(ignores("a/b\n", "x/a/b"));
  EXPECT_TRUE(ignores("**/b\n", "x/a/b"));
  EXPECT_TRUE(ignores("**/b\n", "b"));
  EXPECT_TRUE(ignores("a/**\n", "a/x/y"));
  EXPECT_FALSE(ignores("a/**\n", "a/"));
  EXPECT_TRUE(ignores("a/**/b\n", "a/b"));
  EXPECT_TRUE(ignores("a/**/b\n", "a/x/y/b"));
  EXPECT_FALSE(ignores("a/*/b\n", "a/x/y/b"));
  EXPECT_TRUE(ignores("a[0-9]?\n", "a1b"));
}

TEST(IgnoredFiles, come_back_where_a_later_pattern_says_so) {
  EXPECT_FALSE(ignores("*.metal\n!keep.metal\n", "keep.metal"));
  EXPECT_TRUE(ignores("!keep.metal\n*.metal\n", "keep.metal"));
}

TEST(IgnoredFiles, know_comments_escapes_and_spaces) {
  EXPECT_FALSE(ignores("# a\n\n", "a"));
  EXPECT_TRUE(ignores("\\#a\n", "#a"));
  EXPECT_TRUE(ignores("\\!a\n", "!a"));
  EXPECT_TRUE(ignores("a  \r\n", "a"));
  EXPECT_TRUE(ignores("a\\ \n", "a "));
  EXPECT_FALSE(ignores("/\n", "a"));
}

TEST(IgnoredFiles, follow_deeper_files_and_the_exclusions_of_the_clone) {
  const Folder folder;
  folder.write(".git/info/exclude", "local.metal\n");
  folder.write(".gitignore", "*.metal\n");
  folder.write("src/.gitignore", "!a.metal\n/b/\n");
  IgnoredFiles ignored;
  EXPECT_TRUE(ignored.ignores(folder / "a.metal", false));
  EXPECT_FALSE(ignored.ignores(folder / "src/a.metal", false));
  EXPECT_TRUE(ignored.ignores(folder / "src/b", true));
  EXPECT_FALSE(ignored.ignores(folder / "src/c/b", true));
  folder.write(".gitignore", "");
  EXPECT_TRUE(IgnoredFiles().ignores(folder / "x/local.metal", false));
}

TEST(IgnoredFiles, are_none_outside_a_repository) {
  const Folder folder;
  folder.write(".gitignore", "*\n");
  EXPECT_FALSE(IgnoredFiles().ignores(folder / "a.metal", false));
}

TEST(IgnoredFiles, take_no_exponential_time) {
  std::string pattern;
  std::string path;
  for (int i = 0; i < 60; ++i) pattern += "**/a/", path += "a/";
  EXPECT_FALSE(ignores(pattern + "b\n", path + "c"));
}

}  // namespace
}  // namespace msci
