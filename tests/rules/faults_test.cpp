// Kernels with a labelled fault, and their fixed twins: corpus/faults/KIND_NAME.metal holds both.
// msci-lint finds exactly what the labels say (tests/support/fault_labels.h), notes aside.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/read_file.h"
#include "lint/lint.h"
#include "rules/rules.h"
#include "tests/support/fault_labels.h"
#include "tests/support/metal_files.h"

namespace msci {
namespace {

class Fault : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Fault, is_found_and_its_fixed_twin_is_silent) {
  const auto source = read_source(GetParam());
  ASSERT_TRUE(source) << source.error().message;
  const auto report = examine(*source, all_rules(), {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->compiled);
  EXPECT_EQ(report->kernels, (std::vector<std::string>{"faulty", "fixed"}));
  FaultLabels found;
  for (const auto& finding : report->findings)
    if (finding.severity != Severity::note)
      found.insert(fmt::format("{}: {}", finding.place.range.begin.line, finding.rule));
  const auto expected = labels_for("lint", source->text);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(expected.empty(), says_why_missed("lint", source->text))
      << "a fault is found, or its kernel says why it is missed";
}

INSTANTIATE_TEST_SUITE_P(Corpus, Fault, testing::ValuesIn(metal_files_in(MSCI_CORPUS "/faults")),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace msci
