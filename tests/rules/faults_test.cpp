// Kernels with a labelled fault, and their fixed twins: corpus/faults/KIND_NAME.metal holds both.
// `// expect: [rule]` marks what must be found on its line; nothing else may be, notes aside.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/files/read_file.h"
#include "lint/lint.h"
#include "rules/rules.h"
#include "tests/lint/examples.h"
#include "tests/support/metal_files.h"

namespace msci {
namespace {

std::vector<std::filesystem::path> faults() { return metal_files_in(MSCI_CORPUS "/faults"); }

class Fault : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Fault, is_found_and_its_fixed_twin_is_silent) {
  const auto source = read_source(GetParam());
  ASSERT_TRUE(source) << source.error().message;
  const auto report = examine(*source, all_rules(), {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->compiled);
  EXPECT_EQ(report->kernels, (std::vector<std::string>{"faulty", "fixed"}));
  std::set<std::string> expected, found;
  for (const auto& each : expected_findings_in(source->text))
    expected.insert(fmt::format("{}: {}", each.line, each.message));
  for (const auto& finding : report->findings)
    if (finding.severity != Severity::note)
      found.insert(fmt::format("{}: [{}]", finding.range.begin.line, finding.rule));
  EXPECT_EQ(found, expected);
  EXPECT_EQ(expected.empty(), source->text.find("// missed: ") != std::string::npos)
      << "a fault is expected, or its kernel says why it is missed";
}

INSTANTIATE_TEST_SUITE_P(Corpus, Fault, testing::ValuesIn(faults()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace msci
