#include "lint/analysis/flow/thread_flow.h"

#include <clang/AST/Stmt.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

TEST(ThreadFlow, knows_how_values_vary_within_a_threadgroup) {
  constexpr std::pair<std::string_view, Divergence> cases[] = {
      {"n", Divergence::none},
      {"group.x + n", Divergence::none},
      {"t", Divergence::thread},
      {"p.x", Divergence::thread},
      {"lane", Divergence::thread},
      {"sg", Divergence::simdgroup},
      {"sg * n + 1", Divergence::simdgroup},
      {"sg + t", Divergence::thread},
      {"t / 32", Divergence::simdgroup},
      {"p.x - q.x", Divergence::none},
      {"uint(a[n])", Divergence::none},
      {"uint(a[t])", Divergence::thread},
      {"t < 4 ? n : 1", Divergence::thread},
  };
  for (const auto& [expression, divergence] : cases) {
    const auto kernel = kernel_with(fmt::format("uint v = {};", expression));
    EXPECT_EQ(kernel.flow().divergence(kernel.value_of("v")), divergence) << expression;
  }
}

TEST(ThreadFlow, a_divergent_branch_makes_what_it_assigns_vary) {
  const auto kernel = kernel_with(R"(
      uint divergent = 0, uniform = 0;
      if (t < 4) divergent = 1;
      if (n < 4) uniform = 1;
      uint v = divergent;
      uint w = uniform;)");
  EXPECT_EQ(kernel.flow().divergence(kernel.value_of("v")), Divergence::thread);
  EXPECT_EQ(kernel.flow().divergence(kernel.value_of("w")), Divergence::none);
}

TEST(ThreadFlow, divergence_spreads_around_loops) {
  const auto kernel = kernel_with(R"(
      uint first = 0, second = 0;
      for (uint k = 0; k < n; ++k) {
        uint v = second;
        second = first;
        first = t;
      })");
  EXPECT_EQ(kernel.flow().divergence(kernel.value_of("v")), Divergence::thread);
}

TEST(ThreadFlow, reads_positions_from_attributes) {
  const auto kernel = kernel_with("uint v = 0;");
  constexpr std::pair<std::string_view, Position> cases[] = {
      {"p", Position::in_grid}, {"q", Position::in_threadgroup}, {"t", Position::in_threadgroup},
      {"lane", Position::lane}, {"sg", Position::simdgroup},     {"group", Position::threadgroup},
      {"n", Position::none},    {"size", Position::none},
  };
  for (const auto& [name, position] : cases)
    EXPECT_EQ(kernel.flow().position(kernel.parameter(name)), position) << name;
}

TEST(ThreadFlow, knows_variables_that_hold_one_value) {
  const auto kernel = kernel_with(R"(
      uint once = t + 1;
      uint twice = t;
      twice += 1;
      uint stepped = 0;
      ++stepped;)");
  const auto& flow = kernel.flow();
  EXPECT_EQ(kernel.text(flow.only_value(kernel.variable("once"))), "t + 1");
  EXPECT_EQ(flow.only_value(kernel.variable("twice")), nullptr);
  EXPECT_TRUE(flow.is_fixed(kernel.variable("once")));
  EXPECT_FALSE(flow.is_fixed(kernel.variable("twice")));
  EXPECT_FALSE(flow.is_fixed(kernel.variable("stepped")));
}

TEST(ThreadFlow, lists_the_conditions_around_a_statement) {
  const auto kernel = kernel_with("if (n > 3) { if (t < 4) {} else { uint v = 0; } }");
  const auto& guards = kernel.flow().guards(kernel.statement_of("v"));
  ASSERT_EQ(guards.size(), 2u);
  EXPECT_EQ(kernel.text(guards[0].condition), "n > 3");
  EXPECT_TRUE(guards[0].taken);
  EXPECT_EQ(kernel.text(guards[1].condition), "t < 4");
  EXPECT_FALSE(guards[1].taken);
}

TEST(ThreadFlow, finds_the_condition_that_keeps_threads_from_a_statement) {
  struct Case {
    std::string_view body;
    Divergence least;
    std::string_view condition;
  };
  constexpr Case cases[] = {
      {"if (t < 4) { uint v = 0; }", Divergence::thread, "t < 4"},
      {"if (n < 4) { uint v = 0; }", Divergence::simdgroup, ""},
      {"if (sg < 4) { uint v = 0; }", Divergence::simdgroup, "sg < 4"},
      {"if (sg < 4) { uint v = 0; }", Divergence::thread, ""},
      {"if (p.x >= n) return; uint v = 0;", Divergence::thread, "p.x >= n"},
      {"if (n > 9) return; uint v = 0;", Divergence::simdgroup, ""},
      {"for (uint k = t; k < n; ++k) { uint v = 0; }", Divergence::thread, "k < n"},
      {"if (t < 4) { a[t] = 0; } uint v = 0;", Divergence::thread, ""},
  };
  for (const auto& [body, least, condition] : cases) {
    const auto kernel = kernel_with(body);
    EXPECT_EQ(kernel.text(kernel.flow().divergent_condition(kernel.statement_of("v"), least)),
              condition)
        << body;
  }
}

TEST(ThreadFlow, finds_the_exit_under_a_condition) {
  const auto kernel = kernel_with("if (p.x >= n) return; if (t > 4) { a[t] = 1; } uint v = 0;");
  const auto& flow = kernel.flow();
  const auto* exit = flow.exit_under(flow.deciding(kernel.statement_of("v")).front());
  ASSERT_NE(exit, nullptr);
  EXPECT_TRUE(llvm::isa<clang::ReturnStmt>(exit));
}

TEST(ThreadFlow, reads_what_barriers_order) {
  struct Case {
    std::string_view call;
    bool whole_threadgroup, threadgroup, device;
  };
  constexpr Case cases[] = {
      {"threadgroup_barrier(mem_flags::mem_threadgroup)", true, true, false},
      {"threadgroup_barrier(mem_flags::mem_device)", true, false, true},
      {"threadgroup_barrier(mem_flags::mem_none)", true, false, false},
      {"threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup)", true, true, true},
      {"simdgroup_barrier(mem_flags::mem_threadgroup)", false, true, false},
  };
  for (const auto& each : cases) {
    const auto kernel = kernel_with(fmt::format("{};", each.call));
    ASSERT_EQ(kernel.flow().barriers().size(), 1u) << each.call;
    const auto& barrier = kernel.flow().barriers().front();
    EXPECT_EQ(barrier.whole_threadgroup, each.whole_threadgroup) << each.call;
    EXPECT_EQ(barrier.orders_threadgroup, each.threadgroup) << each.call;
    EXPECT_EQ(barrier.orders_device, each.device) << each.call;
  }
}

TEST(ThreadFlow, knows_whether_every_way_passes_a_fence) {
  constexpr std::pair<std::string_view, bool> cases[] = {
      {"threadgroup_barrier(mem_flags::mem_threadgroup);", false},
      {"", true},
      {"if (n > 3) threadgroup_barrier(mem_flags::mem_threadgroup);", true},
      {"if (n > 3) threadgroup_barrier(mem_flags::mem_threadgroup); "
       "else threadgroup_barrier(mem_flags::mem_device);",
       false},
      {"for (uint k = 0; k < n; ++k) threadgroup_barrier(mem_flags::mem_threadgroup);", true},
      {"return;", false},
  };
  for (const auto& [between, reaches] : cases) {
    const auto kernel = kernel_with(fmt::format("uint from = 0; {} uint to = 0;", between));
    const auto& flow = kernel.flow();
    std::set<const clang::Stmt*> fences;
    for (const auto& barrier : flow.barriers()) fences.insert(barrier.call);
    const auto* from = kernel.statement_of("from");
    const auto* to = kernel.statement_of("to");
    EXPECT_EQ(flow.reaches(from, to, fences), reaches) << between;
    EXPECT_EQ(flow.reaches(nullptr, to, fences), reaches) << between;
    EXPECT_FALSE(flow.reaches(to, from, {})) << between;
  }
}

TEST(ThreadFlow, a_function_takes_the_flow_of_its_arguments) {
  const TestKernel kernel(R"(#include <metal_stdlib>
using namespace metal;
uint twice(uint x) { return 2 * x; }
kernel void f(device float* a [[buffer(0)]], constant uint& n [[buffer(1)]],
              uint t [[thread_index_in_threadgroup]]) {
  uint v = twice(t);
  uint w = twice(n);
}
)");
  EXPECT_EQ(kernel.flow().divergence(kernel.value_of("v")), Divergence::thread);
  EXPECT_EQ(kernel.flow().divergence(kernel.value_of("w")), Divergence::none);
}

TEST(CooperativeFlows, are_of_kernels_whose_threads_share_or_wait) {
  const auto has_flow = [](std::string_view body) {
    return !cooperative_flows(kernel_with(body).unit()).empty();
  };
  EXPECT_TRUE(has_flow("threadgroup_barrier(mem_flags::mem_none);"));
  EXPECT_TRUE(has_flow("threadgroup float tile[32]; tile[t] = 0;"));
  EXPECT_FALSE(has_flow("a[t] = 0;"));
}

}  // namespace
}  // namespace msci
