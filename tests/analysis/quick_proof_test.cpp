// Quick proofs against full ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "analysis/instruments.h"
#include "analysis/proofs/prove.h"
#include "tests/compiler/fixture.h"
#include "tests/support/metal_files.h"

namespace msci {
namespace {

// The kernels of a file, in its launches, of which a quick proof leaves no claim open, and those
// of them of which a full one does not.
struct ProvedKernels {
  std::set<std::string> quickly, fully;
};

ProvedKernels proved_kernels(const std::filesystem::path& path, bool only_quick_ones) {
  ProvedKernels proved;
  const auto fixture = read_fixture(path);
  if (!fixture || fixture->cases.empty()) return proved;
  auto unit = parse(fixture->source);
  if (!unit || !unit->compiled()) return proved;
  const auto quick = translate(*unit, {}, {}, TranslationPurpose::proving);
  const auto checked = translate(*unit, {}, {}, TranslationPurpose::checking);
  const auto z3 = prover::Z3::open();
  if (!quick || !checked || !z3) return proved;
  const auto no_z3 = prover::Z3::none();
  const auto is_proved = [](const Result<KernelProof>& proof) {
    return proof && !proof->has(ProofAnswer::refuted) && !proof->has(ProofAnswer::unknown);
  };
  for (const auto& each : fixture->cases) {
    const auto& kernel = each.plan.launches[0].kernel;
    if (!checked->find(kernel)) continue;
    const auto facts = prover::facts_of(each.plan, *checked).at(0);
    const bool is_quick =
        quick->find(kernel) &&
        is_proved(prove_launch(facts, *quick, *no_z3, {},
                               {.bounds_of_buffers = false, .effort = prover::Effort::quick}));
    if (is_quick) proved.quickly.insert(kernel);
    if (only_quick_ones && !is_quick) continue;
    if (is_proved(prove_launch(facts, *checked, **z3, {}, {.bounds_of_buffers = false})))
      proved.fully.insert(kernel);
  }
  return proved;
}

class QuickProof : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(QuickProof, excludes_nothing_that_a_full_one_leaves_open) {
  const auto proved = proved_kernels(GetParam(), true);
  EXPECT_EQ(proved.quickly, proved.fully);
}

INSTANTIATE_TEST_SUITE_P(Faults, QuickProof,
                         testing::ValuesIn(metal_files_in(MSCI_CORPUS "/faults")),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(QuickProofs, are_enough_for_most_right_kernels) {
  std::size_t quickly = 0, fully = 0;
  for (const auto& file : metal_files_in(MSCI_CORPUS "/proofs")) {
    const auto proved = proved_kernels(file, false);
    for (const auto& kernel : proved.quickly) EXPECT_TRUE(proved.fully.contains(kernel)) << kernel;
    quickly += proved.quickly.size();
    fully += proved.fully.size();
  }
  EXPECT_GE(3 * quickly, 2 * fully) << quickly << " of " << fully;
}

}  // namespace
}  // namespace msci
