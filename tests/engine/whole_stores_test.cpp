// Stores under a mask get a plain form for rows whose lanes all run.
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include <string>
#include <vector>

#include "engine/vectors/vectorise.h"

namespace msci::engine {
namespace {

// What the one function of the module does, in order: "branch", "plain", "masked" or "return".
std::vector<std::string> steps_after(const std::string& ir) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(ir, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  if (!module) return {};
  store_whole_rows(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::vector<std::string> steps;
  for (const auto& instruction : llvm::instructions(*module->getFunction("f"))) {
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
        branch && branch->isConditional())
      steps.push_back("branch");
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      steps.push_back("plain");
      EXPECT_EQ(store->getAlign().value(), 4U);
    }
    if (llvm::isa<llvm::IntrinsicInst>(instruction)) steps.push_back("masked");
    if (llvm::isa<llvm::ReturnInst>(instruction)) steps.push_back("return");
  }
  return steps;
}

std::string store_of(unsigned lanes, const std::string& mask) {
  const auto count = std::to_string(lanes), lane = "v" + count + "f32";
  return "declare void @llvm.masked.store." + lane + ".p0(<" + count + " x float>, ptr, <" + count +
         " x i1>)\n"
         "define void @f(<" +
         count + " x float> %values, ptr %row, <" + count +
         " x i1> %runs) {\n"
         "  call void @llvm.masked.store." +
         lane + ".p0(<" + count + " x float> %values, ptr align 4 %row, <" + count + " x i1> " +
         mask + ")\n  ret void\n}\n";
}

using Steps = std::vector<std::string>;

TEST(WholeStores, have_a_plain_form) {
  EXPECT_EQ(steps_after(store_of(16, "%runs")), (Steps{"branch", "plain", "masked", "return"}));
}

TEST(WholeStores, are_left_alone_where_they_are_short_or_their_mask_is_known) {
  EXPECT_EQ(steps_after(store_of(4, "%runs")), (Steps{"masked", "return"}));
  EXPECT_EQ(steps_after(store_of(8, "<i1 1, i1 0, i1 1, i1 0, i1 1, i1 0, i1 1, i1 0>")),
            (Steps{"masked", "return"}));
}

}  // namespace
}  // namespace msci::engine
