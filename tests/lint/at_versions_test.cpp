#include "lint/at_versions.h"

#include <gtest/gtest.h>

#include "lint/output/formats.h"

namespace msci {
namespace {

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
