// Every kernel of corpus/cheats is caught by what its second line says.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/files/read_file.h"
#include "evaluator/checked_form.h"
#include "evaluator/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/frontend.h"
#include "rules/rules.h"
#include "tests/support/metal_files.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> cheats() { return metal_files_in(MSCI_CORPUS "/cheats"); }

TEST(Cheats, are_at_least_a_hundred) { EXPECT_GE(cheats().size(), 100U); }

// What follows `label` on a line of its own.
std::string header(const std::string& text, const std::string& label) {
  const auto at = text.find("// " + label + ": ");
  if (at == std::string::npos) return {};
  const auto from = at + label.size() + 5;
  return text.substr(from, text.find('\n', from) - from);
}

class Cheat : public testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    auto source = read_source(GetParam().string());
    ASSERT_TRUE(source) << source.error().message;
    how_ = header(source->text, "caught");
    const auto task = find_task(header(source->text, "task"));
    ASSERT_TRUE(task) << task.error().message;
    task_ = *task;
    auto preparing = IsolatedPreparation::start(*source, all_rules());
    ASSERT_TRUE(preparing) << preparing.error().message;
    auto prepared = preparing->finish();
    exceeds_limit_ = !prepared;
    if (how_ == "limit") return;
    ASSERT_TRUE(prepared) << prepared.error().message;
    prepared_ = *std::move(prepared);
  }

  // What is left of `how` behind a first word, or nothing.
  std::optional<std::string> after(const std::string& word) const {
    if (!how_.starts_with(word)) return std::nullopt;
    return how_.size() > word.size() ? how_.substr(word.size() + 1) : "";
  }

  bool is_found_by(const std::string& rule) const {
    return std::any_of(prepared_.diagnostics.begin(), prepared_.diagnostics.end(),
                       [&](const Diagnostic& each) { return each.id == rule; });
  }

  static std::unique_ptr<Device> opened_processor() {
    auto device = open_worker_device("", {.run = std::chrono::seconds(4)});
    EXPECT_TRUE(device) << device.error().message;
    return *std::move(device);
  }

  // At the smallest recorded size alone: larger ones add nothing here.
  Evaluation recorded(const Protocol& protocol) {
    const auto device = opened_processor();
    Cache cache{testing::TempDir() + "cheats_test"};
    auto evaluation =
        evaluate(*task_, *prepared_.translation, {.device = *device, .cache = cache}, protocol);
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return *std::move(evaluation);
  }

  Outcome recorded_outcome() {
    return recorded({.repeats = verify_only, .stop_at_wrong = true}).outcome;
  }

  StrictResult strict_verdict(const Scrutiny& scrutiny = {}) {
    const auto device = opened_processor();
    auto built = device->build(*prepared_.translation);
    EXPECT_TRUE(built) << built.error().message;
    auto strict = judge_strictly(*task_, *prepared_.translation, device->info(),
                                 *std::get<std::unique_ptr<Program>>(*built), 1, scrutiny);
    EXPECT_TRUE(strict) << strict.error().message;
    return *std::move(strict);
  }

  // With checked runs.
  StrictResult thorough_verdict() {
    Checker checker{.device = open_worker_device(cpu_device_name).value()};
    const Candidate candidate{.name = GetParam().filename().string(),
                              .prepared = prepared_,
                              .prepare_checked = [this] { return prepare_checked(); }};
    CheckedForm form(candidate, checker);
    return strict_verdict(
        {.thorough = true, .check = [&](const Plan& plan) { return form.find_faults(plan); }});
  }

  Result<Prepared> prepare_checked() const {
    const auto source = read_source(GetParam().string());
    if (!source) return source.error();
    auto preparing =
        IsolatedPreparation::start(*source, all_rules(), {.purpose = TranslationPurpose::checking});
    if (!preparing) return preparing.error();
    return preparing->finish();
  }

  std::string how_;
  const Task* task_ = nullptr;
  Prepared prepared_;
  bool exceeds_limit_ = false;
};

bool fails_with(const SizeResult& size, const std::string& cause) {
  const auto* failure = std::get_if<Failure>(&size.answer);
  return failure && to_string(failure->cause) == cause;
}

bool is_off(const SizeResult& size) {
  return std::holds_alternative<Verdict>(size.answer) && !size.correct();
}

bool has_start(const std::vector<std::string>& names, const std::string& start) {
  return std::ranges::any_of(names, [&](const auto& each) { return each.starts_with(start); });
}

TEST_P(Cheat, is_caught_by_what_it_says) {
  if (const auto rule = after("rule")) {
    EXPECT_TRUE(is_found_by(*rule)) << *rule;
    return;
  }
  if (how_ == "limit") {
    EXPECT_TRUE(exceeds_limit_);
    return;
  }
  ASSERT_TRUE(prepared_.translation) << prepared_.rejection;
  if (how_ == "rejected pipeline") {
    EXPECT_TRUE(std::holds_alternative<Rejected>(recorded_outcome()));
  } else if (how_ == "compatible") {
    EXPECT_TRUE(std::holds_alternative<Wrong>(recorded_outcome()));
  } else if (how_ == "recorded") {
    // The error of the recorded inputs is too large for the strict verdict, or recomputed results
    // are others.
    const auto judged = recorded({.repeats = verify_only,
                                  .stop_at_wrong = true,
                                  .strict_nonce = 1,
                                  .scrutiny = {.thorough = true}});
    EXPECT_TRUE(std::holds_alternative<Scored>(judged.outcome));
    EXPECT_TRUE(strict_fail_reason(judged.outcome, std::nullopt));
  } else if (const auto cause = after("failure")) {
    EXPECT_TRUE(fails_with(strict_verdict().sizes.at(0), *cause)) << *cause;
  } else if (how_ == "strict error") {
    EXPECT_TRUE(std::ranges::any_of(strict_verdict().sizes, is_off));
  } else if (how_ == "overrun") {
    EXPECT_TRUE(std::ranges::any_of(strict_verdict().sizes,
                                    [](const auto& size) { return !size.overruns.empty(); }));
  } else if (const auto input = after("input")) {
    EXPECT_TRUE(std::ranges::any_of(strict_verdict().sizes, [&](const auto& size) {
      return has_start(size.changed_inputs, *input);
    }));
  } else if (how_ == "drawn") {
    EXPECT_TRUE(strict_verdict().passed);
    EXPECT_FALSE(strict_verdict({.thorough = true}).passed);
  } else if (const auto fault = after("check")) {
    const auto faults = thorough_verdict().faults;
    EXPECT_TRUE(std::ranges::any_of(faults, [&](const auto& each) {
      return each.find(*fault) != std::string::npos;
    })) << *fault;
  } else if (how_ == "fuzz") {
    EXPECT_TRUE(strict_verdict().passed);
    EXPECT_FALSE(strict_verdict({.fuzz_sizes = 8}).passed);
  } else if (const auto irrelevant_part = after("ghost")) {
    const auto irrelevant = strict_verdict().irrelevant_parts;
    EXPECT_NE(std::find(irrelevant.begin(), irrelevant.end(), *irrelevant_part), irrelevant.end())
        << *irrelevant_part;
  } else {
    FAIL() << "\"" << how_ << "\" is not a way of being caught";
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Cheat, testing::ValuesIn(cheats()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace msci
