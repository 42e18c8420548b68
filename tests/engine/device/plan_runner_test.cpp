// The passes of a plan, on a queue whose kernels are C++ functions.
#include "engine/device/plan_runner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "analysis/check/check_memory.h"
#include "engine/device/plan_buffers.h"
#include "engine/device/queue.h"
#include "tests/engine/device/device_tests.h"
#include "tests/engine/device/fake_queue.h"

namespace msci {
namespace {

using Arguments = std::span<const Argument>;

// Kernel "step" reads `in` at [[buffer(0)]] and writes `out` at [[buffer(1)]].
Translation step_program() {
  return {.source_name = "step",
          .text = "",
          .kernels = {{.name = "step",
                       .symbol = "step_symbol",
                       .arguments = {{.index = 0, .constant = true, .name = "in", .type = "float"},
                                     {.index = 1, .name = "out", .type = "float"}}}}};
}

Plan step_plan() {
  Plan plan;
  const auto in = plan.add(floats("in", {1, 2, 3, 4}));
  const auto out = plan.add(floats("out", {10, 20, 30, 40}));
  plan.launches = {
      {.kernel = "step", .grid = {4}, .threadgroup = {4}, .bindings = {{0, in}, {1, out}}}};
  plan.results = {out};
  return plan;
}

// out[i] += in[i]
std::optional<Failure> add(FakeQueue& queue, Arguments arguments) {
  const auto* in = queue.pointer<float>(arguments, 0);
  auto* out = queue.pointer<float>(arguments, 2);
  for (int i = 0; i < 4; ++i) out[i] += in[i];
  return std::nullopt;
}

FakeQueue queue_with(FakeQueue::Kernel kernel) {
  FakeQueue queue;
  queue.kernels["step_symbol"] = std::move(kernel);
  return queue;
}

Run expect_run(FakeQueue& queue, const Plan& plan, Repeats repeats = verify_only,
               const Translation& translation = step_program()) {
  const auto ran = run_plan(queue, translation, plan, repeats);
  if (ran && std::holds_alternative<Run>(*ran)) return std::get<Run>(*ran);
  ADD_FAILURE() << (ran ? std::get<Failure>(*ran).message : ran.error().message);
  return {};
}

Failure expect_failure(FakeQueue& queue, const Plan& plan, Repeats repeats = verify_only) {
  const auto ran = run_plan(queue, step_program(), plan, repeats);
  if (ran && std::holds_alternative<Failure>(*ran)) return std::get<Failure>(*ran);
  ADD_FAILURE() << "it ran";
  return {};
}

Outputs outputs_of(const std::vector<float>& values) { return {Bytes::of<float>(values)}; }

TEST(PlanRunner, passes_arguments_by_the_calling_convention) {
  std::vector<Argument> seen;
  auto queue = queue_with([&](FakeQueue&, Arguments arguments) {
    seen.assign(arguments.begin(), arguments.end());
    return std::nullopt;
  });
  auto program = step_program();
  program.kernels[0].arguments.push_back(
      {.kind = KernelArgument::Kind::threadgroup, .index = 3, .name = "tile"});
  auto plan = step_plan();
  plan.launches[0].bindings[0].offset = 8;
  plan.launches[0].threadgroup_memory = {{3, 64}};
  plan.launches[0].grid = {4, 5, 6};
  plan.launches[0].threadgroup = {2, 1, 3};
  expect_run(queue, plan, verify_only, program);
  const std::uint64_t slack = slack_before(16);
  const std::vector<Argument> expected = {
      DeviceMemory{0},      slack + 8,        DeviceMemory{1},  slack,
      ThreadgroupBytes{64}, std::uint32_t{4}, std::uint32_t{5}, std::uint32_t{6},
      std::uint32_t{2},     std::uint32_t{1}, std::uint32_t{3}};
  EXPECT_EQ(seen, expected);
}

TEST(PlanRunner, runs_warmup_then_timed_passes_then_one_for_the_verdict) {
  auto queue = queue_with(add);
  queue.pass_seconds = {9, 8, 1, 2, 3};
  const auto run = expect_run(queue, step_plan(), {.warmup = 2, .timed = 3});
  EXPECT_EQ(queue.passes(), 6u);
  EXPECT_EQ(run.seconds, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(run.outputs, outputs_of({11, 22, 33, 44}));
  EXPECT_EQ(run.timed_outputs, run.outputs);
}

TEST(PlanRunner, times_nothing_when_only_verifying) {
  auto queue = queue_with(add);
  const auto run = expect_run(queue, step_plan());
  EXPECT_EQ(queue.passes(), 1u);
  EXPECT_TRUE(run.seconds.empty());
  EXPECT_FALSE(run.timed_outputs);
}

TEST(PlanRunner, stops_when_the_mean_is_known) {
  const Repeats repeats{.warmup = 0, .timed = 10, .timed_seconds = 1e6, .relative_error = 0.01};
  auto steady = queue_with(add);
  EXPECT_EQ(expect_run(steady, step_plan(), repeats).seconds.size(), 10u);
  // Ten percent around the mean: 0.1 / sqrt(n) < 0.01 needs just over a hundred passes.
  auto unsteady = queue_with(add);
  for (int i = 0; i < 200; ++i) unsteady.pass_seconds.push_back(i % 2 ? 0.9 : 1.1);
  const auto passes = expect_run(unsteady, step_plan(), repeats).seconds.size();
  EXPECT_GT(passes, 95u);
  EXPECT_LT(passes, 105u);
}

TEST(PlanRunner, records_times_at_the_ends_of_a_pass_and_calls_nothing_in_between) {
  auto queue = queue_with(add);
  auto plan = step_plan();
  plan.launches.resize(3, plan.launches[0]);
  expect_run(queue, plan);
  EXPECT_EQ(queue.launched,
            (std::vector<FakeQueue::Launched>{{"step_symbol", {.start = true, .end = false}},
                                              {"step_symbol", {.start = false, .end = false}},
                                              {"step_symbol", {.start = false, .end = true}}}));
  const auto first = std::ranges::find(queue.calls, "launch step_symbol");
  ASSERT_GE(queue.calls.end() - first, 4);
  EXPECT_EQ(*(first - 1), "finish");
  EXPECT_EQ(std::vector(first, first + 4),
            (std::vector<std::string>{"launch step_symbol", "launch step_symbol",
                                      "launch step_symbol", "finish"}));

  auto single = queue_with(add);
  expect_run(single, step_plan());
  EXPECT_EQ(single.launched,
            (std::vector<FakeQueue::Launched>{{"step_symbol", {.start = true, .end = true}}}));
}

TEST(PlanRunner, prepares_equal_launches_once) {
  auto queue = queue_with(add);
  auto plan = step_plan();
  plan.launches.resize(5, plan.launches[0]);
  plan.launches.back().grid = {8};
  expect_run(queue, plan);
  EXPECT_EQ(queue.launched.size(), 5u);
  EXPECT_EQ(queue.prepared_count(), 2u);
}

TEST(PlanRunner, resets_buffers_before_each_pass) {
  std::vector<float> seen;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    seen.push_back(*queue.pointer<float>(arguments, 2));
    return add(queue, arguments);
  });
  auto plan = step_plan();
  expect_run(queue, plan, {.warmup = 0, .timed = 2});
  EXPECT_EQ(seen, (std::vector<float>{10, 10, 10}));

  seen.clear();
  plan.buffers[1].initial = {};
  expect_run(queue, plan, {.warmup = 0, .timed = 1});
  EXPECT_EQ(seen, (std::vector<float>{0, 0}));
}

// Kernels find addresses; the host reads back what the plan has in their place.
TEST(PlanRunner, writes_pointers_and_numbers_of_functions_before_each_pass) {
  auto plan = step_plan();
  plan.buffers[1] = {.name = "out",
                     .bytes = 24,
                     .pointers = {{.at = 8, .buffer = 0, .offset = 4}},
                     .functions = {{.at = 20, .name = "second"}}};
  auto program = step_program();
  program.tables.functions = {{"first", ""}, {"second", ""}};
  std::vector<std::uint64_t> seen;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    auto* words = queue.pointer<std::uint64_t>(arguments, 2);
    seen.insert(seen.end(), words, words + 3);
    words[0] = 7;
    return std::nullopt;
  });
  const auto run = expect_run(queue, plan, {.warmup = 0, .timed = 1}, program);
  const auto address = *queue.address({0}) + slack_before(plan.buffers[0].bytes) + 4;
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, address, std::uint64_t{2} << 32, 0, address,
                                              std::uint64_t{2} << 32}));
  const std::uint64_t left[] = {7, 0, 0};
  EXPECT_EQ(run.outputs, Outputs{Bytes::of<std::uint64_t>(left)});
  EXPECT_TRUE(run.deviations.empty());
}

// A null pointer is not the offset 0 that the plan has in the pointer's place.
TEST(PlanRunner, a_number_in_place_of_a_pointer_is_seen) {
  auto plan = step_plan();
  plan.buffers[1] = {.name = "out",
                     .bytes = 16,
                     .initial = Bytes::of<std::uint64_t>({{0, 4}}),
                     .pointers = {{.at = 0, .buffer = 0}, {.at = 8, .buffer = 0, .offset = 4}}};
  const auto written = [&](std::uint64_t first, std::uint64_t second) {
    auto queue = queue_with([=](FakeQueue& queue, Arguments arguments) {
      auto* words = queue.pointer<std::uint64_t>(arguments, 2);
      words[0] = first;
      words[1] = second;
      return std::nullopt;
    });
    return expect_run(queue, plan).outputs;
  };
  EXPECT_EQ(written(0, 9), Outputs{Bytes::of<std::uint64_t>({{~0ULL, 9}})});
  EXPECT_EQ(written(1, 4), Outputs{Bytes::of<std::uint64_t>({{1, ~4ULL}})});
}

// What a pointer leads to may be written, unless the plan says that it is read-only.
TEST(PlanRunner, a_buffer_that_a_pointer_leads_to_is_not_constant) {
  auto queue = queue_with([](FakeQueue& queue, Arguments arguments) {
    *const_cast<float*>(queue.pointer<float>(arguments, 0)) = 5;
    return std::nullopt;
  });
  auto plan = step_plan();
  const auto table = plan.add({.name = "table", .bytes = 8, .pointers = {{.buffer = 0}}});
  expect_run(queue, plan);
  plan.buffers[table].pointers[0].read_only = true;
  EXPECT_EQ(expect_failure(queue, plan).cause, Failure::Cause::wrote_constant);
}

TEST(PlanRunner, keeps_buffers_without_reset_from_pass_to_pass) {
  auto queue = queue_with(add);
  auto plan = step_plan();
  plan.buffers[1].reset = false;
  const auto run = expect_run(queue, plan, {.warmup = 1, .timed = 1});
  EXPECT_EQ(run.timed_outputs, outputs_of({12, 24, 36, 48}));
  EXPECT_EQ(run.outputs, outputs_of({13, 26, 39, 52}));
}

TEST(PlanRunner, fills_with_other_junk_in_each_pass_and_with_zeros_in_some) {
  std::vector<unsigned char> seen;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    const auto* out = queue.pointer<unsigned char>(arguments, 2);
    EXPECT_TRUE(std::all_of(out, out + 16, [=](auto byte) { return byte == *out; }));
    seen.push_back(*out);
    return std::nullopt;
  });
  auto plan = step_plan();
  plan.buffers[1].poison = true;
  expect_run(queue, plan, {.warmup = 0, .timed = 100});
  ASSERT_EQ(seen.size(), 101u);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end()) << "the same in two passes in a row";
  EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), 4u);
  EXPECT_GT(std::ranges::count(seen, 0), 0);
}

TEST(PlanRunner, surrounds_buffers_with_slack) {
  const auto slack = slack_before(16);
  EXPECT_EQ(slack, 4096u);
  EXPECT_EQ(slack_before(0), 4096u);
  EXPECT_EQ(slack_before(5000), 8192u);
  EXPECT_EQ(slack_before(std::size_t{1} << 30), std::size_t{1} << 20);
  std::vector<std::pair<float, float>> seen;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    const auto* out = queue.pointer<float>(arguments, 2);
    seen.emplace_back(out[-1], out[4]);
    return std::nullopt;
  });
  expect_run(queue, step_plan(), {.warmup = 0, .timed = 1});
  EXPECT_EQ(slack_after(4096), 4096u);
  EXPECT_EQ(queue.memories[1].size(), slack + 16 + slack_after(16));
  EXPECT_EQ(queue.memories[1].size() % 4096, 0u) << "the rest of a page that a kernel may reach";
  ASSERT_EQ(seen.size(), 2u);
  for (const auto& [before, after] : seen) EXPECT_TRUE(std::isnan(before) && std::isnan(after));
}

TEST(PlanRunner, slack_varies_from_buffer_to_buffer_and_pass_to_pass) {
  const auto beside = [](const std::byte* buffer) { return std::vector(buffer - 64, buffer); };
  std::vector<std::pair<std::vector<std::byte>, std::vector<std::byte>>> seen;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    seen.emplace_back(beside(queue.pointer<std::byte>(arguments, 0)),
                      beside(queue.pointer<std::byte>(arguments, 2)));
    return std::nullopt;
  });
  auto plan = step_plan();
  plan.vary_slack = true;
  EXPECT_TRUE(expect_run(queue, plan, {.warmup = 0, .timed = 1}).overruns.empty());
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_NE(seen[0].first, seen[0].second);
  EXPECT_NE(seen[0].first, seen[1].first);
  EXPECT_NE(seen[0].second, seen[1].second);
}

TEST(PlanRunner, names_each_overrun_buffer_once) {
  auto queue = queue_with([](FakeQueue& queue, Arguments arguments) {
    queue.pointer<float>(arguments, 0)[-1] = 1;
    queue.pointer<float>(arguments, 2)[4] = 1;
    return add(queue, arguments);
  });
  const auto run = expect_run(queue, step_plan(), {.warmup = 0, .timed = 2});
  EXPECT_EQ(run.overruns, (std::vector<std::string>{"in", "out"}));
  EXPECT_EQ(run.outputs, outputs_of({11, 22, 33, 44}));
}

TEST(PlanRunner, finds_an_overrun_of_the_last_pass_alone) {
  unsigned passes = 0;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    if (++passes == 3) queue.pointer<float>(arguments, 2)[4] = 1;
    return add(queue, arguments);
  });
  const auto run = expect_run(queue, step_plan(), {.warmup = 0, .timed = 2});
  EXPECT_EQ(run.overruns, std::vector<std::string>{"out"});
}

TEST(PlanRunner, finds_an_overrun_of_any_timed_pass) {
  for (unsigned bad = 1; bad <= 6; ++bad) {
    unsigned passes = 0;
    auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
      if (++passes == bad) queue.pointer<float>(arguments, 2)[4] = 1;
      return add(queue, arguments);
    });
    const auto run = expect_run(queue, step_plan(), {.warmup = 1, .timed = 4});
    EXPECT_EQ(run.overruns, std::vector<std::string>{"out"}) << bad;
  }
}

TEST(PlanRunner, keeps_the_results_of_each_timed_pass_that_deviates) {
  for (unsigned bad = 2; bad <= 5; ++bad) {
    unsigned passes = 0;
    auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
      return ++passes == bad ? std::nullopt : add(queue, arguments);
    });
    const auto run = expect_run(queue, step_plan(), {.warmup = 1, .timed = 4});
    EXPECT_EQ(run.outputs, outputs_of({11, 22, 33, 44}));
    ASSERT_EQ(run.deviations.size(), 1u) << bad;
    EXPECT_EQ(run.deviations[0], (VariantOutputs{0, outputs_of({10, 20, 30, 40})}));
  }
  auto steady = queue_with(add);
  EXPECT_TRUE(expect_run(steady, step_plan(), {.warmup = 1, .timed = 4}).deviations.empty());
}

// A worker writes what is kept into a file, whose length is limited.
TEST(PlanRunner, keeps_equal_results_of_passes_with_the_same_inputs_once) {
  auto plan = step_plan();
  plan.variants = 1;
  plan.buffers[0].variants = {Bytes::of<float>(std::vector<float>{5, 6, 7, 8})};
  auto queue = queue_with(add);
  std::size_t kept = 0;
  auto memory = private_memory();
  memory.keep = [&](auto contents) {
    ++kept;
    return Bytes(contents.begin(), contents.end());
  };
  const auto ran = run_plan(queue, step_program(), plan, {.warmup = 0, .timed = 40}, memory);
  ASSERT_TRUE(ran) << ran.error().message;
  const auto& run = std::get<msci::Run>(*ran);
  EXPECT_EQ(run.outputs, outputs_of({11, 22, 33, 44}));
  EXPECT_TRUE(run.deviations.empty());
  EXPECT_EQ(kept, 1 + run.variants.size());
}

TEST(PlanRunner, ends_timing_when_it_cannot_keep_more_deviations) {
  float passes = 0;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    *queue.pointer<float>(arguments, 2) = ++passes;
    return std::nullopt;
  });
  const Repeats repeats{.warmup = 0, .timed = 500};
  const auto run = expect_run(queue, step_plan(), repeats);
  EXPECT_EQ(run.deviations.size(), most_deviations(step_plan(), repeats));
  EXPECT_EQ(run.seconds.size(), run.deviations.size());
}

Plan plan_with_variants() {
  auto plan = step_plan();
  plan.variants = 2;
  plan.buffers[0].variants = {floats("", {5, 6, 7, 8}).initial, floats("", {0, 0, 0, 1}).initial};
  return plan;
}

TEST(PlanRunner, draws_the_inputs_of_timed_passes_and_verifies_each_variant_after_them) {
  std::vector<float> first;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    first.push_back(*queue.pointer<float>(arguments, 0));
    return add(queue, arguments);
  });
  const auto run = expect_run(queue, plan_with_variants(), {.warmup = 0, .timed = 60});
  EXPECT_EQ(std::set(first.begin(), first.end() - 3), (std::set<float>{0, 1, 5}));
  EXPECT_EQ(std::vector(first.end() - 3, first.end()), (std::vector<float>{5, 0, 1}));
  EXPECT_EQ(run.outputs, outputs_of({11, 22, 33, 44}));
  EXPECT_EQ(run.variants, (std::vector<VariantOutputs>{{1, outputs_of({15, 26, 37, 48})},
                                                       {2, outputs_of({10, 20, 30, 41})}}));
  EXPECT_TRUE(run.deviations.empty());
}

TEST(PlanRunner, restores_and_names_what_the_contract_lets_no_kernel_write) {
  auto translation = step_program();
  translation.kernels[0].arguments[0].constant = false;  // as the candidate declares it
  auto plan = step_plan();
  plan.buffers[0].constant = true;
  plan.buffers[0].reset = false;
  std::vector<float> seen;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    auto* in = queue.pointer<float>(arguments, 0);
    seen.push_back(*in);
    *in += 1;
    return std::nullopt;
  });
  const auto run = expect_run(queue, plan, {.warmup = 0, .timed = 2}, translation);
  EXPECT_EQ(seen, (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(run.changed_inputs, std::vector<std::string>{"in"});
}

TEST(PlanRunner, refuses_a_kernel_that_changes_what_it_may_only_read) {
  auto queue = queue_with([](FakeQueue& queue, Arguments arguments) {
    queue.pointer<float>(arguments, 0)[2] = 0;
    return std::nullopt;
  });
  EXPECT_EQ(
      expect_failure(queue, step_plan()),
      (Failure{Failure::Cause::wrote_constant, "the kernel changed in, which it may only read"}));
}

TEST(PlanRunner, a_buffer_that_another_argument_may_write_is_not_constant) {
  auto queue = queue_with(add);
  auto plan = step_plan();
  plan.launches[0].bindings[0].buffer = 1;
  EXPECT_EQ(expect_run(queue, plan).outputs, outputs_of({20, 40, 60, 80}));
}

TEST(PlanRunner, a_failing_launch_keeps_its_cause_and_ends_the_run) {
  auto queue = queue_with(
      [](FakeQueue&, Arguments) { return Failure{Failure::Cause::time_out, "no answer"}; });
  EXPECT_EQ(expect_failure(queue, step_plan(), {.warmup = 3, .timed = 3}),
            (Failure{Failure::Cause::time_out, "step: no answer"}));
  EXPECT_EQ(queue.launched.size(), 1u);
}

TEST(PlanRunner, a_pass_that_fails_at_its_end_is_the_kernels_failure) {
  auto queue = queue_with(add);
  queue.finish_failure = Failure{Failure::Cause::run_time, "CL_OUT_OF_RESOURCES"};
  EXPECT_EQ(expect_failure(queue, step_plan()),
            (Failure{Failure::Cause::run_time, "the pass: CL_OUT_OF_RESOURCES"}));
}

TEST(PlanRunner, lack_of_memory_is_our_error_and_names_the_buffer) {
  auto queue = queue_with(add);
  queue.most_bytes = 1000;
  const auto ran = run_plan(queue, step_program(), step_plan(), verify_only);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().message,
            "the device cannot give 12288 bytes for buffer in (no memory left)");
}

TEST(PlanRunner, empties_caches_before_each_cold_pass) {
  auto queue = queue_with([](FakeQueue& queue, Arguments arguments) {
    auto& flush = queue.memories.back();
    EXPECT_EQ(flush.back(), std::byte{0xff});
    flush.back() = {};
    return add(queue, arguments);
  });
  expect_run(queue, step_plan(), {.warmup = 0, .timed = 1, .cold = true});
  EXPECT_EQ(queue.memories.size(), 3u);
  EXPECT_GE(queue.memories.back().size(), 2 * queue.cache_bytes());
  EXPECT_EQ(queue.passes(), 2u);
}

// --- Checked programs

Translation checked_program() {
  auto program = step_program();
  program.places.resize(2);
  program.kernels[0].objects = {{.name = "in", .granule = 4},
                                {.name = "out", .granule = 4, .written = true}};
  return program;
}

// The parameters behind the two buffers and the six extents.
enum CheckParameter {
  log_parameter = 10,
  shadow_parameter,
  group_parameter,
  objects_parameter,
  number_parameter
};

std::uint64_t* words(FakeQueue& queue, Arguments arguments, CheckParameter parameter) {
  const auto memory = std::get<DeviceMemory>(arguments[parameter]);
  return reinterpret_cast<std::uint64_t*>(queue.memories[memory.index].data());
}

TEST(PlanRunner, numbers_checked_launches_and_clears_the_shadow_when_numbers_repeat) {
  std::vector<unsigned> numbers;
  std::vector<std::uint64_t> shadow;
  auto queue = queue_with([&](FakeQueue& queue, Arguments arguments) {
    numbers.push_back(std::get<std::uint32_t>(arguments[number_parameter]));
    auto* first = words(queue, arguments, shadow_parameter);
    shadow.push_back(*first);
    *first = 1;
    return std::nullopt;
  });
  auto plan = step_plan();
  const auto most = distinct_launches;
  plan.launches.resize(most + 2, plan.launches[0]);
  expect_run(queue, plan, verify_only, checked_program());
  ASSERT_EQ(numbers.size(), most + 2);
  EXPECT_EQ(numbers[0], 1u);
  EXPECT_EQ(numbers[most - 1], most);
  EXPECT_EQ(numbers[most], 1u);
  for (std::size_t i = 0; i < shadow.size(); ++i) EXPECT_EQ(shadow[i], i % most == 0 ? 0u : 1u);
}

TEST(PlanRunner, reads_faults_from_the_log) {
  auto queue = queue_with([](FakeQueue& queue, Arguments arguments) {
    auto* log = words(queue, arguments, log_parameter);
    const auto* objects = words(queue, arguments, objects_parameter);
    EXPECT_EQ(objects[6], slack_before(16)) << "where `in` begins";
    EXPECT_EQ(objects[7], 16u);
    log[0] = 1;
    // An access of object 1 out of bounds, at place 1, by the first thread.
    const std::uint64_t entry[] = {objects[1] << 25 | 1U << 9, 1U << 2, 0, 16, 1};
    std::copy(std::begin(entry), std::end(entry), log + 1 + 1024);
    return std::nullopt;
  });
  const auto run = expect_run(queue, step_plan(), verify_only, checked_program());
  ASSERT_EQ(run.checks.faults.size(), 1u);
  EXPECT_EQ(run.checks.faults[0], (Fault{.kind = Fault::Kind::out_of_bounds,
                                         .kernel = "step",
                                         .access = {.location_id = 1},
                                         .object = "out",
                                         .offset = 16,
                                         .bytes = 16}));
}

// --- QueueProgram

class FakeProgram : public QueueProgram {
 public:
  FakeProgram(const DeviceInfo& info, Attempt<std::monostate> opened = {},
              const Translation& translation = step_program())
      : QueueProgram(info, translation), opened_(std::move(opened)) {}
  unsigned queues = 0;
  bool is_uncertain = false;  // each first run of a plan
  std::vector<bool> repeats;  // of its queues

 private:
  Result<Attempt<std::unique_ptr<Queue>>> open_queue(const Plan&, bool is_repeat) override {
    ++queues;
    repeats.push_back(is_repeat);
    if (const auto* failure = std::get_if<Failure>(&opened_))
      return Attempt<std::unique_ptr<Queue>>{*failure};
    auto queue = std::make_unique<FakeQueue>();
    queue->kernels["step_symbol"] = add;
    queue->is_uncertain = is_uncertain && !is_repeat;
    if (queue->is_uncertain)
      queue->kernels["step_symbol"] = [](FakeQueue&, std::span<const Argument>) {
        return std::optional(Failure{Failure::Cause::signal, "ended early"});
      };
    return Attempt<std::unique_ptr<Queue>>{std::move(queue)};
  }
  Attempt<std::monostate> opened_;
};

const DeviceInfo small_device = {
    .name = "small", .max_threads_per_threadgroup = 64, .max_buffer = 20000};

TEST(QueueProgram, runs_each_plan_on_a_fresh_queue) {
  FakeProgram program(small_device);
  for (int i = 0; i < 2; ++i) {
    const auto ran = program.run(step_plan(), verify_only);
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(std::get<msci::Run>(*ran).outputs, outputs_of({11, 22, 33, 44}));
  }
  EXPECT_EQ(program.queues, 2u);
}

TEST(QueueProgram, repeats_a_run_that_is_not_certain) {
  FakeProgram program(small_device);
  program.is_uncertain = true;
  for (int i = 0; i < 2; ++i) {
    const auto ran = program.run(step_plan(), verify_only);
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(std::get<msci::Run>(*ran).outputs, outputs_of({11, 22, 33, 44}));
  }
  EXPECT_EQ(program.repeats, (std::vector{false, true, false, true}));
}

TEST(QueueProgram, forgets_the_results_of_a_run_that_it_repeats) {
  FakeProgram program(small_device);
  std::size_t forgotten = 0;
  auto memory = private_memory();
  memory.forget = [&] { ++forgotten; };
  ASSERT_TRUE(program.run_in(memory, step_plan(), verify_only));
  EXPECT_EQ(forgotten, 0u);
  program.is_uncertain = true;
  ASSERT_TRUE(program.run_in(memory, step_plan(), verify_only));
  EXPECT_EQ(forgotten, 1u);
}

TEST(QueueProgram, refuses_what_a_metal_host_refuses) {
  FakeProgram program(small_device);
  auto unknown = step_plan();
  unknown.launches[0].kernel = "other";
  auto unbound = step_plan();
  unbound.launches[0].bindings.pop_back();
  for (const auto& plan : {unknown, unbound}) {
    const auto ran = program.run(plan, verify_only);
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(std::get<Failure>(*ran).cause, Failure::Cause::missing_binding);
  }
  EXPECT_EQ(program.queues, 0u);
}

TEST(QueueProgram, what_exceeds_the_device_is_our_error) {
  FakeProgram program(small_device);
  auto wide = step_plan();
  wide.launches[0].threadgroup = {65};
  EXPECT_EQ(program.run(wide, verify_only).error().message,
            "step needs 65 threads per threadgroup; small has at most 64");
  auto large = step_plan();
  large.buffers[1] = {.name = "out", .bytes = 20000};
  EXPECT_EQ(program.run(large, verify_only).error().message,
            "buffer out needs 20000 bytes; small has at most 20000 for one");
  EXPECT_EQ(program.queues, 0u);
}

TEST(QueueProgram, threadgroup_memory_that_exceeds_the_device_is_our_error) {
  auto translation = step_program();
  translation.kernels[0].threadgroup_bytes = 1000;
  auto plan = step_plan();
  plan.launches[0].threadgroup_memory = {{0, 16}, {1, 9}};
  auto device = small_device;  // which does not say how much it has
  for (const std::size_t most : {0U, 1025U, 1024U}) {
    device.threadgroup_memory = most;
    const auto ran = FakeProgram(device, {}, translation).run(plan, verify_only);
    ASSERT_EQ(static_cast<bool>(ran), most != 1024);
    if (!ran)
      EXPECT_EQ(ran.error().message,
                "step needs 1025 bytes of threadgroup memory; small has at most 1024");
  }
  // A Metal host refuses more than its own limit before it asks the device.
  plan.launches[0].threadgroup_memory = {{0, threadgroup_memory_limit}};
  const auto ran = FakeProgram(device, {}, translation).run(plan, verify_only);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(std::get<Failure>(*ran).cause, Failure::Cause::threadgroup_memory);
}

TEST(QueueProgram, a_queue_that_fails_to_open_is_the_kernels_failure) {
  const Failure failure{Failure::Cause::build, "syntax error"};
  FakeProgram program(small_device, failure);
  const auto ran = program.run(step_plan(), verify_only);
  ASSERT_TRUE(ran);
  EXPECT_EQ(std::get<Failure>(*ran), failure);
}

// --- Grids

std::size_t threads_of(const std::vector<GridPart>& parts) {
  std::size_t threads = 0;
  for (const auto& part : parts) threads += part.groups.count() * part.threadgroup.count();
  return threads;
}

TEST(SplitGrid, one_part_where_the_threadgroups_divide_the_grid) {
  const auto parts = split_grid({8, 6, 4}, {4, 3, 2});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].first, (ThreadPosition{0, 0, 0}));
  EXPECT_EQ(parts[0].groups, (Extent{2, 2, 2}));
  EXPECT_EQ(parts[0].threadgroup, (Extent{4, 3, 2}));
}

TEST(SplitGrid, smaller_threadgroups_at_the_edges) {
  const auto parts = split_grid({5, 7, 3}, {2, 4, 2});
  ASSERT_EQ(parts.size(), 8u);
  EXPECT_EQ(threads_of(parts), 5u * 7 * 3);
  EXPECT_EQ(parts.back().first, (ThreadPosition{4, 4, 2}));
  EXPECT_EQ(parts.back().groups, (Extent{1, 1, 1}));
  EXPECT_EQ(parts.back().threadgroup, (Extent{1, 3, 1}));
  const auto edge = split_grid({3}, {8});
  ASSERT_EQ(edge.size(), 1u);
  EXPECT_EQ(edge[0].threadgroup, (Extent{3, 1, 1}));
}

TEST(SplitGrid, no_more_threadgroups_than_a_launch_may_have) {
  const auto parts = split_grid({1, 11, 1}, {1, 2, 1}, {9, 3, 9});
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(threads_of(parts), 11u);
  EXPECT_EQ(parts[0].groups.y, 3u);
  EXPECT_EQ(parts[1].first.y, 6u);
  EXPECT_EQ(parts[1].groups.y, 2u);
  EXPECT_EQ(parts[2].first.y, 10u);
  EXPECT_EQ(parts[2].threadgroup.y, 1u);
}

}  // namespace
}  // namespace msci
