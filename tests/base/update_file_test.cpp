#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <optional>
#include <thread>

#include "base/files/write_file.h"
#include "base/io/descriptor.h"
#include "base/process/fd.h"
#include "tests/support/exchange_hook.h"
#include "tests/support/folder.h"

// The error of a system call that stands in for the real one. 0: the real one.
static int chown_error = 0, truncate_error = 0, close_error = 0;

extern "C" int close(int file) {
  const auto result = static_cast<int>(::syscall(SYS_close, file));
  if (close_error == 0) return result;
  errno = close_error;
  return -1;
}

extern "C" int fchown(int file, uid_t user, gid_t group) noexcept {
  if (chown_error == 0) return static_cast<int>(::syscall(SYS_fchown, file, user, group));
  errno = chown_error;
  return -1;
}

extern "C" int ftruncate(int file, off_t size) noexcept {
  if (truncate_error == 0) return static_cast<int>(::syscall(SYS_ftruncate, file, size));
  errno = truncate_error;
  return -1;
}

namespace msci {
namespace {

namespace fs = std::filesystem;

std::optional<Error> update(const std::string& path, std::optional<std::string> before,
                            std::string_view text) {
  return update_file({path, std::move(before), "msci-lint", "fixed"}, text);
}

std::size_t files_in(const Folder& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

TEST(UpdateFile, writes_what_nobody_changed) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  EXPECT_EQ(*text_before_update(file), "old");
  EXPECT_FALSE(update(file, "old", "longer"));
  EXPECT_FALSE(update(file, "longer", "new"));
  EXPECT_EQ(folder.contents("a"), "new");
  EXPECT_EQ(*text_before_update(folder / "b"), std::nullopt);
  EXPECT_FALSE(update(folder / "b", std::nullopt, "made"));
  EXPECT_EQ(folder.contents("b"), "made");
  EXPECT_EQ(files_in(folder), 2u);
}

TEST(UpdateFile, leaves_what_changed_and_says_so) {
  const Folder folder;
  const auto changed = folder.write("changed", "old and edited");
  const auto made = folder.write("made", "by another program");
  const auto gone = folder / "gone";
  for (const auto& [path, before] : {std::pair(changed, std::optional<std::string>("old")),
                                     {made, std::nullopt},
                                     {gone, "old"}}) {
    const auto error = update(path, before, "new");
    ASSERT_TRUE(error) << path;
    EXPECT_EQ(error->message, path + " changed while msci-lint ran; not fixed");
  }
  EXPECT_EQ(folder.contents("changed"), "old and edited");
  EXPECT_EQ(folder.contents("made"), "by another program");
  EXPECT_EQ(files_in(folder), 2u);
}

// The first of two names of a file updates the second one, too.
TEST(UpdateFile, does_not_wait_at_a_fifo_that_took_the_place_of_the_file) {
  const Folder folder;
  const auto file = folder / "a";
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  const auto error = update(file, "old", "new");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, file + " changed while msci-lint ran; not fixed");
  EXPECT_TRUE(changed_meanwhile({file, "old", "msci-lint", "fixed"}));
}

TEST(UpdateFile, takes_two_names_of_a_file) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  fs::create_symlink("a", folder / "link");
  EXPECT_FALSE(update(file, "old", "new"));
  EXPECT_FALSE(update(folder / "link", "old", "new"));
  EXPECT_EQ(folder.contents("a"), "new");
}

TEST(UpdateFile, keeps_links_permissions_and_attributes) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  fs::permissions(file, fs::perms(0640));
  const bool has_attributes = ::setxattr(file.c_str(), "user.tag", "t", 1, 0) == 0;
  fs::create_symlink("a", folder / "link");
  EXPECT_FALSE(update(folder / "link", "old", "new"));
  EXPECT_EQ(folder.contents("a"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
  char tag = 0;
  EXPECT_EQ(::getxattr(file.c_str(), "user.tag", &tag, 1) == 1 && tag == 't', has_attributes);
}

TEST(UpdateFile, keeps_the_owner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
  const Folder folder;
  const auto file = folder.write("a", "old text");
  constexpr uid_t other = 12345;
  const auto owner = [&] {
    struct stat status = {};
    EXPECT_EQ(::stat(file.c_str(), &status), 0);
    return std::pair(status.st_uid, status.st_gid);
  };
  ASSERT_EQ(::chown(file.c_str(), other, other), 0);
  EXPECT_FALSE(update(file, "old text", "new text"));
  EXPECT_EQ(owner(), std::pair(other, other));

  // A user who may not give files away: everybody may write into this one, and into its folder.
  fs::permissions(file, fs::perms(0666));
  fs::permissions(folder.path(), fs::perms(0777));
  ASSERT_EQ(::seteuid(other + 1), 0);
  EXPECT_FALSE(update(file, "new text", "third"));
  EXPECT_FALSE(write_file(file, "4th"));
  EXPECT_TRUE(update(file, "third", "fifth"));
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(folder.contents("a"), "4th");
  EXPECT_EQ(owner(), std::pair(other, other));
  EXPECT_EQ(files_in(folder), 1u);
}

// As on a file system without owners.
TEST(UpdateFile, replaces_a_file_of_this_user_where_no_owner_can_be_set) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  fs::create_hard_link(file, folder / "before");
  chown_error = EPERM;
  EXPECT_FALSE(update(file, "old", "new"));
  EXPECT_FALSE(write_file(file, "newer"));
  chown_error = 0;
  EXPECT_EQ(folder.contents("a"), "newer");
  EXPECT_EQ(folder.contents("before"), "old");
}

TEST(UpdateFile, keeps_the_new_text_where_it_cannot_complete_a_file_of_another_user) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
  for (const bool is_update : {true, false}) {
    const Folder folder;
    const auto file = folder.write("a", "old text");
    ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
    chown_error = EPERM;
    truncate_error = ENOSPC;
    const auto error = is_update ? update(file, "old text", "new") : write_file(file, "new");
    chown_error = truncate_error = 0;
    ASSERT_TRUE(error);
    const auto start = "cannot write " + file + ": No space left on device; ";
    const std::string end = " holds the new text";
    ASSERT_TRUE(error->message.starts_with(start) && error->message.ends_with(end))
        << error->message;
    const auto copy =
        error->message.substr(start.size(), error->message.size() - start.size() - end.size());
    EXPECT_EQ(contents(copy), "new");
    EXPECT_EQ(files_in(folder), 2u);
  }
}

// As on a network file system, which may write only then.
TEST(UpdateFile, leaves_a_file_as_it_is_if_the_new_one_cannot_be_closed) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  close_error = EIO;
  const std::optional<Error> errors[] = {update(file, "old", "new"), write_file(file, "new")};
  close_error = 0;
  for (const auto& error : errors) {
    ASSERT_TRUE(error);
    EXPECT_EQ(error->message, "cannot write " + file + ": Input/output error");
  }
  EXPECT_EQ(folder.contents("a"), "old");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(UpdateFile, waits_for_an_editor_that_is_saving) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  Fd editor(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  std::thread saves([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ASSERT_TRUE(write_all(editor.get(), " and edited"));
    editor = Fd();
  });
  EXPECT_TRUE(update(file, "old", "new"));
  saves.join();
  EXPECT_EQ(folder.contents("a"), "old and edited");
}

TEST(UpdateFile, puts_an_edit_of_its_instant_back) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  const ExchangeHook hook([&](const std::string& old) {
    if (contents(old) == "old") std::ofstream(old) << "edited";
  });
  const auto error = update(file, "old", "new");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, file + " changed while msci-lint ran; not fixed");
  EXPECT_EQ(folder.contents("a"), "edited");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(UpdateFile, names_the_second_edit_of_its_instant) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  const ExchangeHook hook([&](const std::string& old) {
    const auto* edit = contents(old) == "old" ? "first edit" : "second edit";
    std::ofstream(old) << edit;
  });
  const auto error = update(file, "old", "new");
  ASSERT_TRUE(error);
  const auto start = error->message.find("; ") + 2;
  const auto named = error->message.find(file, start);
  ASSERT_NE(named, std::string::npos) << error->message;
  const auto other =
      error->message.substr(named, error->message.find(" holds another edit") - named);
  EXPECT_TRUE(other.starts_with(file + ".edited-")) << other;
  EXPECT_EQ(folder.contents("a"), "first edit");
  EXPECT_EQ(contents(other), "second edit");
  EXPECT_EQ(files_in(folder), 2u);
}

TEST(UpdateFile, ends_by_a_signal_only_after_it_has_put_an_edit_back) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Folder folder;
    const auto file = folder.write("a", "old");
    const auto updater = ::fork();
    if (updater == 0) {
      ::signal(signal, SIG_DFL);
      const ExchangeHook hook([&](const std::string& old) {
        if (contents(old) != "old") return;
        std::ofstream(old) << "edited";
        ::kill(::getpid(), signal);
      });
      static_cast<void>(update(file, "old", "new"));
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(updater, &status, 0), updater);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    EXPECT_EQ(folder.contents("a"), "edited");
    EXPECT_EQ(files_in(folder), 1u);
  }
}

TEST(UpdateFile, says_that_another_program_has_the_file_open) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  const Fd editor(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  const auto error = update(file, "old", "new");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message,
            file + " is open for writing in another program; close it and run again");
  EXPECT_EQ(folder.contents("a"), "old");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(UpdateFile, says_that_another_program_has_opened_the_file_in_its_instant) {
  const Folder folder;
  const auto file = folder.write("a", "old");
  Fd editor;
  const ExchangeHook hook([&](const std::string& old) {
    if (!editor) editor = Fd(::open(old.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  });
  const auto error = update(file, "old", "new");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message,
            file + " is open for writing in another program; close it and run again");
  ASSERT_TRUE(write_all(editor.get(), " and edited"));
  EXPECT_EQ(folder.contents("a"), "old and edited");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(UpdateFile, makes_the_file_that_a_link_leads_to) {
  const Folder folder;
  fs::create_directory(folder / "far");
  fs::create_symlink("far/next", folder / "link");
  fs::create_symlink("a", folder / "far/next");
  EXPECT_FALSE(update(folder / "link", std::nullopt, "new"));
  EXPECT_EQ(folder.contents("far/a"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link") && fs::is_symlink(folder / "far/next"));
  fs::remove(folder / "far/a");
  EXPECT_FALSE(write_file(folder / "link", "newer"));
  EXPECT_EQ(folder.contents("far/a"), "newer");
  fs::create_symlink("itself", folder / "itself");
  const auto error = update(folder / "itself", std::nullopt, "new");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message,
            "cannot write " + (folder / "itself") + ": Too many levels of symbolic links");
}

// An editor that saves all the time, in place or by a rename. Each edit is in one of the files that
// are left: where both an edit and an update hit the same instant, two versions stay.
class UpdateFileBesideAnEditor : public testing::TestWithParam<bool> {};

TEST_P(UpdateFileBesideAnEditor, loses_no_edit) {
  // In memory, an update takes so little time that edits often hit the instant of its exchange.
  const Folder folder(::access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : testing::TempDir());
  const auto file = folder.write("a", "start\n");
  std::atomic<bool> ends = false;
  std::atomic<int> edits = 0;
  std::thread editor([&] {
    for (std::string buffer; !ends; ++edits) {
      const auto line = "edit " + std::to_string(edits) + "\n";
      if (GetParam()) {
        const Fd open(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
        ASSERT_TRUE(write_all(open.get(), line));
      } else {
        buffer += line;
        folder.write("saved", buffer);
        fs::rename(folder / "saved", file);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(edits * 7919 % 97 * 100));
    }
  });
  int done = 0, refused = 0;
  while (edits < 200) {
    const auto before = text_before_update(file);
    const auto error = update(file, *before, (*before).value_or("") + "fix\n");
    ++(error ? refused : done);
  }
  ends = true;
  editor.join();
  std::string all;
  for (const auto& each : fs::directory_iterator(folder.path())) all += contents(each.path());
  std::printf("%d edits, %d updates, %d refused, %zu files\n", edits.load(), done, refused,
              files_in(folder));
  for (int edit = 0; edit < edits; ++edit)
    EXPECT_NE(all.find("edit " + std::to_string(edit) + "\n"), std::string::npos) << edit;
}

INSTANTIATE_TEST_SUITE_P(ThatSaves, UpdateFileBesideAnEditor, testing::Bool(),
                         [](const auto& info) { return info.param ? "in_place" : "by_rename"; });

}  // namespace
}  // namespace msci
