// What becomes of a kernel's IR.
#include "engine/vectors/vectorise.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "tests/compiler/ir.h"

namespace msci::engine {
namespace {

constexpr const char* declarations = R"(
declare i64 @get_global_id(i32)
declare i64 @get_local_id(i32)
declare i64 @get_group_id(i32)
declare void @msci.barrier.threadgroup(i32)
declare float @msci.simd.sum.f32(float)
)";

struct Vectorised {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  VectorKernel kernel;

  // How many calls of intrinsics whose name begins so.
  unsigned calls(llvm::StringRef name) const {
    unsigned count = 0;
    for (const auto& function : *module)
      for (const auto& instruction : llvm::instructions(function))
        if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && call->getCalledFunction())
          count += call->getCalledFunction()->getName().starts_with(name);
    return count;
  }
  // How many instructions load that type.
  unsigned loads(llvm::StringRef type) const {
    unsigned count = 0;
    for (const auto& function : *module)
      for (const auto& instruction : llvm::instructions(function))
        if (llvm::isa<llvm::LoadInst>(instruction)) {
          std::string text;
          llvm::raw_string_ostream stream(text);
          instruction.getType()->print(stream);
          count += text == type;
        }
    return count;
  }
};

// A kernel with the parameters %in, %out (device memory) and %n, and the six integers of all
// kernels.
void vectorise_body(Vectorised& result, const std::string& body, std::optional<Extent> shape,
                    unsigned vector_bits = 512) {
  const auto text = fmt::format(
      "{}\ndefine void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %gx, i32 "
      "%gy, i32 %gz, i32 %tx, i32 %ty, i32 %tz) {{\n{}\n}}\n",
      declarations, body);
  const auto source = parse_ir(text, result.context);
  ASSERT_TRUE(source);
  result.module = std::make_unique<llvm::Module>("vectors", result.context);
  result.kernel = vectorise(*source->getFunction("kernel"), *result.module,
                            VectorOptions{.shape = shape, .vector_bits = vector_bits});
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  EXPECT_FALSE(llvm::verifyModule(*result.module, &stream)) << problem;
}

constexpr const char* copy = R"(
  %i = call i64 @get_global_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %to = getelementptr float, ptr addrspace(1) %out, i64 %i
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  ret void
)";

// Where LLVM would make a branch for each lane of each store.
TEST(Vectorise, processors_without_scatters_share_a_loop_over_the_lanes) {
  constexpr const char* scatters = R"(
  %i = call i64 @get_global_id(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %index = load i32, ptr addrspace(1) %from
  %runs = icmp ult i32 %index, %n
  br i1 %runs, label %store, label %end
store:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %index
  store i32 1, ptr addrspace(1) %to
  %other = xor i32 %index, 5
  %also = getelementptr i32, ptr addrspace(1) %out, i32 %other
  store i32 2, ptr addrspace(1) %also
  %third = getelementptr i16, ptr addrspace(1) %out, i32 %other
  store i16 3, ptr addrspace(1) %third
  br label %end
end:
  ret void
)";
  for (const unsigned bits : {128U, 256U, 512U}) {
    Vectorised made;
    vectorise_body(made, scatters, Extent{64}, bits);
    EXPECT_EQ(made.calls("msci_scatter32"), bits < 512 ? 2U : 0U) << bits;
    EXPECT_EQ(made.calls("llvm.masked.scatter"), bits < 512 ? 0U : 2U) << bits;
    EXPECT_EQ(made.calls("msci_scatter16"), 1U) << bits;  // no processor scatters these
  }
}

TEST(Vectorise, consecutive_addresses_are_one_vector) {
  Vectorised made;
  vectorise_body(made, copy, Extent{256});
  EXPECT_EQ(made.loads("<32 x float>"), 1U);
  EXPECT_EQ(made.calls("llvm.masked"), 0U);
  EXPECT_FALSE(made.kernel.waits);
}

TEST(Vectorise, lanes_that_do_not_exist_access_nothing) {
  Vectorised made;
  vectorise_body(made, copy, Extent{48});
  EXPECT_EQ(made.loads("<32 x float>"), 0U);
  EXPECT_EQ(made.calls("llvm.masked.load"), 1U);
  EXPECT_EQ(made.calls("llvm.masked.store"), 1U);
}

TEST(Vectorise, rows_of_a_threadgroup_are_vectors_each) {
  Vectorised made;
  vectorise_body(made, R"(
  %x = call i64 @get_local_id(i32 0)
  %y = call i64 @get_local_id(i32 1)
  %wide = zext i32 %n to i64
  %row = mul i64 %y, %wide
  %at = add i64 %row, %x
  %from = getelementptr float, ptr addrspace(1) %in, i64 %at
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %out, i64 %at
  store float %value, ptr addrspace(1) %to
  ret void
)",
                 Extent{16, 16});
  EXPECT_EQ(made.loads("<16 x float>"), 2U);
  EXPECT_EQ(made.calls("llvm.masked.gather"), 0U);
}

// The blocks of the function that is called, in their order.
std::vector<std::string> loops(const Vectorised& result) {
  std::vector<std::string> names;
  for (const auto& block : *result.module->getFunction(result.kernel.symbol))
    names.push_back(block.getName().str());
  return names;
}

TEST(Vectorise, narrow_threadgroups_run_row_by_row) {
  const std::vector<std::string> by_group = {"begin", "group", "simdgroup", "group.done", "done"};
  const std::vector<std::string> by_row = {"begin", "simdgroup", "group", "simdgroup.done", "done"};
  for (const auto& [shape, expected] :
       {std::pair(Extent{8, 8, 4}, by_row), {{32, 8, 1}, by_row}, {{64, 4, 1}, by_group}}) {
    Vectorised result;
    vectorise_body(result, copy, shape);
    EXPECT_EQ(loops(result), expected) << shape.x;
  }
  Vectorised waiting;
  vectorise_body(waiting, std::string("  call void @msci.barrier.threadgroup(i32 1)") + copy,
                 Extent{8, 8, 1});
  EXPECT_EQ(loops(waiting), by_group);
}

TEST(Vectorise, shared_addresses_are_read_once) {
  Vectorised made;
  vectorise_body(made, R"(
  %g = call i64 @get_group_id(i32 0)
  %i = call i64 @get_global_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %in, i64 %g
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %value, ptr addrspace(1) %to
  ret void
)",
                 Extent{64});
  EXPECT_EQ(made.loads("float"), 1U);
  EXPECT_EQ(made.loads("<32 x float>"), 0U);
}

TEST(Vectorise, addresses_that_lanes_read_are_gathered) {
  Vectorised made;
  vectorise_body(made, R"(
  %i = call i64 @get_global_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %index = load i32, ptr addrspace(1) %at
  %from = getelementptr float, ptr addrspace(1) %in, i32 %index
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %value, ptr addrspace(1) %to
  ret void
)",
                 Extent{64});
  EXPECT_EQ(made.calls("llvm.masked.gather"), 1U);
}

TEST(Vectorise, branches_that_all_lanes_take_alike_have_no_masks) {
  Vectorised made;
  vectorise_body(made, R"(
  %i = call i64 @get_global_id(i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %some = icmp ugt i32 %n, 7
  br i1 %some, label %yes, label %no
yes:
  store i32 1, ptr addrspace(1) %to
  br label %no
no:
  ret void
)",
                 Extent{64});
  EXPECT_EQ(made.calls("llvm.masked"), 0U);
}

TEST(Vectorise, branches_whose_lanes_part_store_under_a_mask) {
  Vectorised made;
  vectorise_body(made, R"(
  %i = call i64 @get_global_id(i32 0)
  %low = trunc i64 %i to i32
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %some = icmp ugt i32 %n, %low
  br i1 %some, label %yes, label %no
yes:
  store i32 1, ptr addrspace(1) %to
  br label %no
no:
  ret void
)",
                 Extent{64});
  EXPECT_EQ(made.calls("llvm.masked.store"), 1U);
}

TEST(Vectorise, a_kernel_tells_that_it_waits) {
  Vectorised made;
  vectorise_body(made, "  call void @msci.barrier.threadgroup(i32 0)\n  ret void\n", Extent{64});
  EXPECT_TRUE(made.kernel.waits);
}

TEST(Vectorise, a_private_array_lies_with_those_of_the_other_lanes) {
  Vectorised made;
  vectorise_body(made, R"(
  %array = alloca [8 x i32]
  %i = call i64 @get_global_id(i32 0)
  %low = trunc i64 %i to i32
  %place = getelementptr i32, ptr %array, i32 %n
  store volatile i32 %low, ptr %place
  %back = load volatile i32, ptr %place
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %back, ptr addrspace(1) %to
  ret void
)",
                 Extent{64});
  EXPECT_GE(made.kernel.stack_bytes, 8 * 4 * 32U);
  EXPECT_EQ(made.calls("llvm.masked.gather"), 0U);
}

TEST(Vectorise, threadgroups_of_any_shape_have_a_form) {
  Vectorised made;
  vectorise_body(made, copy, std::nullopt);
  EXPECT_EQ(made.kernel.symbol, "kernel.any");
}

}  // namespace
}  // namespace msci::engine
