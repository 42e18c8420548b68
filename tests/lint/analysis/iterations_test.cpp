#include "lint/analysis/indices/iterations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

// Whether the write of one iteration reaches the read of the next without a barrier.
bool reaches_next(std::string_view head, std::string_view tail,
                  std::string_view loop = "uint k = 0; k < n; ++k") {
  const auto kernel = kernel_with(
      fmt::format("for ({}) {{ {} uint read = 0; uint write = 0; {} }}", loop, head, tail));
  const auto& flow = kernel.flow();
  std::set<const clang::Stmt*> fences;
  for (const auto& barrier : flow.barriers()) fences.insert(barrier.call);
  return reaches_unfenced(kernel.statement_of("write"), kernel.statement_of("read"), flow, fences);
}

std::string barrier_if(std::string_view condition) {
  return fmt::format("if ({}) threadgroup_barrier(mem_flags::mem_threadgroup);", condition);
}

TEST(Iterations, a_barrier_at_the_head_may_leave_out_the_first_one) {
  constexpr std::pair<std::string_view, bool> cases[] = {
      {"k > 0", false}, {"k != 0", false}, {"0 < k", false}, {"k >= 1", false},
      {"k", false},     {"k > 1", true},   {"k < 3", true},  {"n > 3", true},
  };
  for (const auto& [condition, reaches] : cases)
    EXPECT_EQ(reaches_next(barrier_if(condition), ""), reaches) << condition;
}

TEST(Iterations, a_barrier_at_the_end_may_leave_out_the_last_one) {
  constexpr std::pair<std::string_view, bool> cases[] = {
      {"k + 1 < n", false}, {"k != n - 1", false}, {"n > k + 1", false},
      {"k + 2 < n", true},  {"k < n - 2", true},   {"k + 1 < n + n", true},
  };
  for (const auto& [condition, reaches] : cases)
    EXPECT_EQ(reaches_next("", barrier_if(condition)), reaches) << condition;
}

TEST(Iterations, count_from_the_start_and_by_the_step_of_the_loop) {
  EXPECT_FALSE(reaches_next(barrier_if("k > 4"), "", "uint k = 4; k < n; ++k"));
  EXPECT_TRUE(reaches_next(barrier_if("k > 4"), "", "uint k = 2; k < n; ++k"));
  EXPECT_FALSE(reaches_next("", barrier_if("k + 8 < n"), "uint k = 0; k < n; k += 8"));
  EXPECT_TRUE(reaches_next("", barrier_if("k + 8 < n"), "uint k = 0; k < n; k += 4"));
}

TEST(Iterations, an_unconditional_barrier_is_enough_and_none_is_not) {
  EXPECT_FALSE(reaches_next("threadgroup_barrier(mem_flags::mem_threadgroup);", ""));
  EXPECT_TRUE(reaches_next("", ""));
}

}  // namespace
}  // namespace msci
