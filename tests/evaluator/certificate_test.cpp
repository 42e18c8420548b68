// The strict verdict certifies what it has executed, and leaves kernels open whose code it has not.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/cache.h"
#include "engine/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/session/certify_kernel.h"
#include "rules/rules.h"

namespace msci {
namespace {

using Status = CertifiedOutcome::Status;

struct Judged {
  Outcome outcome;
  StrictResult strict;
};

// With the strict verdict, at the smallest declared size and those of the verdict.
Judged judge(const std::string& name, const std::string& source, bool refuses_unexecuted = true,
             decltype(StrictOptions::certify) certify = certify_isolated) {
  auto task = **find_task(name);
  task.sizes.resize(1);
  static const auto device = *open_worker_device(cpu_device_name);
  static Cache cache{testing::TempDir() + "certificate_test"};
  const auto candidate = candidate_of({.source = Source{"kernel.metal", source}}, all_rules(),
                                      {.purpose = TranslationPurpose::covering});
  Session session(candidate, &task, *device);
  const auto judged = evaluate(session, {.device = *device, .cache = cache},
                               {.repeats = verify_only,
                                .strict_nonce = 1,
                                .strict = {.thorough = true,
                                           .refuses_unexecuted = refuses_unexecuted,
                                           .certify = std::move(certify)}});
  if (!judged || !judged->strict) {
    ADD_FAILURE() << (judged ? fail_reason(judged->outcome).value_or("") : judged.error().message);
    return {};
  }
  return {judged->outcome, *judged->strict};
}

// The task's own kernel with another line.
std::string changed(const std::string& name, const std::string& line, const std::string& other) {
  std::string text((*find_task(name))->seed);
  const auto at = text.find(line);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, line.size(), other);
}

constexpr const char* update = "u_out[at] = c + alpha * (around - 4.0f * c);";

TEST(Certificate, the_kernel_of_a_task_has_executed_all_of_its_code) {
  for (const std::string name : {"saxpy", "heat2d"}) {
    const auto judged = judge(name, changed(name, "", ""));
    EXPECT_TRUE(judged.strict.passed) << name;
    EXPECT_EQ(judged.strict.never_executed, std::nullopt);
    ASSERT_TRUE(judged.strict.certificate);
    EXPECT_GT(judged.strict.certificate->count(Status::seen), 1U);
    EXPECT_EQ(judged.strict.certificate->count(Status::never), 0U);
  }
}

TEST(Certificate, code_for_sizes_that_no_run_has_leaves_the_verdict_open) {
  const auto source = changed(
      "heat2d", update,
      "u_out[at] = c + ((NX > 4711 && NX < 4722) ? 0.9f * alpha : alpha) * (around - 4.0f * c);");
  const auto judged = judge("heat2d", source);
  EXPECT_FALSE(judged.strict.passed);
  ASSERT_TRUE(judged.strict.never_executed);
  EXPECT_NE(judged.strict.never_executed->find("NX in 4712..4721"), std::string::npos)
      << *judged.strict.never_executed;
  EXPECT_NE(judged.strict.never_executed->find("line 22"), std::string::npos)
      << *judged.strict.never_executed;
  EXPECT_EQ(why_undecided(judged.strict), "never executed: " + *judged.strict.never_executed);
  EXPECT_EQ(strict_fail_reason(judged.outcome, judged.strict),
            "strict: never executed: " + *judged.strict.never_executed);
  const auto accepted = judge("heat2d", source, false).strict;
  EXPECT_TRUE(accepted.passed);
  EXPECT_TRUE(accepted.never_executed);
  EXPECT_EQ(accepted.open_outcome, std::nullopt);
}

TEST(Certificate, a_wrong_size_names_the_condition_that_it_alone_meets) {
  const auto judged = judge("heat2d", changed("heat2d", update,
                                              "if (NX > 700) { u_out[at] = c; return; }\n"
                                              "u_out[at] = c + alpha * (around - 4.0f * c);"));
  EXPECT_FALSE(judged.strict.passed);
  ASSERT_FALSE(judged.strict.only_at_wrong_size.empty());
  EXPECT_EQ(judged.strict.only_at_wrong_size.front().condition, "NX > 700");
  const auto few = judge("nbody", changed("nbody", "G * pull * dt;",
                                          "(N > 2u && N < 40u ? 0.9f * G : G) * pull * dt;"));
  ASSERT_FALSE(few.strict.only_at_wrong_size.empty());
  EXPECT_NE(few.strict.only_at_wrong_size.front().condition.find("N in 3..39"), std::string::npos);
  EXPECT_NE(few.strict.only_at_wrong_size.front().line, 0U);
  const auto right = judge("heat2d", changed("heat2d", "", ""));
  EXPECT_TRUE(right.strict.only_at_wrong_size.empty());
}

// As where the solver takes too long.
TEST(Certificate, one_that_is_cut_leaves_the_verdict_open) {
  const auto judged = judge("saxpy", changed("saxpy", "", ""), false,
                            [](const Translation& translation, const OutcomeRecords& records) {
                              auto certificate = certify_isolated(translation, records);
                              if (certificate) certificate->cut = "it takes long";
                              return certificate;
                            });
  EXPECT_FALSE(judged.strict.passed);
  EXPECT_TRUE(judged.strict.certificate);
  EXPECT_EQ(why_undecided(judged.strict), "it takes long");
}

// One size in a thousand, 587, which no draw meets but by chance: the source does not name it.
TEST(Certificate, a_size_is_made_for_code_that_no_drawn_size_executes) {
  const auto judged = judge("heat2d", changed("heat2d", update,
                                              "u_out[at] = c + (NX * NX == 344569u ? 0.9f * alpha "
                                              ": alpha) * (around - 4.0f * c);"));
  EXPECT_FALSE(judged.strict.passed);
  ASSERT_FALSE(judged.strict.sizes.empty());
  EXPECT_FALSE(is_strictly_right(judged.strict.sizes.back()));
  EXPECT_TRUE(judged.strict.sizes.back().label.starts_with("made 1 (nx 587"))
      << judged.strict.sizes.back().label;
  EXPECT_EQ(why_undecided(judged.strict), std::nullopt);
}

// Two bodies pull each other so little that one step is right by chance.
TEST(Certificate, a_size_that_few_runs_have_runs_again_with_other_inputs) {
  const auto judged =
      judge("nbody", changed("nbody", "G * pull * dt;", "(N == 2u ? 0.9f * G : G) * pull * dt;"));
  EXPECT_FALSE(judged.strict.passed);
  const auto right =
      judge("nbody", changed("nbody", "G * pull * dt;", "(N == 2u ? 1.0f * G : G) * pull * dt;"));
  EXPECT_TRUE(right.strict.passed);
}

// One body is among the sizes of each verdict, and nothing pulls it.
TEST(Certificate, a_size_is_made_where_a_single_element_has_shown_a_number_of_the_kernel_s_own) {
  const auto nbody = judge(
      "nbody", changed("nbody", "G * pull * dt;", "(N % 997u == 1u ? 0.9f * G : G) * pull * dt;"));
  EXPECT_FALSE(nbody.strict.passed);
  EXPECT_EQ(nbody.strict.never_executed, std::nullopt);
  // The number of cells follows from that of particles.
  const auto lj =
      judge("lj", changed("lj", "+ a * dt;", "+ (N % 9973u == 1u ? 0.9f : 1.0f) * a * dt;"));
  EXPECT_FALSE(lj.strict.passed);
  EXPECT_EQ(lj.strict.never_executed, std::nullopt);
}

TEST(Certificate, code_for_values_that_no_input_has_leaves_the_verdict_open) {
  const auto judged = judge("heat2d", changed("heat2d", update,
                                              "u_out[at] = clamp(c, -1e30f, 1e30f) + alpha * "
                                              "(around - 4.0f * c);"));
  ASSERT_TRUE(judged.strict.never_executed);
  EXPECT_NE(judged.strict.never_executed->find("1e+30"), std::string::npos)
      << *judged.strict.never_executed;
  EXPECT_FALSE(judged.strict.passed);
  EXPECT_TRUE(judge("heat2d",
                    changed("heat2d", update,
                            "u_out[at] = clamp(c, -1e30f, 1e30f) + alpha * (around - 4.0f * c);"),
                    false)
                  .strict.passed);
}

}  // namespace
}  // namespace msci
