// Makes kernels count what they do: calls in the IR that a device turns into counters.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/instrument.h"
#include "compiler/ir/source_locations.h"
#include "tasks/plan/kernel_code.h"
#include "tasks/plan/program.h"

namespace msci {

// The functions that a kernel calls: with the number of a block at its beginning; before an access,
// with its number, its MemoryKind, its AccessType, its bytes and its address. An access of an
// element of a matrix in threadgroup memory has no bytes there: a GPU loads and stores a matrix in
// the turns of its bytes, whatever banks its rows are in.
constexpr const char* count_block_call = "msci.profile.block";
constexpr const char* count_access_call = "msci.profile.access";

// The passes of a profile (docs/concepts/profile.md): Translation::code says afterwards what the
// kernels' counters count, and calls in the kernels tell which blocks and accesses run. They come
// last: the calls hold no optimisation back that the device does not do itself. Afterwards the IR
// has no debug information. `locations` must outlive the passes.
std::unique_ptr<InstrumentPasses> profile_passes(SourceLocations& locations);

// Removes the calls that count.
void drop_counts(llvm::Function& kernel);

// How often a block stores and loads values that do not fit into registers.

// One step of a block: values by number.
struct AllocationStep {
  std::vector<unsigned> reads;
  int defines = -1;  // none
};

// The block as steps, with the values that live at its beginning and at its end. `sizes`: the
// registers of each value. The result is in registers, too: each value that goes is stored once,
// and loaded where it is used again.
unsigned spilled_registers(const std::vector<AllocationStep>& steps,
                           const std::vector<unsigned>& live_in,
                           const std::vector<unsigned>& live_out,
                           const std::vector<unsigned>& sizes, unsigned allowed);

// Products of 8×8 matrices in a kernel. Metal's header spells them out as shuffles and sums,
// whereas Apple's GPUs have one instruction for each.

// Of one kernel with debug locations, which must not change while this exists.
class MatrixProducts {
 public:
  explicit MatrixProducts(llvm::Function& kernel);

  // Whether the instruction is a part of a product.
  static bool contains(const llvm::Instruction& instruction);
  // Whether it stands for one whole product.
  bool ends_with(const llvm::Instruction& instruction) const {
    return ends_.contains(&instruction);
  }

 private:
  llvm::DenseSet<const llvm::Instruction*> ends_;
};

// Whether it loads or stores an element for simdgroup_load or simdgroup_store.
bool moves_matrix(const llvm::Instruction& instruction);

// What an Apple GPU would execute for an instruction of LLVM IR.

// How many instructions of which kind.
struct InstructionWork {
  WorkKind work = WorkKind::integer;
  unsigned count = 0;
};

// The elements of a vector; 1 of other types.
unsigned elements_of(const llvm::Type* type);

// Of one kernel, which must not change while this exists.
class KernelWork {
 public:
  explicit KernelWork(llvm::Function& kernel);

  // None for an instruction that costs nothing: one that another instruction does with its own
  // work (a product that is added, a comparison that is selected by, a part of a product of
  // matrices), or that all threads of the dispatch share, as an Apple GPU computes it once before
  // them.
  std::optional<InstructionWork> of(const llvm::Instruction& instruction) const;
  // Whether all threads of the dispatch have the same value, known before they start.
  bool is_shared(const llvm::Value& value) const;
  // Whether the instruction that uses it does its work: it needs no register of its own.
  bool is_folded(const llvm::Instruction& instruction) const;

 private:
  void find_shared(const llvm::Function& kernel);
  bool is_folded_address(const llvm::Instruction& address) const;

  llvm::DenseSet<const llvm::Value*> shared_;
  MatrixProducts products_;
};

// How long the instructions of a block wait for each other.

// The chains of a block; its other members are empty.
BlockCode longest_chains(const llvm::BasicBlock& block, const KernelWork& work);

// How long the loops of a kernel are in the machine code of an Apple GPU.

// The instructions of the largest loop without a loop in it. Of a loop that the source asks to
// unroll, the copies of its body count: where these are all iterations, it is part of the loop
// around it. The length has no limit: with very many iterations, it exceeds that of any real code.
std::size_t largest_loop(llvm::Function& kernel, const KernelWork& work,
                         llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

// Registers that a kernel needs at once.

// The registers that one run of a basic block needs.
struct RegisterNeeds {
  unsigned registers = 0;  // of 16 bits, of a thread, that hold values at once at the most
  // 32-bit registers that one run of the block stores and loads again, because they do not fit.
  unsigned spills = 0;
};

// The needs of each basic block of a kernel.
using LiveRegisters = llvm::DenseMap<const llvm::BasicBlock*, RegisterNeeds>;

// What the blocks of a kernel need in the order of their instructions, where a thread can have
// `allowed` 16-bit registers. Values that the threads of a dispatch share have registers of their
// own. Of values that do not fit, those go that are used again last.
LiveRegisters live_registers(const llvm::Function& kernel, const KernelWork& work,
                             unsigned allowed);

// What operations on 64-bit integers cost, which Apple's GPUs do on halves of 32 bits.

// Products of 32 bits that issue in as many cycles as the upper half of a product of 64 bits, which
// is four of them and sums with carries. An assumption: 5 to 7 order the recorded kernels alike.
// In a chain, the upper half waits as long as one of them.
constexpr unsigned upper_half_products = 5;

// The value of a constant integer, or of a constant vector with the same constant in each element;
// null for others.
const llvm::APInt* splat_constant(const llvm::Value& value);
// Whether the value is an integer of more than 32 bits, or a vector of such.
bool is_long(const llvm::Type* type);
// Whether all but the lower 32 bits of an integer are known to be zero.
bool fits_in_half(const llvm::Value& value, const llvm::DataLayout& layout);

// The work of a binary operation, a comparison or a selection on 64-bit integers. Halves that are
// known to be zero cost nothing: the sum of a value and another one's upper half is an addition of
// 32 bits, and putting two halves together is free. None for work of other types.
std::optional<InstructionWork> wide_work(const llvm::Instruction& instruction);

}  // namespace msci
