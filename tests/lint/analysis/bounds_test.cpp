#include "lint/analysis/bounds.h"

#include <clang/AST/Expr.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

// "t < 4; p.x < n", and " and others" if a condition is not a bound.
std::string text(const Threads& threads, const TestKernel& kernel) {
  std::string all;
  for (const auto& [operation, varying, uniform] : threads.bounds)
    all += fmt::format("{}{} {} {}", all.empty() ? "" : "; ", kernel.text(varying),
                       clang::BinaryOperator::getOpcodeStr(operation).str(), kernel.text(uniform));
  return all + (threads.others ? " and others" : "");
}

struct ConditionCase {
  std::string_view condition;
  std::string_view bounds;
};

TEST(Bounds, of_a_condition_that_holds) {
  constexpr ConditionCase cases[] = {
      {"t < 4", "t < 4"},
      {"4 > t", "t < 4"},
      {"n >= t + 1", "t + 1 <= n"},
      {"t == 0", "t == 0"},
      {"!(t < 4)", "t >= 4"},
      {"t < 4 && p.x < n", "t < 4; p.x < n"},
      {"!(t < 4 || p.x < n)", "t >= 4; p.x >= n"},
      {"t < 4 || p.x < n", " and others"},
      {"t < p.x", " and others"},
      {"n > 3", ""},  // the same for all threads
      {"t < 4 && n > 3", "t < 4"},
      {"t", "t != 0"},
      {"all(q == 0)", "q.x == 0; q.y == 0"},
      {"a[t] < 1", " and others"},
  };
  for (const auto& [condition, bounds] : cases) {
    const auto kernel = kernel_with(fmt::format("if ({}) {{ uint v = 0; }}", condition));
    EXPECT_EQ(text(threads_at(kernel.statement_of("v"), kernel.flow()), kernel), bounds)
        << condition;
  }
}

TEST(Bounds, of_a_condition_that_does_not_hold) {
  constexpr ConditionCase cases[] = {
      {"t < 4", "t >= 4"},
      {"t", "t == 0"},
      {"t < 4 || p.x < n", "t >= 4; p.x >= n"},
      {"t < 4 && p.x < n", " and others"},
      {"any(q > 0)", "q.x <= 0; q.y <= 0"},
  };
  for (const auto& [condition, bounds] : cases) {
    const auto kernel = kernel_with(fmt::format("if ({}) {{}} else {{ uint v = 0; }}", condition));
    EXPECT_EQ(text(threads_at(kernel.statement_of("v"), kernel.flow()), kernel), bounds)
        << condition;
  }
}

TEST(Bounds, follow_a_condition_through_its_variable) {
  const auto kernel = kernel_with("bool first = t == 0; if (first) { uint v = 0; }");
  EXPECT_EQ(text(threads_at(kernel.statement_of("v"), kernel.flow()), kernel), "t == 0");
}

TEST(Bounds, early_exits_count_only_if_asked_for) {
  const auto kernel = kernel_with("if (p.x >= n) return; if (t < 4) { uint v = 0; }");
  const auto* statement = kernel.statement_of("v");
  EXPECT_EQ(text(threads_at(statement, kernel.flow()), kernel), "t < 4");
  EXPECT_EQ(text(threads_left_at(statement, kernel.flow()), kernel), "t < 4; p.x < n");
}

TEST(Bounds, may_leave_one_position_or_the_first_one) {
  struct Case {
    std::string_view condition;
    bool pinned, first;
  };
  constexpr Case cases[] = {
      {"t == 0", true, true},  {"t < 1", true, true},   {"t <= 0", true, true},
      {"t == 3", true, false}, {"t == n", true, false}, {"t < 2", false, false},
      {"t > 0", false, false}, {"t < n", false, false},
  };
  for (const auto& [condition, pinned, first] : cases) {
    const auto kernel = kernel_with(fmt::format("if ({}) {{ uint v = 0; }}", condition));
    const auto threads = threads_at(kernel.statement_of("v"), kernel.flow());
    ASSERT_EQ(threads.bounds.size(), 1u) << condition;
    EXPECT_EQ(is_pinned(threads.bounds[0]), pinned) << condition;
    EXPECT_EQ(is_first(threads.bounds[0]), first) << condition;
  }
}

TEST(Bounds, limit_a_value_by_the_least_constant) {
  constexpr std::pair<std::string_view, std::optional<std::int64_t>> cases[] = {
      {"t < 4", 4},
      {"t <= 4", 5},
      {"t < 8 && t <= 5", 6},
      {"t < n", std::nullopt},
      {"t > 4", std::nullopt},
      {"p.x < 4", std::nullopt},
  };
  for (const auto& [condition, limit] : cases) {
    const auto kernel =
        kernel_with(fmt::format("uint thread_index = t; if ({}) {{ uint v = 0; }}", condition));
    const auto value = index_form(kernel.value_of("thread_index"), kernel.flow());
    EXPECT_EQ(limit_of(value, threads_at(kernel.statement_of("v"), kernel.flow())), limit)
        << condition;
  }
}

}  // namespace
}  // namespace msci
