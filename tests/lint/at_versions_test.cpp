#include "lint/at_versions.h"

#include <gtest/gtest.h>

#include <array>

#include "lint/output/formats.h"

namespace msci {
namespace {

// As is_excluded_by_task() keeps it. A run that a limit stopped must be told from one that ended.
TEST(TaskProofs, that_stop_make_the_kernels_of_the_task_unproved) {
  static const Rule stops{.severity = Severity::warning, .check = [](const Unit& unit, Reporter&) {
                            unit.cache().get<TaskProofStop>(
                                &unit, [] { return TaskProofStop{proof_stopped, "a limit"}; });
                          }};
  const std::array<ListedRule, 1> rules{{{"hazard.stops", "", &stops}}};
  const LintRequest request{.contract = {.kernels = {{.name = "f"}}}};
  const auto report =
      examine({"k.metal", "kernel void f() {}\nkernel void g() {}\n"}, rules, request);
  ASSERT_TRUE(report);
  ASSERT_TRUE(report->proofs);
  EXPECT_EQ(report->proofs->kernels, std::vector<std::string>{"f"});
  EXPECT_EQ(report->proofs->unproved,
            (std::vector<UnprovedKernel>{{"f", proof_stopped, "a limit"}}));
}

// A version may have kernels that another lacks.
TEST(AtVersions, counts_the_kernels_of_all_versions_once) {
  const std::vector<LanguageVersion> versions = {*language_version("metal3.0"),
                                                 *language_version("metal4.0")};
  const auto report = examine_at_versions(versions, [&](LanguageVersion version) {
    const std::string own = version == versions[0] ? "old" : "new";
    FileReport one{.source = {"k.metal", ""}, .compiled = true};
    one.proofs = ProofCoverage{.kernels = {"both", own},
                               .unproved = {{"both", "budget", ""}, {own, "budget", ""}}};
    return VersionReport{std::move(one), true};
  });
  ASSERT_TRUE(report);
  EXPECT_EQ(summary(totals_of({.reports = {*report}})),
            "1 file: nothing found; not proved: 3 of 3 kernels: budget\n");
}

}  // namespace
}  // namespace msci
