// What the tools say about files that are not sources.
#include "base/files/read_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace msci {
namespace {

class ReadFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  // The complaint, without the file's name; empty where the file was read.
  static std::string complaint(const std::string& path) {
    const auto source = read_source(path);
    return source ? "" : source.error().message.substr(("cannot read " + path + ": ").size());
  }

  std::filesystem::path folder_;
};

TEST_F(ReadFile, keeps_every_byte) {
  const std::string text = "// caf\xe9\r\n\tkernel void f() {}\n\f";
  const auto source = read_source(write("a.metal", text));
  ASSERT_TRUE(source);
  EXPECT_EQ(source->text, text);
  EXPECT_EQ(source->name, (folder_ / "a.metal").string());
}

TEST_F(ReadFile, explains_why_a_file_is_not_a_source) {
  EXPECT_EQ(complaint(folder_ / "absent.metal"), "no such file");
  EXPECT_EQ(complaint(folder_), "it is a directory");
  EXPECT_EQ(complaint("/dev/zero"), "it is not a regular file");
  EXPECT_EQ(complaint(write("a.metal", "x") + "/below"), "Not a directory");
}

TEST_F(ReadFile, says_that_a_name_is_empty) {
  EXPECT_EQ(read_source("").error().message,
            "a file's name is empty; name a file, or - for standard input");
}

TEST_F(ReadFile, explains_that_a_file_is_binary_and_what_to_do) {
  const auto whole = [](const std::string& path) { return read_source(path).error().message; };
  const auto empty = write("empty", "");
  EXPECT_EQ(whole(empty), empty + " is empty; write the text into it, or name another file");
  const auto not_text = " is not text but binary; name the source, not the compiled file";
  const auto nul = write("nul", std::string("kernel\0void", 11));
  EXPECT_EQ(whole(nul), nul + not_text);
  const auto elf = write("elf",
                         "\x7f"
                         "ELF\x02\x01\x01");
  EXPECT_EQ(whole(elf), elf + not_text);
}

TEST_F(ReadFile, does_not_block_on_a_fifo) {
  const std::string fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(complaint(fifo), "it is not a regular file");
}

TEST_F(ReadFile, reads_a_file_at_the_size_limit_and_none_larger) {
  EXPECT_EQ(complaint(write("limit", std::string(source_size_limit, ' '))), "");
  EXPECT_EQ(complaint(write("over", std::string(source_size_limit + 1, ' '))),
            "it is larger than 16 MiB");
}

}  // namespace
}  // namespace msci
