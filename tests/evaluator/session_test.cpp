// What a session comes to, on a device that answers from a script.
#include "evaluator/session/session.h"

#include <gtest/gtest.h>

#include "tests/fake_device.h"

namespace msci {
namespace {

const Task toy{.name = "toy",
               .kernels = {{.name = "toy"}},
               .plan = [](const Size& size, const Translation&) -> Result<Plan> {
                 if (size.label == "none") return Error{"no such size"};
                 return Plan{};
               }};

Translation with_kernel(std::string name) {
  return {.text = "// nothing", .kernels = {{.name = name, .symbol = name}}};
}

Candidate candidate(Result<Compiled> compiled) {
  return {.name = "k.metal", .compiled = std::move(compiled)};
}

Candidate compiled_to(Translation translation) {
  return candidate(Compiled{.translation = std::move(translation)});
}

// The answer of the session of a candidate with the task.
std::string opened(const Candidate& candidate, const Task* task = &toy) {
  FakeDevice device;
  Session session(candidate, task, device);
  const auto& opened = session.open();
  if (const auto* error = std::get_if<Error>(&opened)) return "error: " + error->message;
  if (const auto* failure = std::get_if<Failure>(&opened)) return "failure: " + failure->message;
  if (const auto* rejected = std::get_if<Rejected>(&opened)) return "rejected: " + rejected->reason;
  return std::get<Program*>(opened) ? "open" : "";
}

TEST(Session, opens_a_candidate_whose_kernels_the_task_launches) {
  EXPECT_EQ(opened(compiled_to(with_kernel("toy"))), "open");
}

TEST(Session, says_first_what_stands_first_in_the_way) {
  EXPECT_EQ(opened(candidate(Error{"no process"}), nullptr), "error: no process");
  EXPECT_EQ(opened(candidate(Compiled{.rejection = "line 3"}), nullptr), "rejected: line 3");
  EXPECT_EQ(opened(compiled_to(with_kernel("toy")), nullptr),
            std::string("rejected: ") + fits_no_task);
  EXPECT_EQ(opened(compiled_to(with_kernel("other"))),
            "rejected: kernel toy not found; the source has: other");
}

// A kernel that we cannot translate is not missing in the source.
TEST(Session, a_kernel_of_the_task_without_a_translation_is_our_error) {
  auto translation = with_kernel("other");
  translation.refused = {{.name = "toy", .reason = "toy: no textures of halves"}};
  EXPECT_EQ(opened(compiled_to(translation)), "error: toy: no textures of halves");
}

TEST(Session, builds_once) {
  FakeDevice device;
  const auto translation = with_kernel("toy");
  Session session(translation, toy, device);
  EXPECT_EQ(&session.open(), &session.open());
  EXPECT_EQ(session.translation(), &translation);
}

TEST(Session, compiles_an_instrumented_program_once_and_when_it_is_asked_for) {
  int compiled = 0;
  auto plain = compiled_to(with_kernel("toy"));
  plain.compile_for = [&](TranslationPurpose purpose, const NumericMeaning&) {
    EXPECT_EQ(purpose, TranslationPurpose::checking);
    ++compiled;
    return Compiled{.translation = with_kernel("checked")};
  };
  FakeDevice device;
  Session session(plain, TranslationPurpose::checking, device);
  EXPECT_EQ(compiled, 0);
  EXPECT_EQ(session.translation()->kernels.front().name, "checked");
  EXPECT_TRUE(std::holds_alternative<Program*>(session.open()));
  EXPECT_EQ(compiled, 1);
}

TEST(Session, a_size_without_a_plan_is_the_kernels_failure_unless_a_plan_file_says_so) {
  FakeDevice device;
  const auto translation = with_kernel("toy");
  Session session(translation, toy, device);
  const auto failed = session.plan({"none", {}});
  ASSERT_TRUE(failed);
  EXPECT_EQ(std::get<Failure>(*failed).message, "no such size");
  auto planned = toy;
  planned.plan_file = "plan.json";
  Session other(translation, planned, device);
  EXPECT_FALSE(other.plan({"none", {}}));
}

}  // namespace
}  // namespace msci
