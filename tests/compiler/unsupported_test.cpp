// What print() has no text for is found before it is asked, with a reason.
#include <gtest/gtest.h>
#include <llvm/IR/Instructions.h>

#include "compiler/translate_kernels.h"
#include "tests/compiler/ir.h"

namespace msci {
namespace {

struct Case {
  const char* name;
  const char* ir;
  const char* what;  // part of the reason; empty where print() has text
};

const Case cases[] = {
    {"arithmetic", "define void @f(i32 %a) { %b = add i32 %a, 1 ret void }", ""},
    {"double", "define void @f(float %a) { %b = fpext float %a to double ret void }",
     "double precision"},
    {"wide_integer", "define void @f(i64 %a) { %b = zext i64 %a to i128 ret void }",
     "a value of type i128"},
    {"five_elements",
     "define void @f(ptr addrspace(1) %p) { %b = load <5 x i32>, ptr addrspace(1) %p ret void }",
     "a value of type <5 x i32>"},
    {"generic_pointer",
     "define void @f(ptr addrspace(1) %p) {\n"
     "  %g = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)\n  ret void\n}",
     "more than one address space"},
    {"threadgroup_variable",
     "@s = internal addrspace(3) global i32 undef\n"
     "define void @f() { store i32 1, ptr addrspace(3) @s ret void }",
     ""},
    {"function_constant",
     "@c = external addrspace(6) constant i32\n"
     "define void @f() { %x = load i32, ptr addrspace(6) @c ret void }",
     "the function constant 'c'"},
    {"table",
     "@t = addrspace(2) constant [2 x i32] [i32 1, i32 2]\n"
     "define void @f() { %x = load i32, ptr addrspace(2) @t ret void }",
     ""},
    {"table_of_addresses",
     "@a = addrspace(2) constant i32 1\n"
     "@t = addrspace(2) constant ptr addrspace(2) @a\n"
     "define void @f() { %x = load i32, ptr addrspace(2) @t ret void }",
     "the program-scope constant 't', which holds an address"},
    {"indirect_call", "define void @f(ptr %p) { call void %p() ret void }",
     "a call through a pointer"},
    {"undefined_function", "declare void @g()\ndefine void @f() { call void @g() ret void }",
     "a call of 'g'"},
    {"level_from_derivatives",
     "declare float @msci.texture.lod()\n"
     "define void @f() { %x = call float @msci.texture.lod() ret void }",
     "calculate_clamped_lod"},
    {"bicubic_filter",
     "declare void @msci.texture.bicubic()\n"
     "define void @f() { call void @msci.texture.bicubic() ret void }",
     "a bicubic filter"},
    {"recursion", "define i32 @f(i32 %n) { %m = call i32 @f(i32 %n) ret i32 %m }",
     "recursion: 'f' calls itself"},
    {"stored_pointer",
     "define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) {\n"
     "  store ptr addrspace(1) %q, ptr addrspace(1) %p\n  ret void\n}",
     ""},
    {"stored_threadgroup_pointer",
     "define void @f(ptr addrspace(1) %p, ptr addrspace(3) %q) {\n"
     "  store ptr addrspace(3) %q, ptr addrspace(1) %p\n  ret void\n}",
     "a pointer to threadgroup memory in device memory"},
    {"tensor",
     "declare void @msci.tensor.operation()\n"
     "define void @f() { call void @msci.tensor.operation() ret void }",
     "tensor operations"},
    {"command",
     "declare void @msci.command(i64, i32)\n"
     "define void @f() { call void @msci.command(i64 0, i32 1) ret void }",
     "a command buffer"},
    {"imageblock",
     "declare i64 @msci.imageblock(i32)\n"
     "define void @f() { %x = call i64 @msci.imageblock(i32 0) ret void }",
     "an imageblock"},
    {"ray_query",
     "declare i64 @msci.raytracing.query(i32)\n"
     "define void @f() { %x = call i64 @msci.raytracing.query(i32 0) ret void }",
     "ray tracing"},
    {"lane_function",
     "declare float @msci.simd.sum.f32(float)\n"
     "define void @f() { %x = call float @msci.simd.sum.f32(float 1.0) ret void }",
     ""},
    {"known_intrinsic",
     "declare float @llvm.sqrt.f32(float)\n"
     "define void @f(float %a) { %x = call float @llvm.sqrt.f32(float %a) ret void }",
     ""},
    {"unknown_intrinsic",
     "declare i64 @llvm.readcyclecounter()\n"
     "define void @f() { %x = call i64 @llvm.readcyclecounter() ret void }",
     "the intrinsic llvm.readcyclecounter"},
    {"class_test_of_half",
     "declare i1 @llvm.is.fpclass.f16(half, i32)\n"
     "define void @f(half %a) { %x = call i1 @llvm.is.fpclass.f16(half %a, i32 3) ret void }",
     "the intrinsic llvm.is.fpclass"},
    {"byte_atomic",
     "define void @f(ptr addrspace(1) %p) {\n"
     "  %x = atomicrmw add ptr addrspace(1) %p, i8 1 monotonic\n  ret void\n}",
     "the atomic operation"},
    {"float_atomic_add",
     "define void @f(ptr addrspace(1) %p) {\n"
     "  %x = atomicrmw fadd ptr addrspace(1) %p, float 1.0 monotonic\n  ret void\n}",
     ""},
    {"float_atomic_maximum",
     "define void @f(ptr addrspace(1) %p) {\n"
     "  %x = atomicrmw fmax ptr addrspace(1) %p, float 1.0 monotonic\n  ret void\n}",
     "the atomic operation"},
    {"array_of_unknown_length", "define void @f(i32 %n) { %a = alloca i32, i32 %n ret void }",
     "a private array of unknown length"},
    {"pointer_from_integer",
     "define void @f(i64 %n) { %p = inttoptr i64 %n to ptr addrspace(1) ret void }",
     "a pointer made from an integer"},
    {"vector_of_bits_in_memory", "define void @f(ptr %p) { %x = load <4 x i1>, ptr %p ret void }",
     "a vector in memory"},
};

class UnsupportedCase : public testing::TestWithParam<Case> {};

TEST_P(UnsupportedCase, is_found_with_its_reason) {
  llvm::LLVMContext context;
  const auto ir = parse_ir(GetParam().ir, context);
  ASSERT_TRUE(ir);
  const auto found = first_unsupported(first_function(*ir));
  if (std::string_view(GetParam().what).empty()) {
    EXPECT_FALSE(found) << found->what;
    return;
  }
  ASSERT_TRUE(found);
  EXPECT_NE(found->what.find(GetParam().what), std::string::npos) << found->what;
  EXPECT_EQ(found->where, &first_function(*ir).front().front());
}

INSTANTIATE_TEST_SUITE_P(Unsupported, UnsupportedCase, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace msci
