// The translation of every file of golden/ is known to the byte; MSCI_UPDATE=1 rewrites them.
#include "tests/compiler/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files/read_file.h"
#include "evaluator/session/compile_kernel.h"
#include "rules/rules.h"

namespace msci {
namespace {

std::vector<std::filesystem::path> goldens() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(MSCI_GOLDENS))
    if (entry.path().extension() == ".metal") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The program file, with the source's name as it is in every checkout.
std::string translated(const std::filesystem::path& path) {
  auto source = read_source(path);
  EXPECT_TRUE(source) << source.error().message;
  if (!source) return "";
  source->name = path.filename();
  const auto prepared = compile(*source, all_rules());
  EXPECT_TRUE(prepared && prepared->translation)
      << (prepared ? prepared->rejection : prepared.error().message);
  if (!prepared || !prepared->translation) return "";
  return to_program_file(*prepared->translation);
}

class Golden : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Golden, is_what_the_source_translates_to) {
  const auto text = translated(GetParam());
  EXPECT_EQ(translated(GetParam()), text) << "the same source gives the same bytes";
  EXPECT_TRUE(load_program_file(text));
  expect_golden(text, GetParam().string() + ".expected.cl");
}

INSTANTIATE_TEST_SUITE_P(Translation, Golden, testing::ValuesIn(goldens()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace msci
