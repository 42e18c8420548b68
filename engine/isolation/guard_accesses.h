// Isolation of kernels by their code: no access leaves the buffers, the threadgroup memory or the
// private arrays of a kernel, whatever it computes (docs/concepts/isolation.md).
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
#include <string_view>

namespace llvm {
class Function;
}

namespace msci::engine {

// The calls that guard_accesses() adds.
//
// guard_device_call(pointer, parameter) → a pointer that is the same where it is near the buffer of
// that parameter, and otherwise leads to where no access is allowed. A null parameter stands for
// all buffers. guard_threadgroup_call(pointer): the same for the memory of the threadgroup.
// guard_array_call(inside, kind): ends the kernel unless `inside` is true.
constexpr std::string_view guard_prefix = "msci.guard.";
constexpr std::string_view guard_device_call = "msci.guard.device";
constexpr std::string_view guard_threadgroup_call = "msci.guard.threadgroup";
constexpr std::string_view guard_array_call = "msci.guard.array";

// What a kernel left; the number is the last argument of guard_array_call.
enum class GuardedArray { private_array, table };

// The function of the engine that generated code calls where a guard finds an access outside.
constexpr std::string_view guard_failure = "msci_engine_outside";

// Adds the guards that accesses of the kernel need, after specialise().
void guard_accesses(llvm::Function& kernel);

// What is known of how far the addresses of a kernel lie from the memory that they lead into.

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

// Integer operations with one result each, so that what is known of a value holds for what the
// processor computes.

// Afterwards, no integer operation of the kernel has an undefined result or promises that it has a
// defined one: sums wrap around, shifts use the low bits of their distance, and x / 0 is x. LLVM
// may assume that what is undefined does not happen, and a hostile kernel makes it happen.
void define_integers(llvm::Function& kernel);

}  // namespace msci::engine
