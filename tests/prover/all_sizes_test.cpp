// Proofs with the sizes of a contract as unknowns.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "compiler/translate.h"
#include "prover/all_sizes.h"
#include "prover/prove.h"

namespace msci {
namespace {

// The worst answer of each subject, for the seed of heat2d with `from` replaced.
std::map<ProofSubject, ProofAnswer> answers_with(const std::string& from, const std::string& to) {
  const auto& task = **find_task("heat2d");
  std::string text(task.seed);
  const auto at = text.find(from);
  if (at == text.npos) return {};
  text.replace(at, from.size(), to);
  auto unit = parse({"heat2d.metal", text});
  if (!unit || !unit->compiled()) return {};
  const auto checked = translate(*unit, {}, {}, TranslationPurpose::checking);
  const auto z3 = prover::Z3::open();
  if (!checked || !z3) return {};
  const auto all = prover::launches_at_all_sizes(task, *checked);
  if (!all || all->launches.size() != 1) return {};
  EXPECT_EQ(to_string(all->sizes), "nx from 1 to 4096, ny from 1 to 4096");
  const auto proof = prove_launch(all->launches[0], *checked, **z3, {}, {});
  if (!proof) return {};
  std::map<ProofSubject, ProofAnswer> worst;
  for (const auto& claim : proof->claims) {
    auto& answer = worst.try_emplace(claim.subject, ProofAnswer::proved).first->second;
    if (claim.answer != ProofAnswer::proved) answer = claim.answer;
  }
  return worst;
}

TEST(AllSizes, are_proved_at_once_and_faults_are_not) {
  using Answers = std::map<ProofSubject, ProofAnswer>;
  const auto proved = ProofAnswer::proved, unknown = ProofAnswer::unknown;
  EXPECT_EQ(answers_with("i >= NX", "i >= NX"),
            (Answers{{ProofSubject::bounds, proved}, {ProofSubject::races, proved}}));
  // Rows behind the last, a column too many, and rows that overlap.
  EXPECT_EQ(answers_with(" || j >= NY", "")[ProofSubject::bounds], unknown);
  EXPECT_EQ(answers_with("i >= NX", "i > NX")[ProofSubject::races], unknown);
  EXPECT_EQ(answers_with("j * NX + i", "j * (NX - 1) + i")[ProofSubject::races], unknown);
}

}  // namespace
}  // namespace msci
