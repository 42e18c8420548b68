// Runs one Metal kernel on the processor, in this process.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/cpu_device.h"
#include "evaluator/session/compile_kernel.h"
#include "rules/rules.h"

namespace msci {

constexpr const char* metal_head = "#include <metal_stdlib>\nusing namespace metal;\n";

// Buffer 0 of the plan is bound to index 0, and so on; the last is the result.
struct Launched {
  std::vector<PlanBuffer> buffers;
  Extent grid;
  Extent threadgroup;
  Execution execution = {};
};

inline Plan plan_of(Launched launched) {
  Plan plan;
  Launch launch{.kernel = "k", .grid = launched.grid, .threadgroup = launched.threadgroup};
  for (auto& buffer : launched.buffers) {
    const auto index = static_cast<unsigned>(launch.bindings.size());
    buffer.name = fmt::format("buffer{}", index);
    launch.bindings.push_back({index, plan.add(std::move(buffer))});
  }
  plan.results = {plan.buffers.size() - 1};
  plan.launches = {launch};
  plan.execution = launched.execution;
  return plan;
}

// A kernel that is built for the processor.
struct BuiltKernel {
  std::unique_ptr<Device> device;    // that the program needs
  std::unique_ptr<Program> program;  // null after a failure of the test
};

inline BuiltKernel build_kernel(const std::string& text) {
  const auto prepared = compile({"kernel.metal", metal_head + text}, all_rules());
  if (!prepared || !prepared->translation) {
    ADD_FAILURE() << (prepared ? prepared->rejection : prepared.error().message);
    return {};
  }
  auto device = open_cpu_device(0);
  EXPECT_TRUE(device) << device.error().message;
  auto built = (*device)->build(*prepared->translation);
  EXPECT_TRUE(built) << built.error().message;
  return {*std::move(device), std::get<std::unique_ptr<Program>>(*std::move(built))};
}

inline Attempt<Run> run_kernel(const std::string& text, Launched launched) {
  const auto built = build_kernel(text);
  if (!built.program) return Failure{};
  auto ran = built.program->run(plan_of(std::move(launched)), verify_only);
  EXPECT_TRUE(ran) << ran.error().message;
  return *std::move(ran);
}

inline std::vector<unsigned> words(const Attempt<Run>& ran) {
  const auto* run = std::get_if<msci::Run>(&ran);
  if (!run) {
    ADD_FAILURE() << std::get<Failure>(ran).message;
    return {};
  }
  const auto view = run->outputs[0].as<unsigned>();
  return {view.begin(), view.end()};
}

inline PlanBuffer empty(std::size_t count) { return {.bytes = 4 * count}; }

inline Execution in_order(const std::string& text) { return *execution_from(text); }

}  // namespace msci
