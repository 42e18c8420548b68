// Subjects on their way to devices, with devices that answer from memory.
#include "evaluator/batch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <latch>
#include <utility>

#include "evaluator/session/explain_failures.h"
#include "evaluator/session/sanitized_program.h"
#include "tasks/plan/bindings.h"
#include "tests/fake_device.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// A task without inputs, whose only result is right where it is 1.
const Task toy{
    .name = "toy",
    .kernels = {{.name = "toy"}},
    .sizes = {{"one", {}}},
    .plan = [](const Size&, const Translation&) -> Result<Plan> {
      Plan plan;
      plan.results = {plan.add_scalar("out", 0.0f)};
      return plan;
    },
    .judge = [](const Size&, const Bytes&, const Outputs& outputs,
                const Outputs&) { return Verdict{.correct = outputs.at(0).as<float>()[0] == 1}; },
    .work = [](const Size&) { return 1e9; }};

// Runs every program by `run`, and counts them.
class CountingDevice : public Device {
 public:
  CountingDevice(std::string name, std::function<void()> run)
      : info_{.name = std::move(name)}, run_(std::move(run)) {}

  const DeviceInfo& info() const override { return info_; }
  Result<Attempt<std::unique_ptr<Program>>> build(const Translation&) override {
    return Attempt<std::unique_ptr<Program>>{std::make_unique<Counted>(*this)};
  }
  int runs() const { return runs_; }

 private:
  struct Counted : Program {
    explicit Counted(CountingDevice& device) : device(device) {}
    Result<Attempt<Run>> run(const Plan&, Repeats) override {
      ++device.runs_;
      device.run_();
      return Attempt<Run>{Run{.outputs = {Bytes::of<float>(std::vector{1.0f})}}};
    }
    CountingDevice& device;
  };

  DeviceInfo info_;
  std::function<void()> run_;
  std::atomic<int> runs_ = 0;
};

class BatchTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  // Programs with a kernel of that name, in files 0.cl, 1.cl and so on.
  std::vector<CandidateOrigin> programs(int count, const std::string& kernel = "toy") const {
    const Translation program{.text = "// nothing",
                              .kernels = {{.name = kernel, .symbol = kernel}}};
    std::vector<CandidateOrigin> origins;
    for (int i = 0; i < count; ++i) {
      origins.push_back({.file = folder_ / (std::to_string(i) + ".cl"), .is_program = true});
      std::ofstream(origins.back().file) << to_program_file(program);
    }
    return origins;
  }

  // The names of the files in the order of their results; each with its device.
  std::vector<std::pair<std::string, std::string>> judge(
      std::vector<CandidateOrigin> origins, std::span<const EvaluationContext> contexts) const {
    CandidateQueue queue(std::move(origins), {}, {}, true);
    std::vector<std::pair<std::string, std::string>> reported;
    const BatchOptions assignment{.tasks = {&toy}, .evaluation = {.repeats = verify_only}};
    judge_all(queue, assignment, contexts,
              [&](const Candidate& candidate, const std::vector<TaskResult>& results,
                  const EvaluationContext&) {
                ASSERT_EQ(results.size(), 1u);
                EXPECT_TRUE(std::holds_alternative<Outcome>(results[0].result.result));
                reported.emplace_back(fs::path(candidate.name).filename(),
                                      results[0].result.device);
              });
    return reported;
  }

  fs::path folder_ = testing::TempDir() + "batch_test_" + std::to_string(::getpid());
  mutable Cache cache_{std::nullopt};
};

TEST_F(BatchTest, a_free_device_takes_the_next_and_order_is_kept) {
  std::latch both(2);    // each has begun its first
  std::latch others(5);  // the slow one is at its first until the quick one is through with five
  CountingDevice slow("slow", [&] {
    both.arrive_and_wait();
    others.wait();
  });
  CountingDevice quick("quick", [&, first = true]() mutable {
    if (std::exchange(first, false)) both.arrive_and_wait();
    others.count_down();
  });
  const std::vector<EvaluationContext> contexts = {{.device = slow, .cache = cache_},
                                                   {.device = quick, .cache = cache_}};
  const auto reported = judge(programs(6), contexts);
  ASSERT_EQ(reported.size(), 6u);
  for (std::size_t i = 0; i < reported.size(); ++i)
    EXPECT_EQ(reported[i].first, std::to_string(i) + ".cl");
  EXPECT_EQ(slow.runs(), 1);
  EXPECT_EQ(quick.runs(), 5);
}

TEST_F(BatchTest, what_cannot_be_read_is_reported_in_its_place) {
  CountingDevice device("only", [] {});
  const std::vector<EvaluationContext> contexts = {{.device = device, .cache = cache_}};
  auto origins = programs(2);
  origins.insert(origins.begin() + 1, CandidateOrigin{.file = folder_ / "missing.cl"});
  CandidateQueue queue(origins, {}, {}, true);
  std::vector<bool> could_read;
  judge_all(
      queue, {.tasks = {&toy}, .evaluation = {.repeats = verify_only}}, contexts,
      [&](const Candidate&, const std::vector<TaskResult>& results, const EvaluationContext&) {
        could_read.push_back(std::holds_alternative<Outcome>(results.at(0).result.result));
      });
  EXPECT_EQ(could_read, (std::vector{true, false, true}));
}

TEST_F(BatchTest, of_several_tasks_those_that_dispatch_a_kernel_are_asked) {
  Task other = toy;
  other.name = "other";
  other.kernels = {{.name = "other"}};
  CandidateQueue queue(programs(1, "other"), {});
  const auto candidate = *queue.take();
  EXPECT_EQ(tasks_of(candidate, {&toy, &other}), (std::vector<const Task*>{&other}));
  EXPECT_EQ(tasks_of(candidate, {&toy}), (std::vector<const Task*>{&toy}));
  Task third = toy;
  EXPECT_EQ(tasks_of(candidate, {&toy, &third}), (std::vector<const Task*>{nullptr}));
}

// ---- deaths of a kernel's process

const Failure died{Failure::Cause::signal, "its process died of signal 11 (Segmentation fault)"};
const Failure forged{Failure::Cause::crash, "its process returned malformed data"};

// What is said about a kernel with these answers, if its checked run has that many faults.
struct Explained {
  std::optional<Error> error;
  Wrong wrong;
};

// Opens a processor with these answers.
OpenProcessor processor(std::deque<Result<Attempt<msci::Run>>> answers) {
  return [answers = std::move(answers)]() -> Result<std::unique_ptr<Device>> {
    auto device = std::make_unique<FakeDevice>();
    device->run_answers = answers;
    return std::unique_ptr<Device>(std::move(device));
  };
}

Explained explained(const std::vector<Answer>& answers, std::size_t faults) {
  Candidate candidate{.name = "k.metal", .compiled = Compiled{.translation = Translation{}}};
  candidate.compile_for = [](TranslationPurpose, const NumericMeaning&) {
    return Compiled{.translation = Translation{}};
  };
  const FakeDevice device;
  Wrong wrong;
  for (const auto& answer : answers)
    wrong.sizes.push_back({.label = toy.sizes.front().label, .answer = answer});
  Task task = toy;
  task.small = toy.sizes.front();
  Outcome outcome{wrong};
  auto error = explain_failures(
      candidate, task, outcome, device,
      processor({Attempt<Run>{Run{.checks = {.faults = std::vector<Fault>(faults)}}}}));
  return {std::move(error), std::get<Wrong>(outcome)};
}

TEST(ExplainFailures, a_death_is_an_error_where_the_checked_run_finds_no_fault) {
  const auto error = explained({Verdict{.correct = true}, died}, 0).error;
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("could not judge k.metal on toy: its process died of signal 11"),
            std::string::npos)
      << error->message;
}

TEST(ExplainFailures, so_is_a_limit) {
  for (const auto cause : {Failure::Cause::time_out, Failure::Cause::out_of_memory})
    EXPECT_TRUE(explained({Failure{cause, "no result after 2 s of running"}}, 0).error);
}

TEST(ExplainFailures, a_fault_of_the_checked_run_is_the_reason) {
  const auto [error, wrong] = explained({died}, 1);
  EXPECT_FALSE(error);
  const auto& message = std::get<Failure>(wrong.sizes[0].answer).message;
  EXPECT_TRUE(message.starts_with(died.message + "; k.metal: thread (0, 0, 0) of threadgroup "))
      << message;
}

TEST(ExplainFailures, a_fault_explains_every_size_that_failed) {
  const auto [error, wrong] = explained({died, Verdict{.correct = true}, died}, 1);
  EXPECT_FALSE(error);
  const auto& first = std::get<Failure>(wrong.sizes[0].answer).message;
  EXPECT_NE(first.find("k.metal: thread"), std::string::npos) << first;
  EXPECT_EQ(std::get<Failure>(wrong.sizes[2].answer).message, first);
}

TEST(ExplainFailures, other_faults_are_not_excused) {
  EXPECT_FALSE(explained({died, Verdict{.correct = false}}, 0).error);
  EXPECT_FALSE(explained({forged}, 0).error);
}

TEST(ExplainFailures, a_translated_program_has_no_checked_run) {
  FakeDevice device;
  const Candidate program{.name = "k.cl", .compiled = Compiled{.translation = Translation{}}};
  Outcome outcome{Wrong{{{.label = "one", .answer = died}}}};
  EXPECT_FALSE(explain_failures(program, toy, outcome, device, processor({})));
}

// Why a strict verdict with these answers could not judge.
std::optional<Error> explained_strictly(const std::vector<Answer>& answers,
                                        std::vector<std::string> faults = {}) {
  Candidate candidate{.name = "k.metal", .compiled = Compiled{.translation = Translation{}}};
  candidate.compile_for = [](TranslationPurpose, const NumericMeaning&) {
    return Compiled{.translation = Translation{}};
  };
  StrictResult strict{.faults = std::move(faults)};
  for (const auto& answer : answers) strict.sizes.push_back({.label = "one", .answer = answer});
  const FakeDevice device;
  return explain_failures(candidate, toy, strict, device);
}

TEST(ExplainFailures, a_strict_verdict_excuses_a_death_without_a_fault) {
  EXPECT_TRUE(explained_strictly({Verdict{.correct = true}, died}));
  EXPECT_TRUE(explained_strictly({Failure{Failure::Cause::time_out, "no result after 2 s"}}));
  EXPECT_FALSE(explained_strictly({died}, {"k.metal:1:1: a race"}));
  EXPECT_FALSE(explained_strictly({died, Verdict{.correct = false}}));
  EXPECT_FALSE(explained_strictly({Verdict{.correct = true}}));
}

TEST(ExplainFailures, a_strict_verdict_without_its_checked_runs_decides_nothing) {
  Candidate candidate{.name = "k.metal", .compiled = Compiled{.translation = Translation{}}};
  StrictResult strict{.sizes = {{.label = "one", .answer = Verdict{.correct = true}}},
                      .not_checked = "its checked form is refused: too deep"};
  const FakeDevice device;
  const auto error = explain_failures(candidate, toy, strict, device);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message,
            "could not judge k.metal on toy strictly: a run with checked accesses is missing: its "
            "checked form is refused: too deep. --verdict compatible judges without such runs");
  strict.sizes[0].answer = Verdict{.correct = false};
  EXPECT_FALSE(explain_failures(candidate, toy, strict, device));
}

// What is said about a death, if the checked run cannot be made for that reason.
std::string unexplained(const Result<Compiled>& checked, const OpenProcessor& open_processor,
                        const Task& task = toy) {
  Candidate candidate{.name = "k.metal", .compiled = Compiled{.translation = Translation{}}};
  candidate.compile_for = [&](TranslationPurpose, const NumericMeaning&) { return checked; };
  const FakeDevice device;
  Outcome outcome{Wrong{{{.label = "one", .answer = died}}}};
  const auto error = explain_failures(candidate, task, outcome, device, open_processor);
  return error ? error->message : "";
}

// "finds no fault" would be false: nothing has looked for one.
TEST(ExplainFailures, say_where_the_checked_run_could_not_be_made) {
  const auto says = [](const std::string& message, const std::string& why) {
    return message.find("; the checked mode could not run it: " + why) != std::string::npos &&
           message.find("finds no fault") == std::string::npos;
  };
  const auto limit = unexplained(Error{"more than 10 s"}, processor({}));
  EXPECT_TRUE(says(limit, "more than 10 s")) << limit;
  const auto refused = unexplained(Compiled{.rejection = "k.metal:1:1: error: no"}, processor({}));
  EXPECT_TRUE(says(refused, "k.metal:1:1: error: no")) << refused;

  const Result<Compiled> prepared = Compiled{.translation = Translation{}};
  const auto closed = unexplained(
      prepared, []() -> Result<std::unique_ptr<Device>> { return Error{"no such program"}; });
  EXPECT_TRUE(says(closed, "no such program")) << closed;
  Task task = toy;
  task.small.label = "one";
  const auto error = unexplained(prepared, processor({Error{"the device lacks memory"}}), task);
  EXPECT_TRUE(says(error, "at size one, the device lacks memory")) << error;
  const auto death = unexplained(prepared, processor({Attempt<msci::Run>{died}}), task);
  EXPECT_TRUE(says(death, "at size one, " + died.message)) << death;
  task.plan = [](const Size&, const Translation&) { return Result<Plan>(Error{"no kernel"}); };
  const auto planless = unexplained(prepared, processor({}), task);
  EXPECT_TRUE(says(planless, "at size one, no kernel")) << planless;
}

Candidate checkable(Result<Compiled> checked = Compiled{.translation = Translation{}}) {
  return {.name = "k.metal",
          .compiled = Compiled{.translation = Translation{}},
          .compile_for = [checked](TranslationPurpose, const NumericMeaning&) { return checked; }};
}

TEST(SanitizedProgram, a_checked_run_that_dies_says_nothing_about_the_kernel) {
  const auto candidate = checkable();
  auto device = std::make_unique<FakeDevice>();
  using Ran = Attempt<msci::Run>;
  device->run_answers = {Ran{died}, Ran{msci::Run{}}, Ran{forged}};
  SanitizedProgram program(candidate, *device);
  const auto first = program.find_faults({});
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().message, "could not check k.metal: " + died.message);
  const auto second = program.find_faults({});
  ASSERT_TRUE(second);
  EXPECT_TRUE(std::get<FoundFaults>(*second).decisive.empty());
  const auto third = program.find_faults({});
  ASSERT_TRUE(third);
  EXPECT_EQ(std::get<Failure>(*third), forged);
}

// What two requests for the same checked form answer.
std::vector<std::string> answers_twice(const Candidate& candidate,
                                       std::unique_ptr<FakeDevice> device) {
  SanitizedProgram program(candidate, *device);
  std::vector<std::string> answers;
  for (int i = 0; i < 2; ++i) {
    const auto faults = program.find_faults({});
    if (!faults)
      answers.push_back("error: " + faults.error().message);
    else if (const auto* failure = std::get_if<Failure>(&*faults))
      answers.push_back(failure->message);
    else
      answers.push_back("checked");
  }
  return answers;
}

TEST(SanitizedProgram, what_stood_in_its_way_does_so_again) {
  using Twice = std::vector<std::string>;
  EXPECT_EQ(answers_twice(checkable(Error{"no process"}), std::make_unique<FakeDevice>()),
            Twice(2, "error: no process"));
  EXPECT_EQ(
      answers_twice(checkable(Compiled{.rejection = "too deep"}), std::make_unique<FakeDevice>()),
      Twice(2, "its checked form is refused: too deep"));
  auto candidate = checkable();
  candidate.compile_for = nullptr;
  EXPECT_EQ(answers_twice(candidate, std::make_unique<FakeDevice>()),
            Twice(2, "a translated program has no checked form"));
  auto device = std::make_unique<FakeDevice>();
  device->build_answer = Error{"no memory"};
  EXPECT_EQ(answers_twice(checkable(), std::move(device)), Twice(2, "error: no memory"));
  device = std::make_unique<FakeDevice>();
  device->build_answer = Attempt<msci::Run>{Failure{Failure::Cause::build, "line 3"}};
  EXPECT_EQ(answers_twice(checkable(), std::move(device)),
            Twice(2, "its checked form does not build: line 3"));
}

// ---- buffers that are read as something else

std::vector<std::string> mismatches(std::string_view bound, const std::string& taken) {
  Task task = toy;
  task.kernels = {{.name = "k", .arguments = {{.index = 3, .type = std::string(bound)}}}};
  const KernelArgument argument{.index = 3, .name = "x", .type = taken};
  return mismatched_buffers(task,
                            {.kernels = {{.name = "k", .symbol = "k", .arguments = {argument}}}});
}

TEST(MisreadBuffers, are_told_by_what_their_numbers_are_made_of) {
  EXPECT_EQ(mismatches("ushort", "uint"),
            (std::vector<std::string>{
                "k reads uint at [[buffer(3)]] ('x'), where the task binds ushort"}));
  for (const auto& [bound, taken] :
       {std::pair("float", "int"), {"long", "uint"}, {"uint", "bool"}, {"half", "float4"}})
    EXPECT_EQ(mismatches(bound, taken).size(), 1u) << bound << " as " << taken;
  for (const auto& [bound, taken] : {std::pair("device const float *", "float4"),
                                     {"uint", "int"},
                                     {"float", "packed_float3"},
                                     {"uint", "atomic_uint"},
                                     {"uint", "Parameters"}})
    EXPECT_EQ(mismatches(bound, taken).size(), 0u) << bound << " as " << taken;
}

// ---- values that are longer than what is bound

std::optional<std::string> short_value(std::string_view bound, const std::string& taken) {
  Task task = toy;
  task.kernels = {{.name = "k", .arguments = {{.index = 3, .type = std::string(bound)}}}};
  const KernelArgument argument{.index = 3, .name = "x", .type = taken};
  return find_short_value(task,
                          {.kernels = {{.name = "k", .symbol = "k", .arguments = {argument}}}});
}

TEST(ShortValues, are_told_with_both_sizes) {
  EXPECT_EQ(short_value("constant packed_uint3 &", "uint3"),
            "k takes 16 bytes for 'x' at [[buffer(3)]] (uint3), where the plan binds 12 bytes; "
            "bind 16, or take packed_uint3");
  EXPECT_EQ(short_value("constant uint &", "float2"),
            "k takes 8 bytes for 'x' at [[buffer(3)]] (float2), where the plan binds 4 bytes; "
            "bind 8");
  EXPECT_TRUE(short_value("constant struct of 12 bytes &", "float4"));
  EXPECT_TRUE(short_value("packed_float2", "float4"));
  for (const auto& [bound, taken] : {std::pair("constant packed_uint3 &", "packed_uint3"),
                                     {"constant packed_uint4 &", "uint3"},
                                     {"constant packed_uint3 &", "uint"},
                                     {"constant uint *", "uint4"},
                                     {"device const float *", "float4"},
                                     {"constant struct of 16 bytes &", "uint3"},
                                     {"constant struct of 12 bytes &", "Parameters"},
                                     {"constant uint &", "Parameters"}})
    EXPECT_EQ(short_value(bound, taken), std::nullopt) << bound << " as " << taken;
}

}  // namespace
}  // namespace msci
