// The table of builtins has each function that the Metal headers declare as "msci.math.NAME".
#include "compiler/ir/builtins.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace msci {
namespace {

std::set<std::string> declared_functions() {
  std::set<std::string> names;
  const std::regex direct("\"msci\\.math\\.(\\w+)\\."), by_macro("\\n\\$EXTERNAL_[12]\\((\\w+)\\)");
  for (const auto& header : std::filesystem::recursive_directory_iterator(MSCI_METAL_HEADERS)) {
    if (!header.is_regular_file()) continue;
    std::ifstream file(header.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (const auto& regex : {direct, by_macro})
      for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
        names.insert((*at)[1]);
  }
  return names;
}

std::set<std::string> functions_of_the_table() {
  return {
#define MSCI_LANE_FUNCTION(...)
#define MSCI_INTRINSIC(...)
#define MSCI_MATH(name, ...) #name,
#include "compiler/ir/builtins.def"
  };
}

TEST(Builtins, are_those_that_the_headers_declare) {
  EXPECT_EQ(functions_of_the_table(), declared_functions());
}

TEST(Builtins, are_found_by_the_name_with_its_type) {
  ASSERT_TRUE(find_math("rsqrt.v4f32"));
  EXPECT_EQ(find_math("powr.f32")->lane->name, "pow");
  EXPECT_EQ(find_math("unknown.f32"), nullptr);
}

}  // namespace
}  // namespace msci
