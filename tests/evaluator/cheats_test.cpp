// Every kernel of corpus/cheats is caught by what its line "caught" says. The kernels of a task
// share a process and its devices.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>

#include "base/files/read_file.h"
#include "engine/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/session/certify_kernel.h"
#include "evaluator/session/sanitized_program.h"
#include "evaluator/strict/strict_verdict.h"
#include "rules/rules.h"
#include "tests/support/metal_files.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> cheats() { return metal_files_in(MSCI_CORPUS "/cheats"); }

// What follows `label` on a line of its own.
std::string header(const std::string& text, const std::string& label) {
  const auto at = text.find("// " + label + ": ");
  if (at == std::string::npos) return {};
  const auto from = at + label.size() + 5;
  return text.substr(from, text.find('\n', from) - from);
}

// What the kernels of a process share.
struct Devices {
  static std::unique_ptr<Device> opened(std::string_view name, std::chrono::seconds limit) {
    auto device = open_worker_device(name, {.run = limit});
    EXPECT_TRUE(device) << device.error().message;
    return *std::move(device);
  }

  std::unique_ptr<Device> device = opened("", std::chrono::seconds(20));
  std::unique_ptr<Device> checker = opened(cpu_device_name, std::chrono::seconds(20));
  Cache cache{testing::TempDir() + "cheats_test"};
};

Devices& devices() {
  static Devices opened;
  return opened;
}

// Right at the stress sizes, and wrong at one of those that follow.
bool is_wrong_beyond_the_stress_sizes(const StrictResult& strict) {
  const auto more = std::span(strict.sizes).subspan(2);
  return is_strictly_right(strict.sizes.at(0)) && is_strictly_right(strict.sizes.at(1)) &&
         !std::ranges::all_of(more, is_strictly_right);
}

class Cheat {
 public:
  Cheat(const Task& task, const fs::path& file, const std::string& text)
      : task_(task),
        how_(header(text, "caught")),
        candidate_(candidate_of({.file = file.string()}, all_rules(),
                                {.purpose = how_ == "certificate" || how_.starts_with("named")
                                                ? TranslationPurpose::covering
                                                : TranslationPurpose::running,
                                 .limits = {.seconds = how_ == "limit" ? 2U : 10U}})) {}

  void expect_caught();

 private:
  // What is left of `how` behind a first word, or nothing.
  std::optional<std::string> after(const std::string& word) const {
    if (!how_.starts_with(word)) return std::nullopt;
    return how_.size() > word.size() ? how_.substr(word.size() + 1) : "";
  }

  bool is_found_by(const std::string& rule) const {
    return std::ranges::any_of(candidate_.compiled->diagnostics,
                               [&](const Diagnostic& each) { return each.id == rule; });
  }

  const Translation& translation() const { return *candidate_.compiled->translation; }

  Evaluation recorded(const EvaluationOptions& protocol, Device& device = *devices().device) const {
    auto evaluation =
        evaluate(task_, translation(), {.device = device, .cache = devices().cache}, protocol);
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return *std::move(evaluation);
  }

  // Until the first size that is wrong.
  Outcome recorded_outcome(Device& device = *devices().device) const {
    return recorded({.repeats = verify_only, .stop_at_wrong = true}, device).outcome;
  }

  // With random inputs, as a timed pass has them, but after one step.
  double error_at_held_out_size() const {
    auto size = *task_.held_out;
    for (auto& [name, value] : size.parameters)
      if (name == task_.stress.steps) value = 1;
    const auto key = key_of(1, size.label, 0);
    const auto device = Devices::opened("", std::chrono::seconds(600));
    auto built = device->build(translation());
    EXPECT_TRUE(built) << built.error().message;
    const auto run = run_stress(task_, size, key, task_.stress.plan(size, translation(), key),
                                start_reference(task_, size, key),
                                *std::get<std::unique_ptr<Program>>(*built), {}, verify_only, 0);
    EXPECT_TRUE(run) << run.error().message;
    return std::get<StressRun>(*run).error;
  }

  // Right where inputs are the recorded ones, and wrong for others.
  void expect_wrong_while_timed(const Task& task, unsigned passes) const {
    const auto evaluation =
        evaluate(task, translation(), {.device = *devices().device, .cache = devices().cache},
                 {.repeats = {.warmup = 0, .timed = passes}});
    ASSERT_TRUE(evaluation) << evaluation.error().message;
    EXPECT_TRUE(std::holds_alternative<Scored>(evaluation->outcome));
    EXPECT_TRUE(std::ranges::any_of(sizes_of(evaluation->outcome),
                                    [](const auto& size) { return size.timed_correct == false; }));
  }

  StrictResult strict_verdict(const StrictOptions& options = {}, std::uint64_t nonce = 1) const {
    auto& device = *devices().device;
    auto built = device.build(translation());
    EXPECT_TRUE(built) << built.error().message;
    auto strict = judge_strictly(task_, translation(), device.info(),
                                 *std::get<std::unique_ptr<Program>>(*built), nonce, options);
    EXPECT_TRUE(strict) << strict.error().message;
    return *std::move(strict);
  }

  // A draw may miss a narrow condition; of a few, one meets it.
  bool is_wrong_at_drawn_sizes() const {
    constexpr std::uint64_t nonces[] = {1, 2, 3, 4, 5, 6};
    return std::ranges::any_of(nonces, [&](std::uint64_t nonce) {
      return is_wrong_beyond_the_stress_sizes(strict_verdict({.thorough = true}, nonce));
    });
  }

  // At a size that is made or checked for it, or as code or a number that no run has seen. Not at
  // sizes that are drawn, which a narrow condition may meet.
  bool is_refused_by_certificate() const {
    const auto strict = certified();
    return strict.certificate && !strict.passed;
  }

  // As a number that no run can show, beside which the kernel may be right.
  bool is_named_by_certificate(const std::string& words) const {
    const auto strict = certified();
    return strict.certificate &&
           std::ranges::any_of(strict.certificate->outcomes, [&](const auto& outcome) {
             return is_decisive(outcome) && outcome.condition.find(words) != std::string::npos;
           });
  }

  StrictResult certified() const {
    auto& device = *devices().checker;
    auto built = device.build(translation());
    EXPECT_TRUE(built) << built.error().message;
    SanitizedProgram program(candidate_, device);
    const StrictOptions options{.thorough = true, .certify = certify_isolated, .checker = &program};
    const auto strict = judge_strictly(task_, translation(), device.info(),
                                       *std::get<std::unique_ptr<Program>>(*built), 1, options);
    EXPECT_TRUE(strict) << strict.error().message;
    return *strict;
  }

  StrictResult checked_verdict() const {
    SanitizedProgram program(candidate_, *devices().checker);
    return strict_verdict({.checker = &program});
  }

  std::vector<std::string> faults() const { return checked_verdict().faults; }

  // Right only where the lanes of a simdgroup run together.
  bool is_wrong_lane_by_lane() const {
    const auto dependence = checked_verdict().order_dependence;
    return dependence && dependence->wrong.starts_with("lanes:");
  }

  const Task& task_;
  std::string how_;
  Candidate candidate_;
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

void Cheat::expect_caught() {
  if (how_ == "limit") {
    EXPECT_FALSE(candidate_.compiled);
    return;
  }
  ASSERT_TRUE(candidate_.compiled) << candidate_.compiled.error().message;
  if (const auto rule = after("rule")) {
    EXPECT_TRUE(is_found_by(*rule)) << *rule;
    return;
  }
  ASSERT_TRUE(candidate_.compiled->translation) << candidate_.compiled->rejection;
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
                                  .strict = {.thorough = true}});
    EXPECT_TRUE(std::holds_alternative<Scored>(judged.outcome));
    EXPECT_TRUE(strict_fail_reason(judged.outcome, std::nullopt));
  } else if (const auto cause = after("failure")) {
    const bool is_endless = *cause == "time_out";
    const auto device = Devices::opened("", std::chrono::seconds(is_endless ? 1 : 600));
    EXPECT_TRUE(fails_with(sizes_of(recorded_outcome(*device)).at(0), *cause)) << *cause;
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
    EXPECT_TRUE(is_wrong_at_drawn_sizes());
  } else if (how_ == "large") {
    const auto sizes = strict_verdict({.thorough = true}).sizes;
    EXPECT_TRUE(std::ranges::all_of(std::span(sizes).first(sizes.size() - 1), is_strictly_right));
    EXPECT_TRUE(is_off(sizes.back())) << sizes.back().label;
  } else if (how_ == "timed") {
    expect_wrong_while_timed(task_, 24);
  } else if (how_ == "held out") {
    EXPECT_GT(error_at_held_out_size(), 0.01);
  } else if (how_ == "certificate") {
    EXPECT_TRUE(is_refused_by_certificate());
  } else if (const auto words = after("named")) {
    EXPECT_TRUE(is_named_by_certificate(*words)) << *words;
  } else if (how_ == "thorough") {
    // By what buffers hold that are not inputs, which differs from run to run.
    EXPECT_FALSE(std::ranges::all_of(strict_verdict({.thorough = true}).sizes, is_strictly_right));
  } else if (const auto fault = after("check")) {
    EXPECT_TRUE(std::ranges::any_of(faults(), [&](const auto& each) {
      return each.find(*fault) != std::string::npos;
    })) << *fault;
  } else if (how_ == "lanes") {
    EXPECT_TRUE(is_wrong_lane_by_lane());
  } else if (how_ == "fuzz") {
    EXPECT_TRUE(is_wrong_beyond_the_stress_sizes(strict_verdict({.fuzz_sizes = 8})));
  } else if (const auto irrelevant_part = after("ghost")) {
    const auto irrelevant = strict_verdict().irrelevant_parts;
    EXPECT_NE(std::find(irrelevant.begin(), irrelevant.end(), *irrelevant_part), irrelevant.end())
        << *irrelevant_part;
  } else {
    FAIL() << "\"" << how_ << "\" is not a way of being caught";
  }
}

class Cheats : public testing::TestWithParam<const Task*> {};

TEST_P(Cheats, are_caught_by_what_they_say) {
  for (const auto& file : cheats()) {
    const auto text = read_source(file.string()).value().text;
    if (header(text, "task") != GetParam()->name) continue;
    SCOPED_TRACE(file.filename());
    Cheat(*GetParam(), file, text).expect_caught();
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Cheats, testing::ValuesIn(all_tasks().begin(), all_tasks().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(CorpusOfCheats, has_at_least_two_hundred_and_their_tasks) {
  const auto files = cheats();
  EXPECT_GE(files.size(), 200U);
  for (const auto& file : files)
    EXPECT_TRUE(find_task(header(read_source(file.string()).value().text, "task"))) << file;
}

}  // namespace
}  // namespace msci
