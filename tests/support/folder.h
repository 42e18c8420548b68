// A temporary folder for one test, and the text of files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace msci {

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Empty at first, and removed afterwards.
class Folder {
 public:
  explicit Folder(const std::string& parent = testing::TempDir()) {
    static int number = 0;
    path_ = parent + "msci_" + std::to_string(::getpid()) + "_" + std::to_string(++number);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  // Writes a file, with the folders above it; returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this / name;
  }

  std::string contents(const std::string& name) const { return msci::contents(path_ / name); }

 private:
  std::filesystem::path path_;
};

}  // namespace msci
