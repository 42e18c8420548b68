// LLVM IR for tests: parsed from text, with the data layout of Metal's dialect.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <string_view>

namespace msci {

// Fails the test, and returns null, where the text is not valid.
std::unique_ptr<llvm::Module> parse_ir(std::string_view text, llvm::LLVMContext& context);

// The module's text without its header.
std::string print_ir(const llvm::Module& ir);

// The first function with a body.
llvm::Function& first_function(llvm::Module& ir);

}  // namespace msci
