// Threadgroups by thread limit: the shape of a group is part of what a task means.
#include <gtest/gtest.h>

#include "check.h"
#include "tasks/launch.h"

namespace msci {
namespace {

Translation one_kernel(unsigned cap) {
  Translation program;
  program.kernels.push_back({.name = "k", .symbol = "k", .thread_limit = cap});
  return program;
}

TEST(TileGroup, HalvesItsHeightUntilTheCapHolds) {
  const std::pair<unsigned, Extent> cases[] = {
      {1024, {16, 16}}, {256, {16, 16}}, {255, {16, 8}}, {128, {16, 8}}, {127, {16, 4}},
      {64, {16, 4}},    {63, {16, 2}},   {32, {16, 2}},  {31, {16, 1}},  {16, {16, 1}}};
  for (const auto& [cap, expected] : cases)
    EXPECT_EQ(*tile_group(one_kernel(cap), "k"), expected) << cap;
}

TEST(TileGroup, IsARunTimeErrorBelowItsWidth) {
  const auto group = tile_group(one_kernel(15), "k");
  ASSERT_FALSE(group);
  EXPECT_EQ(group.error().message,
            "k allows 15 threads in a threadgroup, but the host's is 16 wide");
}

TEST(BrickGroup, HalvesZThenYThenX) {
  const std::pair<unsigned, Extent> cases[] = {
      {1024, {8, 8, 4}}, {256, {8, 8, 4}}, {255, {8, 8, 2}}, {128, {8, 8, 2}}, {127, {8, 8, 1}},
      {64, {8, 8, 1}},   {63, {8, 4, 1}},  {32, {8, 4, 1}},  {31, {8, 2, 1}},  {16, {8, 2, 1}},
      {15, {8, 1, 1}},   {8, {8, 1, 1}},   {7, {4, 1, 1}},   {4, {4, 1, 1}},   {3, {2, 1, 1}},
      {2, {2, 1, 1}},    {1, {1, 1, 1}}};
  for (const auto& [cap, expected] : cases)
    EXPECT_EQ(*brick_group(one_kernel(cap), "k"), expected) << cap;
}

TEST(RowGroup, IsThePreferredOneOrTheCap) {
  EXPECT_EQ(*row_group(one_kernel(1024), "k", 128), (Extent{128}));
  EXPECT_EQ(*row_group(one_kernel(128), "k", 128), (Extent{128}));
  EXPECT_EQ(*row_group(one_kernel(100), "k", 128), (Extent{100}));
  EXPECT_EQ(*row_group(one_kernel(1), "k", 128), (Extent{1}));
}

TEST(FixedGroup, NeverShrinks) {
  EXPECT_EQ(*fixed_group(one_kernel(32), "k", 32), (Extent{32}));
  EXPECT_FALSE(fixed_group(one_kernel(31), "k", 32));
}

TEST(Groups, NeedAKernelAndAThread) {
  for (const auto& program : {Translation{}, one_kernel(0)}) {
    EXPECT_FALSE(row_group(program, "k", 128));
    EXPECT_FALSE(tile_group(program, "k"));
    EXPECT_FALSE(brick_group(program, "k"));
    EXPECT_FALSE(fixed_group(program, "k", 32));
  }
}

TEST(Cover, RoundsEachDimensionUp) {
  EXPECT_EQ(cover({65, 65}, {16, 8}), (Extent{80, 72}));
  EXPECT_EQ(cover({125}, {64}), (Extent{128}));
  EXPECT_EQ(cover({64, 64, 64}, {8, 8, 4}), (Extent{64, 64, 64}));
  EXPECT_EQ(cover({1728}, {100}), (Extent{1800}));
}

struct Capped {
  std::string_view task;
  unsigned cap;
  std::vector<Extent> groups;  // one per kernel of a step; none where the cap is an error
};

// All kernels of the task get the same cap.
TEST(Plans, FollowTheCap) {
  const Capped cases[] = {{"saxpy", 100, {{100}}},
                          {"heat2d", 64, {{16, 4}}},
                          {"heat2d", 15, {}},
                          {"wave3d", 64, {{8, 8, 1}}},
                          {"nbody", 32, {{32}}},
                          {"hmc", 32, {{32}}},
                          {"lbm", 64, {{16, 4}}},
                          {"lbm", 8, {}},
                          {"ising", 255, {{16, 8}}},
                          {"ising", 8, {}},
                          {"lj", 96, {{64}, {96}, {96}}},
                          {"lj", 32, {{32}, {32}, {32}}},
                          {"gradshaf", 200, {{128}, {16, 8}}},
                          {"gradshaf", 16, {{16}, {16, 1}}},
                          {"gradshaf", 15, {}},
                          {"fft3d", 32, {{32}, {32}, {32}}},
                          {"fft3d", 31, {}},
                          {"adi3d", 32, {{32}, {32}, {32}}},
                          {"adi3d", 31, {}},
                          {"morton", 128, {{128}}}};
  for (const Capped& each : cases) {
    const Task& task = the_task(each.task);
    const auto plan = task.plan(task.sizes[0], program_for(task, each.cap));
    ASSERT_EQ(plan.has_value(), !each.groups.empty()) << each.task << " " << each.cap;
    for (std::size_t i = 0; i < each.groups.size(); ++i) {
      EXPECT_EQ(plan->launches[i].threadgroup, each.groups[i]) << each.task << " " << each.cap;
      EXPECT_EQ(plan->launches[i].grid.x % each.groups[i].x, 0U);
      EXPECT_EQ(plan->launches[i].grid.y % each.groups[i].y, 0U);
    }
  }
}

TEST(Plans, GiveEachKernelOfLjItsOwnCap) {
  const Task& task = the_task("lj");
  auto program = program_for(task);
  program.kernels[0].thread_limit = 32;
  program.kernels[2].thread_limit = 64;
  const auto plan = task.plan(task.sizes[0], program);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->launches[0].threadgroup, (Extent{32}));
  EXPECT_EQ(plan->launches[1].threadgroup, (Extent{128}));
  EXPECT_EQ(plan->launches[2].threadgroup, (Extent{64}));
}

TEST(Plans, NeedEveryKernelOfTheTask) {
  for (const Task* task : all_tasks())
    for (std::size_t missing = 0; missing < task->kernels.size(); ++missing) {
      auto program = program_for(*task);
      program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(missing));
      const auto plan = task->plan(task->sizes[0], program);
      ASSERT_FALSE(plan) << task->name;
      EXPECT_EQ(plan.error().message,
                "the program has no kernel " + std::string(task->kernels[missing].name));
    }
}

}  // namespace
}  // namespace msci
