#include "base/files/source_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/write_file.h"
#include "base/process/fd.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

std::string nothing(const std::string&, bool) { return ""; }

std::string build_excluded(const std::string& path, bool) {
  return path.ends_with("/build") ? "a test" : "";
}

TEST(Files, of_a_folder_come_sorted_and_without_the_hidden_ones) {
  const Folder folder;
  const auto b = folder.write("b.metal", "");
  const auto a = folder.write("sub/deep/a.metal", "");
  folder.write("sub/notes.txt", "");
  folder.write(".hidden/c.metal", "");
  folder.write("sub/.d.metal", "");
  fs::create_directory_symlink(folder / "sub", folder / "link");
  EXPECT_EQ(expand({folder / ""}, nothing).names, (std::vector<std::string>{b, a}));
}

TEST(Files, keep_the_order_of_the_arguments_and_come_once) {
  const Folder folder;
  const auto a = folder.write("a.metal", "");
  const auto b = folder.write("b.txt", "");
  const auto again = folder / "./a.metal";
  EXPECT_EQ(expand({b, a, again, "-", folder / ""}, nothing).names,
            (std::vector<std::string>{b, a, "-"}));
}

TEST(Files, leave_out_what_is_excluded) {
  const Folder folder;
  const auto a = folder.write("a.metal", "");
  folder.write("build/b.metal", "");
  EXPECT_EQ(expand({folder / ""}, build_excluded).names, (std::vector<std::string>{a}));
}

TEST(Files, that_are_named_are_left_out_only_by_force) {
  const Folder folder;
  const auto a = folder.write("a.metal", "");
  const auto b = folder.write("build/b.metal", "");
  const auto all = std::vector<std::string>{a, b};
  EXPECT_EQ(expand(all, build_excluded).names, all);
  EXPECT_EQ(expand(all, build_excluded, /*force=*/true).names, (std::vector<std::string>{a}));
  EXPECT_TRUE(expand({folder / "build"}, build_excluded, /*force=*/true).names.empty());
}

TEST(Files, say_what_excludes_all_of_a_folder) {
  const Folder folder;
  folder.write("src/a.metal", "");
  folder.write("src/b.metal", "");
  const auto error = [&](const Excluded& excluded) {
    return expand({folder / "src"}, excluded).errors.at(0).message;
  };
  EXPECT_EQ(
      error([](const std::string&, bool) { return "--exclude"; }),
      "cannot check " + folder / "src" + ": all 2 .metal files in it are excluded by --exclude");
  folder.write("src/build/c.metal", "");
  std::filesystem::remove(folder / "src/a.metal");
  std::filesystem::remove(folder / "src/b.metal");
  EXPECT_EQ(error(build_excluded), "cannot check " + folder / "src" +
                                       ": the directory holds no .metal file outside of folders "
                                       "that are excluded by a test");
}

TEST(Files, may_be_absent_but_a_folder_holds_some) {
  const Folder folder;
  const auto absent = expand({"absent.metal"}, nothing);
  EXPECT_EQ(absent.names.size(), 1u);
  EXPECT_TRUE(absent.errors.empty());  // reading it will tell
  EXPECT_EQ(expand({folder / ""}, nothing).errors.size(), 1u);
}

TEST(Files, of_an_empty_folder_keep_none_from_the_others) {
  const Folder folder;
  const auto a = folder.write("a.metal", "");
  const auto b = folder.write("sub/b.metal", "");
  fs::create_directory(folder / "empty");
  const auto files = expand({a, folder / "empty", folder / "sub"}, nothing);
  EXPECT_EQ(files.names, (std::vector<std::string>{a, b}));
  ASSERT_EQ(files.errors.size(), 1u);
  EXPECT_NE(files.errors[0].message.find("empty: the directory holds no"), std::string::npos);
}

TEST(WriteFile, keeps_permissions_and_links) {
  const Folder folder;
  const auto file = folder.write("a.metal", "old");
  fs::permissions(file, fs::perms(0640));
  fs::create_symlink("a.metal", folder / "link");
  ASSERT_FALSE(write_file(folder / "link", "new"));
  EXPECT_EQ(folder.contents("a.metal"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / ""), fs::directory_iterator()), 2);
}

TEST(WriteFile, makes_a_new_file_with_the_usual_permissions) {
  const Folder folder;
  const auto old = ::umask(027);
  ASSERT_FALSE(write_file(folder / "new", "text"));
  ::umask(old);
  EXPECT_EQ(folder.contents("new"), "text");
  EXPECT_EQ(fs::status(folder / "new").permissions(), fs::perms(0640));
}

// As root, a rename would put a regular file where the device was.
TEST(WriteFile, writes_into_what_is_no_regular_file) {
  const Folder folder;
  const auto fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const Fd reader(::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  ASSERT_FALSE(write_file(fifo, "text"));
  char read[8] = {};
  EXPECT_EQ(::read(reader.get(), read, sizeof read), 4);
  EXPECT_STREQ(read, "text");
  EXPECT_TRUE(fs::is_fifo(fifo));

  fs::create_symlink("/dev/full", folder / "link");
  const auto full = write_file(folder / "link", "text");
  ASSERT_TRUE(full);
  EXPECT_NE(full->message.find("No space left on device"), std::string::npos);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// A file of /dev/fd is open already; another one in its place would not receive what follows.
TEST(WriteFile, writes_into_an_open_file) {
  const Folder folder;
  const auto file = folder.write("a", "before ");
  const Fd open(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  ASSERT_FALSE(write_file("/dev/fd/" + std::to_string(open.get()), "text"));
  ASSERT_EQ(::write(open.get(), " after", 6), 6);
  EXPECT_EQ(folder.contents("a"), "before text after");
}

TEST(ReplaceFile, follows_no_link_and_waits_for_no_fifo) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  const auto link = folder / "link", fifo = folder / "fifo", sealed = folder.write("sealed", "old");
  fs::create_symlink(file, link);
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  fs::permissions(sealed, fs::perms(0400));
  for (const auto& path : {link, fifo, sealed, folder / "fresh"}) {
    ASSERT_FALSE(replace_file(path, "new")) << path;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path))) << path;
    EXPECT_EQ(folder.contents(fs::path(path).filename()), "new");
  }
  EXPECT_EQ(folder.contents("a"), "old");
  fs::create_directory(folder / "sub");
  const auto error = replace_file(folder / "sub", "new");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "cannot write " + (folder / "sub") + ": Is a directory");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / ""), fs::directory_iterator()), 6);
}

TEST(WriteFile, says_why_it_cannot) {
  const auto error = write_file("/nowhere/at/all", "text");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "cannot write /nowhere/at/all: No such file or directory");
}

}  // namespace
}  // namespace msci
