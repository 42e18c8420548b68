// Text that is known to the byte.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace msci {

// Compares with the file, or writes it where the environment has MSCI_UPDATE.
inline void expect_golden(const std::string& text, const std::filesystem::path& expected) {
  if (std::getenv("MSCI_UPDATE")) {
    std::ofstream(expected) << text;
    return;
  }
  std::ifstream file(expected);
  EXPECT_TRUE(file) << expected << " is missing; MSCI_UPDATE=1 writes it";
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace msci
