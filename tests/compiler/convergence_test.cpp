// Which threads wait together, from the shape of the control flow.
#include "compiler/convergence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/IR/BasicBlock.h>

#include "tests/compiler/ir.h"

namespace msci {
namespace {

constexpr const char* declarations = R"(
declare i64 @get_local_id(i32)
declare i64 @get_group_id(i32)
declare void @msci.barrier.threadgroup(i32) convergent
declare float @msci.simd.sum.f32(float) convergent
)";

struct Case {
  const char* name;
  const char* body;  // of a kernel with %p, %n and %c, the same for all threads, and %t, its index
  bool uses_simdgroups = false;
  bool needs_resumption = false;
  const char* order = "entry";  // of its blocks
  const char* diverging = "";   // latches of diverging loops
};

const Case cases[] = {
    {"barrier_for_all", "call void @msci.barrier.threadgroup(i32 1)\n ret void"},
    {"barrier_in_a_divergent_branch", R"(
  %odd = icmp ult i32 %t, 7
  br i1 %odd, label %then, label %end
then:
  call void @msci.barrier.threadgroup(i32 1)
  br label %end
end:
  ret void)",
     false, true, "entry then end"},
    {"barrier_in_a_uniform_branch", R"(
  br i1 %c, label %then, label %end
then:
  call void @msci.barrier.threadgroup(i32 1)
  br label %end
end:
  ret void)",
     false, true, "entry then end"},
    {"barrier_after_an_early_return", R"(
  %out = icmp ult i32 %t, 7
  br i1 %out, label %leave, label %stay
leave:
  ret void
stay:
  call void @msci.barrier.threadgroup(i32 1)
  ret void)",
     false, true, "entry stay leave"},
    {"barrier_after_a_divergent_branch", R"(
  %odd = icmp ult i32 %t, 7
  br i1 %odd, label %then, label %end
then:
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  call void @msci.barrier.threadgroup(i32 1)
  ret void)",
     false, false, "entry then end"},
    {"barrier_in_a_uniform_loop", R"(
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  call void @msci.barrier.threadgroup(i32 1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void)",
     false, false, "entry body end"},
    {"barrier_in_a_divergent_loop", R"(
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  call void @msci.barrier.threadgroup(i32 1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %body, label %end
end:
  ret void)",
     false, true, "entry body end"},
    {"barrier_in_a_loop_with_a_break", R"(
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %stop = icmp eq i32 %i, %n
  br i1 %stop, label %end, label %latch
latch:
  call void @msci.barrier.threadgroup(i32 1)
  %next = add i32 %i, 1
  br label %head
end:
  ret void)",
     false, true, "entry head latch end"},
    {"sum_for_all", "%s = call float @msci.simd.sum.f32(float 1.0)\n ret void", true},
    {"sum_in_a_uniform_loop", R"(
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = call float @msci.simd.sum.f32(float 1.0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void)",
     true, false, "entry body end"},
    {"sum_in_a_divergent_branch_of_a_loop", R"(
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = icmp ult i32 %t, %i
  br i1 %odd, label %sum, label %latch
sum:
  %s = call float @msci.simd.sum.f32(float 1.0)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %head, label %end
end:
  ret void)",
     true, false, "entry head sum latch end", "latch"},
};

class ConvergenceCase : public testing::TestWithParam<Case> {};

template <typename Blocks>
std::string names_of(const Blocks& blocks) {
  std::string names;
  for (const auto* block : blocks) names += (names.empty() ? "" : " ") + block->getName().str();
  return names;
}

TEST_P(ConvergenceCase, is_as_the_table_says) {
  const auto& wanted = GetParam();
  llvm::LLVMContext context;
  const auto ir = parse_ir(
      fmt::format("{}define void @f(ptr addrspace(1) %p, i32 %n, i1 %c) {{\nentry:\n"
                  "  %id = call i64 @get_local_id(i32 0)\n  %t = trunc i64 %id to i32\n{}\n}}\n",
                  declarations, wanted.body),
      context);
  ASSERT_TRUE(ir);
  auto& kernel = first_function(*ir);
  EXPECT_EQ(uses_simdgroups(kernel), wanted.uses_simdgroups);
  EXPECT_EQ(needs_resumption(kernel), wanted.needs_resumption);
  EXPECT_EQ(names_of(reconvergence_order(kernel)), wanted.order);
  EXPECT_EQ(names_of(diverging_loops(kernel)), wanted.diverging);
}

INSTANTIATE_TEST_SUITE_P(Convergence, ConvergenceCase, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

// Whether NVIDIA's GPUs may leave lanes apart where a simdgroup function needs them together.
struct Parting {
  const char* name;
  const char* body;  // of a kernel with %p and %n
  bool apart;
};

const Parting partings[] = {
    {"sum_after_a_loop_of_exchanges", R"(
  br label %body
body:
  %pair = cmpxchg weak ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %body
end:
  %s = call float @msci.simd.sum.f32(float 1.0)
  ret void)",
     true},
    {"sum_before_a_loop_of_exchanges", R"(
  %s = call float @msci.simd.sum.f32(float 1.0)
  br label %body
body:
  %pair = cmpxchg weak ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %body
end:
  ret void)",
     false},
    {"sum_in_a_loop_that_takes_numbers", R"(
  br label %body
body:
  %s = call float @msci.simd.sum.f32(float 1.0)
  %i = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %end
end:
  ret void)",
     true},
    {"sum_in_a_loop_that_only_adds", R"(
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = call float @msci.simd.sum.f32(float 1.0)
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void)",
     false},
    {"sum_after_one_exchange", R"(
  %pair = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  %s = call float @msci.simd.sum.f32(float 1.0)
  ret void)",
     false},
    {"sum_after_a_float_addition", R"(
  %old = atomicrmw fadd ptr addrspace(1) %p, float 1.0 monotonic
  %s = call float @msci.simd.sum.f32(float 1.0)
  ret void)",
     true},
    {"sum_before_a_float_addition", R"(
  %s = call float @msci.simd.sum.f32(float 1.0)
  %old = atomicrmw fadd ptr addrspace(1) %p, float 1.0 monotonic
  ret void)",
     false},
    {"sum_where_one_condition_decides_another", R"(
  %t = call i64 @get_local_id(i32 0)
  %a = icmp ult i64 %t, 4
  br i1 %a, label %both, label %test
test:
  %b = icmp ult i64 %t, 9
  br i1 %b, label %both, label %end
both:
  %s = call float @msci.simd.sum.f32(float 1.0)
  br label %end
end:
  ret void)",
     true},
    {"sum_after_ways_have_met", R"(
  %t = call i64 @get_local_id(i32 0)
  %a = icmp ult i64 %t, 4
  br i1 %a, label %one, label %other
one:
  %s = call float @msci.simd.sum.f32(float 1.0)
  br label %end
other:
  %r = call float @msci.simd.sum.f32(float 1.0)
  br label %end
end:
  %q = call float @msci.simd.sum.f32(float 1.0)
  ret void)",
     false},
    {"sum_on_either_way_of_a_shared_condition", R"(
  %a = icmp ult i32 %n, 4
  br i1 %a, label %both, label %test
test:
  %b = icmp ult i32 %n, 9
  br i1 %b, label %both, label %end
both:
  %s = call float @msci.simd.sum.f32(float 1.0)
  br label %end
end:
  ret void)",
     false},
};

class PartingCase : public testing::TestWithParam<Parting> {};

TEST_P(PartingCase, is_seen_before_simdgroup_functions) {
  llvm::LLVMContext context;
  const auto ir =
      parse_ir(fmt::format("{}define void @f(ptr addrspace(1) %p, i32 %n) {{\nentry:\n{}\n}}\n",
                           declarations, GetParam().body),
               context);
  ASSERT_TRUE(ir);
  EXPECT_EQ(lanes_may_stay_apart(first_function(*ir)), GetParam().apart);
}

INSTANTIATE_TEST_SUITE_P(Parting, PartingCase, testing::ValuesIn(partings),
                         [](const auto& info) { return info.param.name; });

// What differs among the threads of a threadgroup, seen through a barrier that it guards.
struct Variation {
  const char* name;
  const char* value;  // computes the i1 %v
  bool varies;
};

const Variation variations[] = {
    {"local_index", "%v = icmp eq i32 %t, 0", true},
    {"group_index", "%g = call i64 @get_group_id(i32 0)\n %v = icmp eq i64 %g, 0", false},
    {"argument", "%v = icmp eq i32 %n, 0", false},
    {"buffer_at_one_address", "%x = load i32, ptr addrspace(1) %p\n %v = icmp eq i32 %x, 0", false},
    {"buffer_at_the_index",
     "%q = getelementptr i32, ptr addrspace(1) %p, i32 %t\n"
     " %x = load i32, ptr addrspace(1) %q\n %v = icmp eq i32 %x, 0",
     true},
    {"private_memory", "%a = alloca i32\n %x = load i32, ptr %a\n %v = icmp eq i32 %x, 0", true},
    {"atomic", "%x = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic\n %v = icmp eq i32 %x, 0",
     true},
    {"simd_sum", "%s = call float @msci.simd.sum.f32(float 1.0)\n %v = fcmp oeq float %s, 0.0",
     true},
    {"constant_factor", "%x = mul i32 %t, 0\n %y = and i32 %n, 1\n %v = icmp eq i32 %y, 0", false},
};

class VariationCase : public testing::TestWithParam<Variation> {};

// A branch at a loop's latch is allowed to guard a barrier only where it does not vary.
TEST_P(VariationCase, decides_whether_a_loop_may_hold_a_barrier) {
  llvm::LLVMContext context;
  const auto ir =
      parse_ir(fmt::format("{}define void @f(ptr addrspace(1) %p, i32 %n) {{\nentry:\n"
                           "  %id = call i64 @get_local_id(i32 0)\n  %t = trunc i64 %id to i32\n"
                           "  {}\n  br label %body\nbody:\n"
                           "  call void @msci.barrier.threadgroup(i32 1)\n"
                           "  br i1 %v, label %body, label %end\nend:\n  ret void\n}}\n",
                           declarations, GetParam().value),
               context);
  ASSERT_TRUE(ir);
  EXPECT_EQ(needs_resumption(first_function(*ir)), GetParam().varies);
}

INSTANTIATE_TEST_SUITE_P(Variation, VariationCase, testing::ValuesIn(variations),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace msci
