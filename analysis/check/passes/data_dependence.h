// What of a kernel depends on data: on what it loads at places that differ from thread to thread,
// on threadgroup memory, and on atomic operations. Thread positions and the scalars that a host
// binds are no data, and neither is what follows from them.
#pragma once

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

#include <set>

namespace llvm {
class AllocaInst;
class Function;
class Instruction;
class LoadInst;
class StoreInst;
class Value;
}  // namespace llvm

namespace msci {

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

}  // namespace msci
