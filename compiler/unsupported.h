// What OpenCL C text cannot express.
#pragma once

#include <optional>
#include <string>

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace msci {

struct Unsupported {
  std::string what;  // "double precision; write 0.5f instead of 0.5"
  const llvm::Instruction* where = nullptr;
};

// The first thing in a lowered kernel that print() has no text for. print() takes only kernels
// without one.
std::optional<Unsupported> first_unsupported(const llvm::Function& kernel);

}  // namespace msci
