// Good kernels: no rule has anything to say about them, and all but a few translate.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/files/read_file.h"
#include "evaluator/session/compile_kernel.h"
#include "lint/lint.h"
#include "rules/rules.h"
#include "tests/support/metal_files.h"

namespace msci {
namespace {

std::vector<std::filesystem::path> good_kernels() { return metal_files_in(MSCI_CORPUS "/good"); }

std::vector<std::filesystem::path> image_kernels() {
  std::vector<std::filesystem::path> all;
  for (const auto& folder : std::filesystem::directory_iterator(MSCI_CORPUS "/images"))
    if (folder.is_directory())
      for (auto& file : metal_files_in(folder.path())) all.push_back(std::move(file));
  std::ranges::sort(all);
  return all;
}

// A first line `// language: metal4.0` sets the version.
CompileOptions options_for(const Source& source) {
  constexpr std::string_view word = "// language: ";
  if (!source.text.starts_with(word)) return {};
  const auto line = std::string_view(source.text).substr(0, source.text.find('\n'));
  const auto version = language_version(line.substr(word.size()));
  EXPECT_TRUE(version) << line;
  return {.version = version ? *version : LanguageVersion()};
}

class GoodKernel : public testing::TestWithParam<std::filesystem::path> {};

void expect_no_findings(const std::filesystem::path& file) {
  const auto source = read_source(file);
  ASSERT_TRUE(source) << source.error().message;
  const auto report = examine(*source, all_rules(), {.compile = options_for(*source)});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->compiled);
  EXPECT_FALSE(report->kernels.empty());
  EXPECT_TRUE(report->suppressed.empty()) << "a good kernel asks for no exceptions";
  for (const auto& finding : report->findings)
    ADD_FAILURE() << finding.place.range.begin.line << ": " << finding.message << " ["
                  << finding.rule << "]";
}

TEST_P(GoodKernel, HasNoFindings) { expect_no_findings(GetParam()); }

class ImageKernel : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ImageKernel, HasNoFindings) { expect_no_findings(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Corpus, ImageKernel, testing::ValuesIn(image_kernels()),
                         [](const auto& info) { return info.param.stem().string(); });

// What the translator says no to, and its word for it.
const std::map<std::string, std::string> untranslated = {
    {"function_constants", "function constant"},
};

TEST_P(GoodKernel, TranslatesOrIsToldWhyNot) {
  const auto source = read_source(GetParam());
  ASSERT_TRUE(source) << source.error().message;
  const auto prepared = compile(*source, all_rules(), {.compile = options_for(*source)});
  const auto reason = untranslated.find(GetParam().stem().string());
  if (reason == untranslated.end()) {
    ASSERT_TRUE(prepared) << prepared.error().message;
    EXPECT_TRUE(prepared->translation) << prepared->rejection;
  } else {
    ASSERT_FALSE(prepared);
    EXPECT_NE(prepared.error().message.find(reason->second), std::string::npos)
        << prepared.error().message;
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, GoodKernel, testing::ValuesIn(good_kernels()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(GoodKernels, AreThere) { EXPECT_GE(good_kernels().size(), 20u); }

// In the manner of projects that ship: Apple's compiler accepts them, so that an error would be
// false.
class ProjectKernel : public testing::TestWithParam<std::filesystem::path> {};

// As a host sets them, of those that the corpus has.
const std::map<std::string, std::map<std::string, std::string>> constants = {
    {"blit_of_any_texture", {{"source_kind", "1"}, {"is_layered", "true"}}},
};

TEST_P(ProjectKernel, IsValidAndTranslated) {
  const auto source = read_source(GetParam());
  ASSERT_TRUE(source) << source.error().message;
  CompileRequest request{.compile = options_for(*source)};
  if (const auto known = constants.find(GetParam().stem().string()); known != constants.end())
    request.constants = known->second;
  const auto compiled = compile(*source, all_rules(), request);
  ASSERT_TRUE(compiled) << compiled.error().message;
  ASSERT_TRUE(compiled->translation) << compiled->rejection;
  EXPECT_FALSE(compiled->translation->kernels.empty());
  for (const auto& [kernel, reason] : compiled->translation->refused) ADD_FAILURE() << reason;
}

INSTANTIATE_TEST_SUITE_P(Corpus, ProjectKernel,
                         testing::ValuesIn(metal_files_in(MSCI_CORPUS "/projects")),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace msci
