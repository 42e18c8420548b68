#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <optional>

#include "compiler/lower/lowerings.h"
#include "compiler/lower/parameters.h"

namespace msci {
namespace {

// A buffer's pointer and its byte offset are neighbours (program.h).
struct Reference {
  llvm::Argument* pointer;
  llvm::Argument* offset;
  std::uint64_t bytes;
};

std::vector<Reference> references_of(llvm::Function& kernel) {
  std::vector<Reference> references;
  for (auto& argument : kernel.args()) {
    const auto attribute =
        kernel.getAttributes().getParamAttr(argument.getArgNo(), reference_bytes);
    std::uint64_t bytes = 0;
    if (attribute.isValid() && !attribute.getValueAsString().getAsInteger(10, bytes))
      references.push_back({&argument, kernel.getArg(argument.getArgNo() + 1), bytes});
  }
  return references;
}

// The byte of the referenced object that `pointer` points to; none where it points elsewhere.
std::optional<std::uint64_t> byte_in(const Reference& reference, const llvm::Value* pointer) {
  const auto& layout = reference.pointer->getParent()->getDataLayout();
  llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    if (!step->collectOffset(layout, 64, variable, constant)) return std::nullopt;
    pointer = step->getPointerOperand();
  }
  const bool is_its = pointer == reference.pointer && variable.size() == 1 &&
                      variable.front().first == reference.offset && variable.front().second.isOne();
  if (!is_its || constant.isNegative()) return std::nullopt;
  return constant.getZExtValue();
}

// Moves the loads from one reference to the kernel's start; equal ones become one.
void read_first(llvm::Function& kernel, const Reference& reference) {
  std::vector<std::pair<llvm::LoadInst*, std::uint64_t>> loads;
  for (auto& instruction : llvm::instructions(kernel)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple()) continue;
    const auto at = byte_in(reference, load->getPointerOperand());
    const auto size = kernel.getDataLayout().getTypeStoreSize(load->getType()).getFixedValue();
    if (at && *at + size <= reference.bytes) loads.emplace_back(load, *at);
  }
  llvm::IRBuilder<> builder(&kernel.getEntryBlock(),
                            kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  std::map<std::pair<std::uint64_t, llvm::Type*>, llvm::LoadInst*> read;
  for (const auto& [load, at] : loads) {
    auto& first = read[{at, load->getType()}];
    if (!first) {
      auto* start = builder.CreateGEP(builder.getInt8Ty(), reference.pointer, reference.offset);
      auto* address = at ? builder.CreateConstGEP1_64(builder.getInt8Ty(), start, at) : start;
      first = builder.CreateAlignedLoad(load->getType(), address, load->getAlign());
    }
    load->replaceAllUsesWith(first);
    load->eraseFromParent();
  }
}

}  // namespace

void read_references_first(llvm::Module& ir) {
  for (auto& kernel : ir)
    for (const auto& reference : references_of(kernel)) read_first(kernel, reference);
}

}  // namespace msci
