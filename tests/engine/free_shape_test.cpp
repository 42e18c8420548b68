// Threads that may be put into other threadgroups than the host asked for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/vectors/specialise.h"
#include "tests/compiler/ir.h"
#include "tests/engine/run_kernel.h"

namespace msci {
namespace {

constexpr const char* declarations = R"(
@shared = internal addrspace(3) global [64 x float] undef
declare i64 @get_global_id(i32)
declare i64 @get_local_id(i32)
declare i64 @get_group_id(i32)
declare i64 @get_local_size(i32)
declare i32 @msci.simd.lane()
declare void @msci.barrier.threadgroup(i32)
declare void @msci.fence(i32)
declare float @msci.simd.sum.f32(float)
declare float @msci.math.rsqrt.f32(float)
declare float @llvm.sqrt.f32(float)
declare void @somewhere()
)";

bool knows_only_its_grid(const std::string& body, const std::string& parameter = "i32 %n") {
  llvm::LLVMContext context;
  const auto source = parse_ir(
      fmt::format("{}\ndefine void @kernel(ptr addrspace(1) %out, {}, i32 %gx, i32 %gy, i32 %gz, "
                  "i32 %tx, i32 %ty, i32 %tz) {{\n{}\n  ret void\n}}\n",
                  declarations, parameter, body),
      context);
  if (!source) {
    ADD_FAILURE() << body;
    return false;
  }
  return engine::knows_only_its_grid(*source->getFunction("kernel"));
}

TEST(FreeShape, is_that_of_kernels_that_ask_for_their_position_in_the_grid) {
  EXPECT_TRUE(knows_only_its_grid("  %i = call i64 @get_global_id(i32 1)"));
  EXPECT_TRUE(
      knows_only_its_grid("  %a = call float @msci.math.rsqrt.f32(float 2.0)"
                          "  %b = call float @llvm.sqrt.f32(float %a)"
                          "  store float %b, ptr addrspace(1) %out"));
  EXPECT_TRUE(knows_only_its_grid("  %threads_of_the_grid = add i32 %gx, 1"));
}

TEST(FreeShape, is_not_that_of_kernels_that_know_their_threadgroup) {
  for (const std::string body :
       {"  %i = call i64 @get_local_id(i32 0)", "  %i = call i64 @get_group_id(i32 0)",
        "  %i = call i64 @get_local_size(i32 0)", "  %i = call i32 @msci.simd.lane()",
        "  %i = add i32 %tx, 1", "  %i = add i32 %tz, 1",
        "  call void @msci.barrier.threadgroup(i32 1)", "  call void @msci.fence(i32 1)",
        "  %a = call float @msci.simd.sum.f32(float 1.0)", "  call void @somewhere()",
        "  store float 1.0, ptr addrspace(3) @shared"})
    EXPECT_FALSE(knows_only_its_grid(body)) << body;
  EXPECT_FALSE(
      knows_only_its_grid("  store float 1.0, ptr addrspace(3) %host", "ptr addrspace(3) %host"));
}

struct Asked {
  Extent grid, threadgroup;
};
const Asked asked_for[] = {
    {{64, 64, 1}, {16, 16, 1}}, {{65, 7, 1}, {16, 16, 1}},  {{95, 3, 5}, {8, 4, 2}},
    {{96, 8, 8}, {8, 8, 4}},    {{97, 1, 1}, {64, 1, 1}},   {{1000, 1, 1}, {256, 1, 1}},
    {{33, 5, 2}, {8, 8, 1}},    {{20, 20, 1}, {16, 16, 1}}, {{128, 40, 1}, {4, 100, 1}},
    {{64, 30, 1}, {32, 4, 1}},  {{70, 6, 4}, {1, 1, 1}}};

const Execution forms[] = {{},
                           {.vector_bits = 256},
                           {.vector_bits = 128},
                           {.brief = true},
                           in_order("reversed"),
                           in_order("lanes:1f")};

// Counts the runs of each thread, and stores what `value` says.
std::vector<unsigned> run(const Asked& asked, const std::string& value, Execution execution) {
  const auto& [grid, threadgroup] = asked;
  const auto threads = static_cast<unsigned>(grid.count());
  const auto text = fmt::format(
      "kernel void k(device atomic_uint* runs [[buffer(0)]], device uint* out [[buffer(1)]],\n"
      "              uint3 at [[thread_position_in_grid]],\n"
      "              uint3 own [[thread_position_in_threadgroup]]) {{\n"
      "  const uint i = (at.z * {}u + at.y) * {}u + at.x;\n"
      "  const uint before = atomic_fetch_add_explicit(runs + i, 1u, memory_order_relaxed);\n"
      "  out[i] = before * 1000u + {};\n}}",
      grid.y, grid.x, value);
  return words(run_kernel(text, {{empty(threads), empty(threads)}, grid, threadgroup, execution}));
}

TEST(FreeShape, runs_each_thread_once) {
  for (const auto& asked : asked_for)
    for (const auto& execution : forms) {
      const auto& grid = asked.grid;
      const auto out = run(asked, "at.x + 300u * at.y + 700u * at.z", execution);
      ASSERT_EQ(out.size(), grid.count());
      for (unsigned i = 0; i < out.size(); ++i)
        ASSERT_EQ(out[i], i % grid.x + 300 * (i / grid.x % grid.y) + 700 * (i / grid.x / grid.y))
            << fmt::format("grid {}x{}x{}, thread {}", grid.x, grid.y, grid.z, i);
    }
}

TEST(FreeShape, kernels_that_know_their_threadgroup_have_the_one_that_was_asked_for) {
  for (const auto& asked : asked_for) {
    const auto& [grid, group] = asked;
    const auto out = run(asked, "own.x + 300u * own.y", {});
    ASSERT_EQ(out.size(), grid.count());
    for (unsigned i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], i % grid.x % group.x + 300 * (i / grid.x % grid.y % group.y));
  }
}

}  // namespace
}  // namespace msci
