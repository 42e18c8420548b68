#include "lint/analysis/trace.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

std::string names(const Variables& variables) {
  std::set<std::string> sorted;
  for (const auto* each : variables) sorted.insert(each->getNameAsString());
  return fmt::format("{}", fmt::join(sorted, " "));
}

const Trace& trace_of(const TestKernel& kernel) {
  return traced(*kernel.kernel().declaration, kernel.unit()).whole();
}

std::vector<const TracedAccess*> stores_of(const TestKernel& kernel) {
  std::vector<const TracedAccess*> stores;
  for (const auto& each : trace_of(kernel).accesses)
    if (each.stores) stores.push_back(&each);
  return stores;
}

TEST(Trace, lists_accesses_in_order) {
  const auto kernel = kernel_with("a[t] = a[t + 1] * wide[t].x; a[n] += 1;");
  std::string text;
  for (const auto& each : trace_of(kernel).accesses)
    text += fmt::format("{}{} {}, ", each.loads ? "load" : "", each.stores ? "store" : "",
                        each.object->getNameAsString());
  EXPECT_EQ(text, "load a, load wide, store a, load n, loadstore a, ");
}

TEST(Trace, knows_what_decides_loops_and_branches) {
  const auto kernel = kernel_with(R"(
      for (uint k = 0; k < n; ++k) a[k] = 1;
      if (size.x > 3) a[t] = 2;)");
  const auto& trace = trace_of(kernel);
  EXPECT_EQ(names(trace.rounds), "n");
  EXPECT_EQ(names(trace.control), "n size");
  const auto reading = kernel_with("a[t] = n;");
  EXPECT_EQ(names(trace_of(reading).read), "a n t");
}

TEST(Trace, tells_long_loops_from_short_ones) {
  const auto kernel = kernel_with(R"(
      a[t] = 0;
      for (uint k = 0; k < 16; ++k) a[t] = k;
      for (uint k = 0; k < n; ++k)
        for (uint j = 0; j < 4; ++j) a[t] = j;)");
  const auto stores = stores_of(kernel);
  ASSERT_EQ(stores.size(), 3u);
  EXPECT_EQ(stores[0]->loops, 0);
  EXPECT_FALSE(stores[0]->in_long_loop);
  EXPECT_EQ(stores[1]->loops, 1);
  EXPECT_FALSE(stores[1]->in_long_loop);
  EXPECT_EQ(stores[2]->loops, 2);
  EXPECT_TRUE(stores[2]->in_long_loop);
  EXPECT_EQ(trace_of(kernel).numbers, (std::set<std::int64_t>{4, 16}));
}

TEST(Trace, records_comparisons_with_numbers) {
  const auto kernel = kernel_with("if (n == 256) a[t] = 0; if (1000 < n) a[t] = 1;");
  const auto& comparisons = trace_of(kernel).comparisons;
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[0].number, 256);
  EXPECT_EQ(names(comparisons[0].other.sources), "n");
  EXPECT_EQ(comparisons[1].number, 1000);
}

TEST(Trace, follows_calls_of_the_users_functions) {
  const TestKernel kernel(R"(#include <metal_stdlib>
using namespace metal;
void put(device float* to, uint at, float value) { to[at] = value; }
void unused(device float* to) { to[0] = 1; }
kernel void f(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { put(a, i, 2); }
)");
  const auto& trace = trace_of(kernel);
  ASSERT_EQ(trace.accesses.size(), 1u);
  EXPECT_TRUE(trace.accesses[0].stores);
  EXPECT_EQ(trace.accesses[0].object, kernel.parameter("a"));
  EXPECT_TRUE(trace.accesses[0].index.sources.contains(kernel.parameter("i")));
  ASSERT_EQ(trace.accesses[0].stored.value, 2);
  std::string entered;
  for (const auto* each : entered_functions(kernel.unit()))
    entered += each->getNameAsString() + " ";
  EXPECT_EQ(entered, "f put ");
}

TEST(Tracer, counts_operations_at_known_values) {
  const auto kernel = kernel_with("for (uint k = 0; k < n; ++k) a[t] = a[t] * 2.0f + 1.0f;");
  const Tracer tracer(kernel.unit(), *kernel.kernel().declaration);
  const auto* body = kernel.kernel().declaration->getBody();
  const auto at = [&](double value) {
    return tracer.part({body}, {{kernel.parameter("n"), value}}).operations;
  };
  EXPECT_GT(at(10), 0);
  EXPECT_DOUBLE_EQ(at(1000) - at(100), 10 * (at(100) - at(10)));
}

TEST(Origin, holds_sources_and_known_values) {
  struct Case {
    std::string_view expression, sources, unbounded;
    std::optional<double> value;
  };
  constexpr Case cases[] = {
      {"3 * 4", "", "", 12},
      {"n + t", "n t", "n t", std::nullopt},
      {"min(n, 3u)", "n", "", std::nullopt},
      {"n % 16", "n", "", std::nullopt},
      {"n / 2", "n", "n", std::nullopt},
      {"uint(a[t])", "a t", "", std::nullopt},
  };
  for (const auto& each : cases) {
    const auto kernel = kernel_with(fmt::format("uint v = {};", each.expression));
    const Tracer tracer(kernel.unit(), *kernel.kernel().declaration);
    const auto origin = tracer.origin(*kernel.value_of("v"));
    EXPECT_EQ(names(origin.sources), each.sources) << each.expression;
    EXPECT_EQ(names(origin.unbounded), each.unbounded) << each.expression;
    EXPECT_EQ(origin.value, each.value) << each.expression;
  }
}

TEST(Origin, tells_a_copy_from_a_computed_value) {
  const auto kernel = kernel_with("a[t] = wide[t].x; a[t] = a[n] + 1;");
  const auto stores = stores_of(kernel);
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_EQ(stores[0]->stored.copied_from, kernel.parameter("wide"));
  EXPECT_EQ(stores[1]->stored.copied, nullptr);
}

TEST(Arguments, are_told_apart_by_their_types) {
  const TestKernel kernel(R"(#include <metal_stdlib>
using namespace metal;
kernel void f(device float* out [[buffer(0)]], device const float* in [[buffer(1)]],
              constant uint& n [[buffer(2)]], constant float* table [[buffer(3)]],
              uint i [[thread_position_in_grid]]) {}
)");
  struct Case {
    std::string_view name;
    bool device, written_const, number;
  };
  constexpr Case cases[] = {
      {"out", true, false, false},
      {"in", true, true, false},
      {"n", false, true, true},
      {"table", false, true, false},
  };
  for (const auto& each : cases) {
    const auto& parameter = *kernel.parameter(each.name);
    EXPECT_EQ(is_device_pointer(parameter), each.device) << each.name;
    EXPECT_EQ(is_shared_number(parameter), each.number) << each.name;
    if (each.device) EXPECT_EQ(is_written_const(parameter), each.written_const) << each.name;
  }
  EXPECT_FALSE(has_opaque_arguments(*kernel.kernel().declaration));
  const TestKernel opaque(R"(#include <metal_stdlib>
using namespace metal;
kernel void f(texture2d<float, access::write> image [[texture(0)]]) {}
)");
  EXPECT_TRUE(has_opaque_arguments(*opaque.kernel().declaration));
}

}  // namespace
}  // namespace msci
