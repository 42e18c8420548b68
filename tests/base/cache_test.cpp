// A cache may lose anything, but never returns what was not stored.
#include "base/files/cache.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

namespace msci {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytes(const std::string& text) {
  std::vector<std::byte> made;
  for (const auto c : text) made.push_back(static_cast<std::byte>(c));
  return made;
}

class CacheTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_ = testing::TempDir() + "cache_test_" + std::to_string(::getpid());
};

TEST_F(CacheTest, returns_what_was_stored_last) {
  Cache cache(folder_);
  EXPECT_FALSE(cache.load("a/b"));
  cache.store("a/b", bytes("one"));
  cache.store("a/b", bytes("another"));
  cache.store("empty", {});
  EXPECT_EQ(cache.load("a/b"), bytes("another"));
  EXPECT_EQ(cache.load("empty"), bytes(""));
  EXPECT_EQ(cache.first_error(), "");
}

TEST_F(CacheTest, ignores_damaged_entries) {
  Cache cache(folder_);
  cache.store("a", bytes("some contents that matter"));
  const auto size = fs::file_size(folder_ / "a");
  {
    std::fstream file(folder_ / "a", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(size) - 3);
    file.put('X');
  }
  EXPECT_FALSE(cache.load("a"));
  cache.store("a", bytes("some contents that matter"));
  fs::resize_file(folder_ / "a", size - 1);
  EXPECT_FALSE(cache.load("a"));
  fs::resize_file(folder_ / "a", 5);
  EXPECT_FALSE(cache.load("a"));
  std::ofstream(folder_ / "a") << "a text that another program put here";
  EXPECT_FALSE(cache.load("a"));
}

TEST_F(CacheTest, reports_the_first_write_error_and_goes_on) {
  std::ofstream(folder_.string()) << "a file where the folder should be";
  Cache cache(folder_);
  cache.store("a", bytes("x"));
  cache.store("b", bytes("x"));
  EXPECT_FALSE(cache.load("a"));
  EXPECT_NE(cache.first_error().find("cannot keep results in " + folder_.string()),
            std::string::npos);
}

TEST_F(CacheTest, leaves_no_temporary_file_behind) {
  Cache cache(folder_);
  fs::create_directories(folder_ / "a");  // so that renaming to it fails
  cache.store("a", bytes("x"));
  EXPECT_NE(cache.first_error(), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(CacheTest, writers_at_the_same_time_leave_one_whole_entry) {
  Cache cache(folder_);
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'e'; ++c)
    writers.emplace_back([&cache, c] {
      for (int i = 0; i < 50; ++i) cache.store("entry", bytes(std::string(10000, c)));
    });
  for (auto& writer : writers) writer.join();
  const auto entry = cache.load("entry");
  ASSERT_TRUE(entry);
  EXPECT_EQ(*entry, std::vector<std::byte>(10000, (*entry)[0]));
}

TEST_F(CacheTest, keeps_what_was_used_last) {
  Cache cache(folder_);
  for (const auto* name : {"lint/a", "lint/b", "lint/c", "other"})
    cache.store(name, bytes(std::string(1000, 'x')));
  const auto now = fs::file_time_type::clock::now();
  for (const auto* name : {"lint/a", "lint/b", "lint/c"})
    fs::last_write_time(folder_ / name, now - std::chrono::hours(1));
  cache.touch("lint/b");
  const auto [entries, size] = cache.usage("lint");
  EXPECT_EQ(entries, 3u);
  cache.trim("lint", size);
  EXPECT_EQ(cache.usage("lint").entries, 3u);
  cache.trim("lint", size / 3);
  EXPECT_EQ(cache.usage("lint").entries, 1u);
  EXPECT_TRUE(cache.load("lint/b"));
  cache.trim("lint", 0);
  EXPECT_EQ(cache.usage("lint").entries, 0u);
  EXPECT_TRUE(cache.load("other"));
}

TEST(NoCache, stores_nothing_and_reports_no_error) {
  Cache cache(std::nullopt);
  cache.store("a", bytes("x"));
  EXPECT_FALSE(cache.load("a"));
  EXPECT_EQ(cache.first_error(), "");
}

TEST(UserCacheFolder, follows_the_environment) {
  ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(user_cache_folder(), fs::path("/somewhere/msci"));
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(user_cache_folder(), fs::path("/home/someone/.cache/msci"));
  ::unsetenv("HOME");
  EXPECT_EQ(user_cache_folder(), std::nullopt);
}

}  // namespace
}  // namespace msci
