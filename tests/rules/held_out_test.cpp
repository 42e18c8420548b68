// The kernels that win at the sizes that are shown only: lint says so without running them.
#include <gtest/gtest.h>

#include "base/files/read_file.h"
#include "lint/lint.h"
#include "rules/rules.h"

namespace msci {
namespace {

// Lines and messages of the warnings on a kernel of corpus/held_out, with all rules on.
std::vector<std::pair<unsigned, std::string>> warnings_on(const std::string& file) {
  auto source = read_source(MSCI_CORPUS "/held_out/" + file);
  EXPECT_TRUE(source) << source.error().message;
  const auto report = examine(*std::move(source), all_rules(), {});
  EXPECT_TRUE(report) << report.error().message;
  std::vector<std::pair<unsigned, std::string>> warnings;
  for (const auto& finding : report->findings)
    if (finding.severity != Severity::note)
      warnings.emplace_back(finding.place.range.begin.line, finding.rule + ": " + finding.message);
  return warnings;
}

using Warnings = std::vector<std::pair<unsigned, std::string>>;

TEST(HeldOut, a_last_branch_for_one_size_is_seen_at_the_first_branch) {
  EXPECT_EQ(warnings_on("hmc_enumerated.metal"),
            (Warnings{{74,
                       "generalise.size_enumeration: sizes other than 8 and 16 are all treated "
                       "like 32"}}));
}

TEST(HeldOut, a_last_branch_that_costs_more_for_each_doubling_is_seen_at_the_first_branch) {
  EXPECT_EQ(warnings_on("fft3d_enumerated.metal"),
            (Warnings{{50,
                       "generalise.size_enumeration: sizes other than 32, 64 and 128 use a method "
                       "whose cost grows faster with the size"}}));
}

}  // namespace
}  // namespace msci
