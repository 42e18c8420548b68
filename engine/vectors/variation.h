// What differs among the lanes of a simdgroup: values, and which blocks only some lanes run.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <map>
#include <memory>
#include <vector>

namespace msci::engine {

// Of a specialised kernel, which must not change while this exists.
class Variation {
 public:
  explicit Variation(llvm::Function& kernel);
  Variation(const Variation&) = delete;
  Variation& operator=(const Variation&) = delete;
  ~Variation();

  // Whether active lanes can have different values of it.
  bool differs(const llvm::Value& value) const;
  // Whether active lanes can leave the block in different directions.
  bool parts(const llvm::BasicBlock& block) const;

 private:
  struct Analyses;
  std::unique_ptr<Analyses> analyses_;
  llvm::UniformityInfo* uniformity_ = nullptr;
};

// The blocks in the order in which a simdgroup runs them. Lanes that part wait at the blocks that
// they go to; control goes to the first block in this order where lanes wait.
class BlockOrder {
 public:
  BlockOrder(llvm::Function& kernel, const Variation& variation);

  const std::vector<llvm::BasicBlock*>& blocks() const { return blocks_; }
  std::size_t index(const llvm::BasicBlock& block) const { return indices_.at(&block); }
  // Whether some lanes may wait elsewhere or have returned while others run the block.
  bool is_partial(const llvm::BasicBlock& block) const { return partial_[index(block)]; }
  // Later blocks where lanes may wait when control leaves that one.
  const std::vector<std::size_t>& waiting_after(std::size_t block) const {
    return waiting_after_[block];
  }
  // Whether lanes may wait at `to` already when others go there from `from`.
  bool may_join(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;

 private:
  void find_partial(llvm::Function& kernel, const Variation& variation);
  void find_waiting(llvm::Function& kernel, const Variation& variation);

  std::vector<llvm::BasicBlock*> blocks_;
  std::map<const llvm::BasicBlock*, std::size_t> indices_;
  std::vector<bool> partial_;
  std::vector<std::vector<std::size_t>> waiting_after_;
};

}  // namespace msci::engine
