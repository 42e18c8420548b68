// What is known of how far the addresses of a kernel lie from the memory that they lead into.
#pragma once

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/TargetParser/Triple.h>

#include <cstdint>
#include <optional>
#include <set>

namespace msci::engine {

// Bytes from the begin of a memory, whichever of several it is.
struct Reach {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

// Sound for kernels after define_integers().
class AccessBounds {
 public:
  explicit AccessBounds(llvm::Function& kernel);

  // For pointers to device or threadgroup memory. None if it may lead anywhere.
  std::optional<Reach> reach(llvm::Value& pointer);
  // The only array that a pointer to private memory, or into a table, leads into; null if it may be
  // one of several.
  llvm::Value* array(llvm::Value& pointer);
  // Whether that many bytes from there on lie in the array with that size, when `at` is executed.
  bool is_inside(llvm::Value& pointer, llvm::Value& array, std::uint64_t size, std::uint64_t bytes,
                 const llvm::Instruction& at);
  // The parameter that it is computed from alone; null if there is none.
  llvm::Argument* parameter(llvm::Value& pointer);

 private:
  std::optional<Reach> find_reach(llvm::Value& pointer);
  std::optional<Reach> reach_of_any(llvm::ArrayRef<llvm::Value*> pointers);
  std::optional<Reach> steps(const llvm::SCEV* offset, const llvm::Value& base);

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfoImpl library_;
  llvm::TargetLibraryInfo functions_;
  llvm::ScalarEvolution evolution_;
  std::set<const llvm::Value*> pending_;  // phis whose reach is being found
};

}  // namespace msci::engine
