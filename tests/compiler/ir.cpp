#include "tests/compiler/ir.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace msci {
namespace {

constexpr std::string_view layout =
    "target datalayout = \"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
    "v1024:1024-n8:16:32:64-G1\"\n";

}  // namespace

std::unique_ptr<llvm::Module> parse_ir(std::string_view text, llvm::LLVMContext& context) {
  llvm::SMDiagnostic problem;
  auto ir = llvm::parseAssemblyString(std::string(layout) + std::string(text), problem, context);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!ir) problem.print("", stream);
  EXPECT_TRUE(ir && !llvm::verifyModule(*ir, &stream)) << message;
  return ir;
}

std::string print_ir(const llvm::Module& ir) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const auto& variable : ir.globals()) stream << variable << "\n";
  for (const auto& function : ir)
    if (!function.isDeclaration()) stream << function;
  return text;
}

llvm::Function& first_function(llvm::Module& ir) {
  for (auto& function : ir)
    if (!function.isDeclaration()) return function;
  llvm_unreachable("every test has a function with a body");
}

}  // namespace msci
