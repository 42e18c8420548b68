#include "lint/analysis/sharing.h"

#include <clang/AST/Decl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

constexpr std::string_view tile = "threadgroup float tile[256]; ";
constexpr std::string_view square = "threadgroup float tile[16][16]; ";
constexpr std::string_view barrier = "threadgroup_barrier(mem_flags::mem_threadgroup); ";

std::set<const clang::Stmt*> fences_of(const ThreadFlow& flow) {
  std::set<const clang::Stmt*> fences;
  for (const auto& each : flow.barriers()) fences.insert(each.call);
  return fences;
}

std::size_t collisions_in(const std::string& body) {
  const auto kernel = kernel_with(body);
  const auto accesses = accesses_in(kernel.flow(), Space::threadgroup);
  return collisions(accesses, kernel.flow(), fences_of(kernel.flow())).size();
}

TEST(Sharing, lists_reads_and_writes_in_order) {
  const auto kernel =
      kernel_with("threadgroup float tile[256], other[256]; tile[t] = other[n] + 1; tile[0] += 2;");
  std::string text;
  for (const auto& each : accesses_in(kernel.flow(), Space::threadgroup).all)
    text += fmt::format("{}{}[{}] ", each.writes ? "write " : "read ",
                        each.memory->getNameAsString(), kernel.text(each.indices.at(0)));
  EXPECT_EQ(text, "write tile[t] read other[n] read tile[0] write tile[0] ");
}

TEST(Sharing, keeps_address_spaces_apart) {
  const auto kernel = kernel_with("threadgroup float tile[256]; tile[t] = 0; a[t] = 1;");
  const auto shared = accesses_in(kernel.flow(), Space::threadgroup).all;
  const auto device = accesses_in(kernel.flow(), Space::device).all;
  ASSERT_EQ(shared.size(), 1u);
  EXPECT_EQ(shared[0].memory->getName(), "tile");
  ASSERT_EQ(device.size(), 1u);
  EXPECT_EQ(device[0].memory->getName(), "a");
}

TEST(Sharing, memory_escapes_if_its_address_is_taken) {
  const auto escaped = [](std::string_view body) {
    const auto kernel = kernel_with(body);
    return accesses_in(kernel.flow(), Space::threadgroup).escaped.size();
  };
  EXPECT_EQ(escaped("threadgroup float tile[256]; threadgroup float* x = &tile[1]; x[t] = 0;"), 1u);
  EXPECT_EQ(escaped("threadgroup float tile[256]; tile[t] = 0;"), 0u);
}

TEST(Sharing, accesses_collide_if_different_threads_meet_at_an_element) {
  const std::pair<std::string, std::size_t> cases[] = {
      // A thread's own element.
      {fmt::format("{} tile[t] = 1; float v = tile[t];", tile), 0},
      // Its neighbour's.
      {fmt::format("{} tile[t] = 1; float v = tile[t + 1];", tile), 1},
      {fmt::format("{} tile[t] = 1; {} float v = tile[t + 1];", tile, barrier), 0},
      {fmt::format("{} tile[t] = 1; if (n > 3) {} float v = tile[t + 1];", tile, barrier), 1},
      // Another array's.
      {"threadgroup float tile[256], other[256]; tile[t] = 1; float v = other[t + 1];", 0},
      // Far apart, perhaps another part of the array.
      {fmt::format("{} tile[t] = 1; float v = tile[t + 128];", tile), 0},
      // One thread writes and all read.
      {fmt::format("{} if (t == 0) tile[0] = 1; float v = tile[0];", tile), 1},
      {fmt::format("{} if (t == 0) tile[0] = 1; {} float v = tile[0];", tile, barrier), 0},
      // One thread does both.
      {fmt::format("{} if (t == 0) {{ tile[0] = 1; float v = tile[0]; }}", tile), 0},
      // All write their own and read the first or the last one.
      {fmt::format("{} tile[t] = 1; float v = tile[0];", tile), 1},
      {fmt::format("{} tile[t] = 1; float v = tile[n - 1];", tile), 1},
      // The transposed element.
      {fmt::format("{} tile[q.y][q.x] = 1; float v = tile[q.x][q.y];", square), 1},
      {fmt::format("{} tile[q.y][q.x] = 1; float v = tile[q.y][q.x];", square), 0},
      // Another order of the elements.
      {fmt::format("{} tile[t] = 1; float v = tile[t ^ 1];", tile), 1},
      // Only reads.
      {fmt::format("{} float u = tile[t]; float v = tile[t + 1];", tile), 0},
      // Between the rounds of a loop.
      {fmt::format("{} for (uint k = 0; k < n; ++k) {{ tile[t] = k; {} float v = tile[t + 1]; }}",
                   tile, barrier),
       1},
      {fmt::format(
           "{} for (uint k = 0; k < n; ++k) {{ tile[t] = k; {} float v = tile[t + 1]; {} }}", tile,
           barrier, barrier),
       0},
  };
  for (const auto& [body, expected] : cases) EXPECT_EQ(collisions_in(body), expected) << body;
}

TEST(Sharing, atomic_changes_do_not_collide_but_clearing_does) {
  constexpr std::string_view bins = "threadgroup atomic_uint bins[256]; ";
  constexpr std::string_view clear = "atomic_store_explicit(&bins[t], 0u, memory_order_relaxed); ";
  constexpr std::string_view count =
      "atomic_fetch_add_explicit(&bins[uint(a[p.x])], 1u, memory_order_relaxed); ";
  EXPECT_EQ(collisions_in(fmt::format("{} {} {}", bins, count, count)), 0u);
  EXPECT_EQ(collisions_in(fmt::format("{} {} {}", bins, clear, count)), 1u);
  EXPECT_EQ(collisions_in(fmt::format("{} {} {} {}", bins, clear, barrier, count)), 0u);
}

TEST(Sharing, recognises_conditions_that_leave_one_thread) {
  constexpr std::pair<std::string_view, bool> cases[] = {
      {"t == 0", true},    {"t < 1", true},      {"t == n", true},   {"q.x == 0 && q.y == 0", true},
      {"q.x == 0", false}, {"lane == 0", false}, {"sg == 0", false}, {"lane == 0 && sg == 0", true},
      {"t < 2", false},    {"p.x == 0", false},  {"n == 0", false},
  };
  for (const auto& [condition, single] : cases) {
    const auto kernel = kernel_with(fmt::format("if ({}) {{ uint v = 0; }}", condition));
    EXPECT_EQ(is_single_thread(threads_at(kernel.statement_of("v"), kernel.flow())), single)
        << condition;
  }
}

TEST(Sharing, neighbours_of_the_grid_collide_in_buffers) {
  struct Case {
    std::string_view body;
    bool crossing, collides;
  };
  constexpr Case cases[] = {
      {"a[p.x] = a[p.x + 1];", false, true},
      {"a[p.x] = a[p.x];", false, false},
      {"a[p.x] = wide[p.x + 1].x;", false, false},
      {"a[p.x] = 1; threadgroup_barrier(mem_flags::mem_device); float v = a[p.x + 1];", true, true},
      {"a[p.x] = 1; float v = a[p.x + 1];", true, false},  // no barrier is crossed
      {"if (p.x % 2 == 0) a[p.x] = a[p.x + 1];", false, false},
  };
  for (const auto& [body, crossing, collides] : cases) {
    const auto kernel = kernel_with(body);
    const auto accesses = accesses_in(kernel.flow(), Space::device);
    EXPECT_EQ(grid_collision(accesses, kernel.flow(), crossing).has_value(), collides) << body;
  }
}

}  // namespace
}  // namespace msci
