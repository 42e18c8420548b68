// Proofs of kernels with known answers, and proofs against checked runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "analysis/instruments.h"
#include "analysis/proofs/affine.h"
#include "analysis/proofs/proof_json.h"
#include "analysis/proofs/prove.h"
#include "base/msgpack_result.h"
#include "engine/device/worker.h"
#include "tests/analysis/agreement_of_proofs.h"
#include "tests/analysis/random_proofs.h"
#include "tests/compiler/fixture.h"
#include "tests/support/folder.h"
#include "tests/support/metal_files.h"

namespace msci {
namespace {

struct Checked {
  Fixture fixture;
  Translation translation;
};

std::optional<Checked> checked_kernels(const std::filesystem::path& path) {
  auto fixture = read_fixture(path);
  if (!fixture) return ADD_FAILURE() << fixture.error().message, std::nullopt;
  auto unit = parse(fixture->source);
  if (!unit || !unit->compiled()) return ADD_FAILURE() << "does not compile", std::nullopt;
  auto translation = translate(*unit, {}, {}, TranslationPurpose::checking);
  if (!translation) return ADD_FAILURE() << translation.error().message, std::nullopt;
  return Checked{*std::move(fixture), *std::move(translation)};
}

// "// claims: bounds x proved; races x refuted 9 12" before a kernel's launch: what is claimed of
// it, with the lines of the counterexample, or of what is unknown.
std::set<std::string> wanted_claims(const std::string& text, const std::string& kernel) {
  std::set<std::string> claims;
  std::istringstream lines(text);
  const auto head = fmt::format("// claims {}: ", kernel);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(head)) continue;
    std::istringstream parts(line.substr(head.size()));
    for (std::string part; std::getline(parts >> std::ws, part, ';');) claims.insert(part);
  }
  return claims;
}

std::string text_of(const ProofClaim& claim) {
  auto text = fmt::format("{}{} {}", to_string(claim.subject),
                          claim.object.empty() ? "" : " " + claim.object, to_string(claim.answer));
  if (claim.answer == ProofAnswer::unknown) return text;
  if (const auto& example = claim.counterexample) {
    std::set<unsigned> lines{example->first.line};
    if (example->second) lines.insert(example->second->line);
    for (const auto line : lines) text += fmt::format(" {}", line);
  }
  return text;
}

class KnownProof : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(KnownProof, claims_what_the_file_says) {
  const auto checked = checked_kernels(GetParam());
  ASSERT_TRUE(checked);
  for (const auto& each : checked->fixture.cases) {
    const auto& kernel = each.plan.launches[0].kernel;
    const auto proofs = prove(each.plan, checked->translation);
    ASSERT_TRUE(proofs) << proofs.error().message;
    ASSERT_EQ(proofs->size(), 1U);
    const auto wanted = wanted_claims(checked->fixture.source.text, kernel);
    ASSERT_FALSE(wanted.empty()) << kernel;
    std::set<std::string> found;
    for (const auto& claim : proofs->at(0).claims) found.insert(text_of(claim));
    for (const auto& claim : wanted)
      EXPECT_TRUE(found.contains(claim)) << kernel << ": wants " << claim << "\n" << Json(*proofs);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, KnownProof,
                         testing::ValuesIn(metal_files_in(MSCI_CORPUS "/proofs")),
                         [](const auto& info) { return info.param.stem().string(); });

class AskedTwice : public testing::TestWithParam<std::filesystem::path> {};

// The questions in a text that the prover shows: commands, up to each "(check-sat)".
std::vector<std::string> questions_in(const std::string& shown) {
  std::vector<std::string> questions(1);
  std::istringstream lines(shown);
  for (std::string line; std::getline(lines, line);) {
    if (line == "(check-sat)")
      questions.emplace_back();
    else if (line.starts_with("(declare-fun") || line.starts_with("(define-fun") ||
             line.starts_with("(assert"))
      questions.back() += line + "\n";
  }
  questions.pop_back();
  return questions;
}

// What the affine answers decide, Z3 decides alike.
TEST_P(AskedTwice, has_one_answer) {
  const auto checked = checked_kernels(GetParam());
  ASSERT_TRUE(checked);
  const Folder folder;
  const auto shown = folder / "shown.txt";
  setenv("MSCI_PROVER_SHOW", shown.c_str(), 1);
  for (const auto& each : checked->fixture.cases)
    ASSERT_TRUE(prove(each.plan, checked->translation));
  unsetenv("MSCI_PROVER_SHOW");
  const auto z3 = prover::Z3::open();
  ASSERT_TRUE(z3) << z3.error().message;
  std::size_t answered = 0;
  const auto questions = questions_in(contents(shown));
  for (const auto& question : questions) {
    const auto affine = prover::solve_affine(question, {}).solution.answer;
    if (affine == prover::Answer::undecided) continue;
    ++answered;
    const auto decided = (*z3)->solve(question, {}, 50'000).answer;
    if (decided != prover::Answer::undecided) EXPECT_EQ(affine, decided) << question;
  }
  EXPECT_GT(answered, 0U);
}

INSTANTIATE_TEST_SUITE_P(Corpus, AskedTwice,
                         testing::ValuesIn(metal_files_in(MSCI_CORPUS "/proofs")),
                         [](const auto& info) { return info.param.stem().string(); });

struct SmallQuestion {
  const char* formulas;  // about the integers x, y, z and the truths a, b
  prover::Answer answer;
};

TEST(Affine, answers_small_questions) {
  using enum prover::Answer;
  const std::string ranges =
      "(declare-fun x () Int) (declare-fun y () Int) (declare-fun z () Int)"
      "(declare-fun a () Bool) (declare-fun b () Bool) (declare-fun f (Int) Int)"
      "(assert (and (<= 0 x) (< x 64) (<= 0 y) (< y 64)))";
  const SmallQuestion questions[] = {
      {"(assert (= x y))", possible},
      {"(assert (= x (+ y 64)))", impossible},
      {"(assert (= (* 64 z) (+ x 1)))", possible},
      {"(assert (= (* 64 z) (+ x 1))) (assert (not (= x 63)))", impossible},
      {"(assert (= (* 2 x) (+ (* 2 y) 1)))", impossible},
      {"(assert (= (+ x (* 64 z)) y)) (assert (not (= z 0)))", impossible},
      {"(assert (= (+ x (* 63 z)) y)) (assert (not (= z 0)))", possible},
      {"(assert (= (mod x 2) (mod y 2))) (assert (= x (+ y 1)))", impossible},
      {"(assert (= (div x 8) (div y 8))) (assert (< (+ x 7) y))", impossible},
      {"(assert (= (div x 8) (div y 8))) (assert (< (+ x 6) y))", possible},
      {"(assert (= (mod (- x 64) 8) 7))", possible},
      {"(assert (< (div (- 1) 8) (- 1)))", impossible},
      {"(assert (< (ite (< x 32) 0 x) 32)) (assert (< 40 x))", impossible},
      {"(assert (= a (< x 8))) (assert (or (not a) b)) (assert (not b)) (assert (< x 8))",
       impossible},
      {"(assert (or (= x 70) (= x 71) (and (= x 3) (= y x)))) (assert (< y 3))", impossible},
      {"(assert (or (= x 70) (= x 71) (and (= x 3) (= y x)))) (assert (> y 2))", possible},
      {"(assert (= (f x) 1)) (assert (= (f y) 2)) (assert (= x y))", undecided},
      {"(assert (= (* x y) 7))", undecided},
      {"(assert (bvult x y))", undecided},
  };
  for (const auto& [formulas, answer] : questions)
    EXPECT_EQ(prover::solve_affine(ranges + formulas, {}).solution.answer, answer) << formulas;
}

TEST(Affine, gives_the_least_values) {
  const auto solution =
      prover::solve_affine(
          "(declare-fun x () Int) (declare-fun y () Int) (define-fun d () Int (- y x))"
          "(declare-fun a () Bool) (assert (and (<= 2 x) (< x 9) (<= 0 y))) (assert (= a (< x y)))"
          "(assert (< y 2))",
          {"x", "d", "a"})
          .solution;
  EXPECT_EQ(solution.answer, prover::Answer::possible);
  EXPECT_EQ(prover::integer_of(solution, "x"), 2);
  EXPECT_EQ(prover::integer_of(solution, "d"), -2);
  EXPECT_EQ(solution.values.at("a"), 0);
}

class ProvedFault : public testing::TestWithParam<std::filesystem::path> {};

// Nothing that a run shows is proved, and the fixed twin has nothing that a run does not show.
TEST_P(ProvedFault, agrees_with_the_checked_run) {
  const auto checked = checked_kernels(GetParam());
  ASSERT_TRUE(checked);
  auto device = open_worker_device("cpu");
  ASSERT_TRUE(device) << device.error().message;
  auto built = (*device)->build(checked->translation);
  ASSERT_TRUE(built) << built.error().message;
  ASSERT_FALSE(std::holds_alternative<Failure>(*built));
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  for (const auto* kernel : {"faulty", "fixed"}) {
    auto plan = checked->fixture.cases[0].plan;
    for (auto& launch : plan.launches) launch.kernel = kernel;
    const auto compared = compare_with_run(plan, checked->translation, program, {"parallel"});
    ASSERT_TRUE(compared) << compared.error().message;
    for (const auto& each : compared->disagreements)
      if (std::string_view(kernel) == "fixed" || each.find("but a run") != each.npos)
        ADD_FAILURE() << each;
    for (const auto& proof : compared->proofs)
      if (std::string_view(kernel) == "fixed")
        EXPECT_FALSE(proof.has(ProofAnswer::refuted)) << Json(compared->proofs);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, ProvedFault,
                         testing::ValuesIn(metal_files_in(MSCI_CORPUS "/faults")),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(Prover, agrees_with_runs_of_random_kernels) {
  auto device = open_worker_device("cpu");
  ASSERT_TRUE(device) << device.error().message;
  // Z3 takes minutes for the questions about some kernels, which no step of it counts; the checks
  // of docs/developer/long_checks.md take other seeds.
  constexpr std::uint64_t seed = 1;
  SCOPED_TRACE(fmt::format("msci-prove-random --seed {} --count 16", seed));
  const auto all = compare_random_kernels(seed, 16, **device);
  ASSERT_TRUE(all) << all.error().message;
  for (const auto& each : all->disagreements) ADD_FAILURE() << each << "\n" << all->source;
  EXPECT_EQ(all->kernels, 16U);
}

TEST(Prover, confirms_a_counterexample_at_a_line_of_its_file) {
  const auto line_8_of = [](const char* file) { return Place{file, {{8, 1}, {8, 2}}}; };
  const std::vector<Place> places{{}, line_8_of("tile.h"), line_8_of("")};
  KernelProof proof{
      .claims = {{.subject = ProofSubject::bounds,
                  .counterexample = Counterexample{.first = {.line = 8, .place = 1}}}}};
  Diagnostic fault{.id = "check.out_of_bounds", .place = places[2]};
  note_faults(proof, {fault}, places);
  EXPECT_EQ(proof.claims[0].confirmed, false);
  fault.place = places[1];
  note_faults(proof, {fault}, places);
  EXPECT_EQ(proof.claims[0].confirmed, true);
}

TEST(Prover, passes_proofs_between_processes) {
  const KernelProof proof{
      .kernel = "k",
      .launch = "grid 1, threadgroups of 1",
      .launches = 2,
      .first = 1,
      .claims = {{.subject = ProofSubject::races,
                  .object = "tile",
                  .answer = ProofAnswer::refuted,
                  .reason = "r",
                  .line = 3,
                  .counterexample = Counterexample{.first = {{1, 2, 3}, {4, 5, 6}, 7},
                                                   .second = ProofThread{{3, 2, 1}, {0, 0, 1}, 8},
                                                   .offset = -4,
                                                   .misaligned = true,
                                                   .is_certain = false},
                  .confirmed = true},
                 {.subject = ProofSubject::bounds, .answer = ProofAnswer::proved},
                 {.subject = ProofSubject::barriers}},
      .seconds = 0.5};
  const auto back = from_msgpack<KernelProof>(to_msgpack<KernelProof>(proof));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, proof);
}

}  // namespace
}  // namespace msci
