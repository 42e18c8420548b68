// Simdgroups of one threadgroup take turns at barriers.
#include "engine/threadgroup/threadgroup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/fault_guard.h"

namespace msci::engine {
namespace {

std::vector<int> steps;

// Each simdgroup waits as often as its index says.
void wait_by_index(const Threadgroup*, std::uint32_t, std::uint32_t, std::uint32_t simdgroup,
                   std::uint32_t) {
  for (std::uint32_t i = 0; i <= simdgroup; ++i) {
    steps.push_back(static_cast<int>(10 * i + simdgroup));
    if (i < simdgroup) wait_for_threadgroup();
  }
}

TEST(Threadgroup, barriers_let_every_simdgroup_arrive_before_one_goes_on) {
  steps.clear();
  Stacks stacks;
  const Threadgroup threadgroup = {};
  RunOrder order({}, 0);
  stacks.run(wait_by_index, threadgroup, 3, 0, order);
  EXPECT_EQ(steps, (std::vector{0, 1, 2, 11, 12, 22}));
}

TEST(Threadgroup, simdgroups_run_in_the_order_that_is_asked_for) {
  steps.clear();
  Stacks stacks;
  const Threadgroup threadgroup = {};
  RunOrder order({.order = Execution::Order::reversed}, 0);
  stacks.run(wait_by_index, threadgroup, 3, 0, order);
  EXPECT_EQ(steps, (std::vector{2, 1, 0, 12, 11, 22}));
}

TEST(RunOrder, of_a_key_is_a_new_permutation_each_time_and_the_same_again) {
  const Execution execution{.order = Execution::Order::keyed, .key = 4711};
  RunOrder order(execution, 0), again(execution, 0), other(execution, 1);
  const auto copy = [](std::span<const std::uint32_t> numbers) {
    return std::vector(numbers.begin(), numbers.end());
  };
  const auto first = copy(order.next(100));
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(sorted[i], i);
  EXPECT_EQ(copy(again.next(100)), first);
  EXPECT_NE(copy(other.next(100)), first);
  const auto second = copy(order.next(100));
  EXPECT_NE(second, first);
  EXPECT_EQ(copy(again.next(100)), second);
}

std::vector<double> sums;

void keep_registers(const Threadgroup*, std::uint32_t, std::uint32_t, std::uint32_t simdgroup,
                    std::uint32_t) {
  double sum = 0;
  for (int i = 0; i < 100; ++i) {
    sum += i * (simdgroup + 1);
    wait_for_threadgroup();
  }
  sums.push_back(sum);
}

TEST(Threadgroup, values_survive_a_barrier) {
  sums.clear();
  Stacks stacks;
  const Threadgroup threadgroup = {};
  RunOrder order({}, 0);
  for (int again = 0; again < 2; ++again) stacks.run(keep_registers, threadgroup, 32, 0, order);
  ASSERT_EQ(sums.size(), 64U);
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], 4950.0 * (i % 32 + 1));
}

void write_below_the_stack(const Threadgroup*, std::uint32_t, std::uint32_t, std::uint32_t,
                           std::uint32_t) {
  volatile char here = 0;
  for (volatile char* at = &here;; at -= 4096) *at = 1;
}

std::set<std::uintptr_t> lines;  // of a page

void note_line(const Threadgroup*, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) {
  constexpr std::uintptr_t page = 4096, line = 64;
  lines.insert(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % page / line);
}

TEST(Threadgroup, stacks_of_simdgroups_use_different_sets_of_the_cache) {
  lines.clear();
  Stacks stacks;
  const Threadgroup threadgroup = {};
  RunOrder order({}, 0);
  stacks.run(note_line, threadgroup, 32, 0, order);
  EXPECT_EQ(lines.size(), 32U);
}

TEST(Threadgroup, a_stack_that_overflows_meets_its_guard) {
  prepare_for_traps();
  Stacks stacks;
  const Threadgroup threadgroup = {};
  RunOrder order({}, 0);
  const auto trap = guarded([&] { stacks.run(write_below_the_stack, threadgroup, 1, 0, order); });
  ASSERT_TRUE(trap);
  EXPECT_TRUE(stacks.is_guard(trap->address));
}

}  // namespace
}  // namespace msci::engine
