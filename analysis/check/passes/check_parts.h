// The parts of the checked mode's passes (check_passes.h).
#pragma once

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

#include <map>
#include <set>
#include <vector>

#include "compiler/ir/source_locations.h"
#include "tasks/plan/program.h"

namespace llvm {
class AllocaInst;
class Function;
class Instruction;
class LoadInst;
class Module;
class StoreInst;
class Value;
}  // namespace llvm

namespace msci {

// Checks of device and threadgroup memory.

// `brief`: without what is of no use where buffers are taken for endless, namely whether an index
// of a buffer wrapped around, and whether a store writes what is there already.
enum class AccessDetail { full, brief };

// Afterwards every access to a buffer or a threadgroup array goes where it is let, and is recorded.
// Fills in the kernels' objects. Kernels have the parameters of program.h, and each pointer's
// address space is known.
void check_accesses(llvm::Module& ir, std::vector<KernelSignature>& kernels,
                    SourceLocations& locations, AccessDetail detail = AccessDetail::full);

// What of a kernel depends on data: on what it loads at places that differ from thread to thread,
// on threadgroup memory, and on atomic operations. Thread positions and the scalars that a host
// binds do not count as data, nor does what follows from them.
class DataDependence {
 public:
  explicit DataDependence(llvm::Function& kernel);

  // Whether data decides where a pointer leads.
  bool decides(const llvm::Value& pointer);
  // Whether data decides if a thread comes to the instruction.
  bool decides_reaching(const llvm::Instruction& instruction);
  // Whether an atomic store writes what an atomic load of the same place has decided: the value
  // itself, or whether it is stored.
  bool stores_back(const llvm::StoreInst& store);

 private:
  bool is_data(const llvm::Value& value, std::set<const llvm::Value*>& seen);
  bool is_data_of(const llvm::AllocaInst& variable, std::set<const llvm::Value*>& seen);
  bool is_loaded_data(const llvm::LoadInst& load, std::set<const llvm::Value*>& seen);
  // The conditions of the branches that decide whether a thread comes to the instruction.
  std::set<const llvm::Value*> conditions_of(const llvm::Instruction& instruction) const;

  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
};

// Calls of assert() and of an os_log, which only the checked mode reports.

// Afterwards each assertion is a check. Comes after inlining, which tells where the calls are.
void check_assertions(llvm::Module& ir, SourceLocations& locations);

// Afterwards each message is a call of msci.check.log. Comes after optimisation, which tells what
// its format is. A run records the first numbers of a message (KernelMessage::most_words).
void record_messages(llvm::Module& ir, SourceLocations& locations);

// Checks of undefined values.

// Afterwards a value that a thread read from an inactive lane, or from threadgroup memory or a
// private variable that was never written, is tracked, through registers and other lanes, and
// reported where something depends on it: a stored value, an address, a branch. Reading it alone is
// not a fault. Runs after check_accesses, whose calls say where reads go.
void check_values(llvm::Module& ir, SourceLocations& locations);
// Removes the marks of check_private_memory(), for code whose values are not checked.
void drop_private_marks(llvm::Module& ir);

// Exchanges that fail and are not tried again.

// Afterwards a compare-and-exchange that fails is reported if it would have stored what the
// expected value was changed into, such as a sum, and the kernel does not look at its result. An
// exchange of a constant, which claims a place, may fail, and so may one whose new value was read
// elsewhere. Variables are in registers.
void check_lost_updates(llvm::Function& kernel, SourceLocations& locations);

// Checks of memory that belongs to one thread.

// Afterwards no variable that fits a register lies in memory, and what a thread reads of one that
// it never wrote is marked for check_values. What it reads of a private array that it never wrote
// is reported; so is an access outside of a private array or a program-scope table, which then goes
// to its beginning. What cannot be followed is let alone. Comes before anything that may replace an
// uninitialised value by any value; helpers have been inlined.
void check_private_memory(llvm::Module& ir, SourceLocations& locations);

// Checks of private arrays and structures, and of tables of the program.

// Variables whose memory a function reserves when it begins.
std::vector<llvm::AllocaInst*> variables_of(llvm::Function& function);

// Afterwards every access through a pointer that can only lead into private arrays, structures and
// tables of the program stays inside of the one that it leads into, and reads what was written.
// Variables have been promoted to registers where that is possible.
void check_private_arrays(llvm::Function& function, SourceLocations& locations);

// Loops that wait for an atomic operation.

// Afterwards a thread is reported, and stopped, that goes round a loop very often whose end an
// atomic operation in it decides. A loop that tries to exchange what it has loaded succeeds after a
// few rounds, whatever other threads do; one that waits for other threads may take longer.
void check_spinning_loops(llvm::Function& kernel, SourceLocations& locations);

// Whether the arithmetic behind an index wrapped around.

// Follows indices of 32 bits through sums, differences and products. Unsigned arithmetic
// may be meant either way, `row * width + uint(-1)`: it wrapped only where no reading of its
// operands, as unsigned numbers all or as signed ones all, gives the result.
class Wrapping {
 public:
  // A value of one bit, defined before `access`, or null where no index can wrap.
  llvm::Value* of(llvm::Value* pointer, llvm::Instruction& access);

 private:
  // One bit for either reading; null where nothing can go wrong.
  struct Readings {
    llvm::Value* as_unsigned = nullptr;
    llvm::Value* as_signed = nullptr;
  };
  Readings readings(llvm::Value* index, unsigned depth);
  std::map<llvm::Value*, Readings> known_;
};

}  // namespace msci
