#include "analysis/facts/specialise_kernel.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <cstring>

#include "analysis/facts/check_calls.h"
#include "compiler/frontend/optimise.h"

namespace msci::prover {

unsigned side(const Extent& extent, unsigned dimension) {
  return dimension == 0 ? extent.x : dimension == 1 ? extent.y : extent.z;
}

unsigned groups(const LaunchFacts& facts, unsigned dimension) {
  const auto threads = std::max(1U, side(facts.threadgroup, dimension));
  return (side(facts.grid, dimension) + threads - 1) / threads;
}

unsigned last_threads(const LaunchFacts& facts, unsigned dimension) {
  const auto threads = side(facts.threadgroup, dimension);
  const auto rest = side(facts.grid, dimension) % std::max(1U, threads);
  return rest == 0 ? threads : rest;
}

bool is_open(const LaunchFacts& facts, unsigned dimension) {
  return facts.all_sizes && facts.all_sizes->grid[dimension].grows();
}

namespace {

using llvm::Value;

class Specialiser {
 public:
  Specialiser(llvm::Function& kernel, const KernelSignature& signature, const LaunchFacts& facts,
              Effort effort)
      : kernel_(kernel),
        signature_(signature),
        facts_(facts),
        effort_(effort),
        builder_(kernel.getContext()) {}

  void run(const std::function<bool()>& goes_on) {
    hide_threadgroup_contents();
    set_parameters();
    replace_positions();
    if (effort_ == Effort::quick) measure_offsets();
    fold_known_loads();
    tidy();
    fold_known_loads();
    if (goes_on) {
      normalise_loops(kernel_);
      if (!goes_on()) return;
    }
    // What is unrolled may tell how often the loops in it run.
    constexpr unsigned most_rounds = 3;
    for (unsigned round = 0; round < most_rounds && unroll(kernel_); ++round) {
      tidy();
      fold_known_loads();
    }
    normalise_loops(kernel_);
  }

 private:
  void tidy() {
    if (effort_ == Effort::quick)
      simplify(*kernel_.getParent());
    else
      optimise(*kernel_.getParent());
  }

  // LLVM must draw no conclusion from what an array holds at first.
  void hide_threadgroup_contents() {
    for (auto& variable : kernel_.getParent()->globals()) {
      if (variable.isConstant() || variable.isDeclaration()) continue;
      variable.setInitializer(llvm::Constant::getNullValue(variable.getValueType()));
      variable.setExternallyInitialized(true);
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
  }

  // Offsets of bindings count from the bound byte; the last six are the grid and the threadgroup.
  void set_parameters() {
    unsigned parameter = 0;
    for (const auto& argument : signature_.arguments) {
      arguments_.push_back(kernel_.getArg(parameter++));
      if (is_device_memory(argument.kind)) set(parameter++, 0);
    }
    builder_.SetInsertPoint(&*kernel_.getEntryBlock().getFirstInsertionPt());
    for (unsigned d = 0; d < 3; ++d) {
      auto* threads = kernel_.getArg(parameter + d);
      threads->replaceAllUsesWith(builder_.CreateZExtOrTrunc(grid_side(d), threads->getType()));
      set(parameter + 3 + d, side(facts_.threadgroup, d));
    }
  }

  // ---- numbers that depend on the size

  Value* sized(const SizedNumber& number) {
    auto* type = builder_.getInt64Ty();
    const auto of = [&](std::int64_t value) {
      return builder_.getInt64(static_cast<std::uint64_t>(value));
    };
    auto function = kernel_.getParent()->getOrInsertFunction(size_of_launch, type);
    const auto& sizes = *facts_.all_sizes;
    auto* size = call(*llvm::cast<llvm::Function>(function.getCallee()),
                      {llvm::APInt(64, static_cast<std::uint64_t>(sizes.first)),
                       llvm::APInt(64, static_cast<std::uint64_t>(sizes.last) + 1)});
    auto* value =
        builder_.CreateNSWAdd(builder_.CreateNSWMul(size, of(number.factor)), of(number.constant));
    if (number.divisor == 1) return value;
    auto* quotient = builder_.CreateUDiv(value, of(number.divisor));
    return builder_.CreateNSWMul(quotient, of(number.multiplier));
  }

  // Of 32 bits.
  Value* grid_side(unsigned d) {
    if (!is_open(facts_, d)) return builder_.getInt32(side(facts_.grid, d));
    return builder_.CreateTrunc(sized(facts_.all_sizes->grid[d]), builder_.getInt32Ty());
  }

  // The number of the last threadgroup in a dimension.
  Value* last_group(unsigned d) {
    if (!is_open(facts_, d)) return builder_.getInt32(groups(facts_, d) - 1);
    auto* last = builder_.CreateNUWSub(grid_side(d), builder_.getInt32(1));
    return builder_.CreateUDiv(last, builder_.getInt32(side(facts_.threadgroup, d)));
  }

  // The number of its threads.
  Value* threads_of_last_group(unsigned d) {
    if (!is_open(facts_, d)) return builder_.getInt32(last_threads(facts_, d));
    auto* before =
        builder_.CreateNUWMul(last_group(d), builder_.getInt32(side(facts_.threadgroup, d)));
    return builder_.CreateNUWSub(grid_side(d), before);
  }

  void set(unsigned parameter, std::uint64_t value) {
    auto* argument = kernel_.getArg(parameter);
    argument->replaceAllUsesWith(llvm::ConstantInt::get(argument->getType(), value));
  }

  // ---- positions

  void replace_positions() {
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel_))) {
      const auto name = callee_of(instruction);
      if (!name.starts_with("get_")) continue;
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      const auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
      if (!dimension || dimension->getZExtValue() > 2) continue;
      builder_.SetInsertPoint(&call);
      auto* value = position(name, static_cast<unsigned>(dimension->getZExtValue()));
      if (!value) continue;
      call.replaceAllUsesWith(builder_.CreateZExtOrTrunc(value, call.getType()));
      call.eraseFromParent();
    }
  }

  Value* position(const std::string& name, unsigned d) {
    const auto threads = side(facts_.threadgroup, d);
    if (name == "get_global_offset") return builder_.getInt32(0);
    if (name == "get_local_id") return call(local_position, d, threads);
    if (name == "get_group_id") return call(group_position, d, groups(facts_, d));
    if (name == "get_num_groups") return builder_.CreateNUWAdd(last_group(d), builder_.getInt32(1));
    if (name == "get_global_size") return grid_side(d);
    if (name == "get_enqueued_local_size") return builder_.getInt32(threads);
    if (name == "get_global_id") {
      auto* group = call(group_position, d, groups(facts_, d));
      auto* first = builder_.CreateNUWMul(group, builder_.getInt32(threads));
      return builder_.CreateNUWAdd(first, call(local_position, d, threads));
    }
    if (name != "get_local_size") return nullptr;
    if (!is_open(facts_, d) && last_threads(facts_, d) == threads)
      return builder_.getInt32(threads);
    auto* is_last =
        builder_.CreateICmpEQ(call(group_position, d, groups(facts_, d)), last_group(d));
    return builder_.CreateSelect(is_last, threads_of_last_group(d), builder_.getInt32(threads));
  }

  // A number below `count`.
  Value* call(const char* name, unsigned dimension, unsigned count) {
    if (count <= 1) return builder_.getInt32(0);
    auto function = kernel_.getParent()->getOrInsertFunction(name + std::to_string(dimension),
                                                             builder_.getInt32Ty());
    return call(*llvm::cast<llvm::Function>(function.getCallee()),
                {llvm::APInt(32, 0), llvm::APInt(32, count)});
  }

  // A number that each call finds the same.
  Value* call(llvm::Function& callee, const llvm::ConstantRange& range) {
    callee.setDoesNotAccessMemory();
    callee.setDoesNotThrow();
    callee.setWillReturn();
    callee.addFnAttr(llvm::Attribute::Speculatable);
    auto* made = builder_.CreateCall(&callee, {});
    made->addRangeRetAttr(range);
    made->addRetAttr(llvm::Attribute::NoUndef);
    return made;
  }

  // ---- offsets

  // Says a difference between two pointers into one object by the steps from one to the other.
  // optimise() does the same.
  void measure_offsets() {
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel_))) {
      using namespace llvm::PatternMatch;
      for (auto& operand : instruction.operands())
        if (auto* known = llvm::dyn_cast<llvm::ConstantExpr>(operand.get()))
          operand.set(llvm::ConstantFoldConstant(known, kernel_.getDataLayout()));
      Value *pointer = nullptr, *base = nullptr;
      if (!match(&instruction, m_Sub(m_PtrToInt(m_Value(pointer)), m_PtrToInt(m_Value(base)))))
        continue;
      builder_.SetInsertPoint(&instruction);
      auto* offset = offset_between(*base, *pointer, *instruction.getType());
      if (!offset) continue;
      instruction.replaceAllUsesWith(offset);
      instruction.eraseFromParent();
    }
  }

  // Null where the pointer does not come from the base by steps alone.
  Value* offset_between(Value& base, Value& pointer, llvm::Type& type) {
    llvm::SmallVector<llvm::GEPOperator*> steps;
    auto* from = &pointer;
    for (; from != &base; from = steps.back()->getPointerOperand()) {
      auto* step = llvm::dyn_cast<llvm::GEPOperator>(from);
      if (!step || step->getType()->isVectorTy()) return nullptr;
      steps.push_back(step);
    }
    Value* offset = llvm::ConstantInt::get(&type, 0);
    for (auto* step : steps) {
      auto* bytes = llvm::emitGEPOffset(&builder_, kernel_.getDataLayout(), step);
      offset = builder_.CreateAdd(offset, builder_.CreateSExtOrTrunc(bytes, &type));
    }
    return offset;
  }

  // ---- known contents

  // The argument that a pointer leads into and the byte there, if that is a constant.
  struct Place {
    std::size_t argument = 0;
    std::uint64_t byte = 0;
  };
  std::optional<Place> place_of(Value* pointer) const {
    std::uint64_t byte = 0;
    while (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      if (step->getNumIndices() != 1 || !step->getSourceElementType()->isIntegerTy(8))
        return std::nullopt;
      auto* index = step->getOperand(1);
      while (const auto* offset = bounded_offset(*index)) index = const_cast<Value*>(offset);
      const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index);
      if (!constant) return std::nullopt;
      byte += constant->getZExtValue();
      pointer = step->getPointerOperand();
    }
    const auto found = std::find(arguments_.begin(), arguments_.end(), pointer);
    if (found == arguments_.end()) return std::nullopt;
    return Place{static_cast<std::size_t>(found - arguments_.begin()), byte};
  }

  // The integers that the launches have at a place.
  std::vector<std::uint64_t> numbers_at(const Place& place, std::size_t bytes) const {
    std::vector<std::uint64_t> numbers;
    if (sized_word(place, bytes)) return {};
    for (const auto& contents : facts_.arguments[place.argument].contents) {
      if (place.byte > contents.size() || contents.size() - place.byte < bytes) return {};
      std::uint64_t number = 0;
      std::memcpy(&number, contents.data() + place.byte, bytes);
      numbers.push_back(number);
    }
    return numbers;
  }

  // The word of all sizes in these bytes; null without one.
  const AllSizes::Word* sized_word(const Place& place, std::size_t bytes) const {
    if (!facts_.all_sizes) return nullptr;
    for (const auto& word : facts_.all_sizes->words)
      if (word.argument == place.argument && word.byte < place.byte + bytes &&
          place.byte < word.byte + 4)
        return &word;
    return nullptr;
  }

  // Puts the number of all sizes in the place of a load of it, also of 64 bits whose upper half is
  // always 0.
  bool fold_sized(llvm::LoadInst& load, const Place& place) {
    auto* type = load.getType();
    const auto bytes = static_cast<std::size_t>(type->getPrimitiveSizeInBits() / 8);
    const auto* word = sized_word(place, 4);
    if (!word || word->byte != place.byte || !type->isIntegerTy() || bytes < 4) return false;
    if (bytes == 8) {
      const auto upper = numbers_at({place.argument, place.byte + 4}, 4);
      if (upper.size() != 1 || upper.front() != 0) return false;
    }
    builder_.SetInsertPoint(&load);
    load.replaceAllUsesWith(builder_.CreateZExtOrTrunc(sized(word->number), type));
    return true;
  }

  void fold_known_loads() {
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel_)))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) fold(*load);
  }

  void fold(llvm::LoadInst& load) {
    auto* type = load.getType();
    const auto bits = type->getPrimitiveSizeInBits().getFixedValue();
    if (bits == 0 || bits > 64 || bits % 8 != 0 || type->isVectorTy()) return fold_vector(load);
    const auto place = place_of(load.getPointerOperand());
    if (!place || fold_sized(load, *place)) return;
    const auto numbers = numbers_at(*place, bits / 8);
    if (numbers.empty()) return;
    auto* integer = llvm::IntegerType::get(load.getContext(), static_cast<unsigned>(bits));
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    if (*least == *most) {
      auto* constant = llvm::ConstantInt::get(integer, *least);
      load.replaceAllUsesWith(llvm::ConstantExpr::getBitCast(constant, type));
    } else if (type->isIntegerTy() && *most < integer->getBitMask()) {
      const llvm::APInt low(integer->getBitWidth(), *least);
      llvm::MDBuilder metadata(load.getContext());
      load.setMetadata(llvm::LLVMContext::MD_range,
                       metadata.createRange(low, llvm::APInt(integer->getBitWidth(), *most) + 1));
    }
  }

  void fold_vector(llvm::LoadInst& load) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
    if (!vector || vector->getElementType()->isPointerTy()) return;
    const auto bits = vector->getScalarSizeInBits();
    const auto place = place_of(load.getPointerOperand());
    if (!place || bits == 0 || bits > 64 || bits % 8 != 0) return;
    llvm::SmallVector<llvm::Constant*> elements;
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      const auto numbers = numbers_at({place->argument, place->byte + i * bits / 8}, bits / 8);
      if (numbers.empty() || !std::all_of(numbers.begin(), numbers.end(),
                                          [&](auto each) { return each == numbers[0]; }))
        return;
      auto* integer = llvm::IntegerType::get(load.getContext(), bits);
      elements.push_back(llvm::ConstantExpr::getBitCast(llvm::ConstantInt::get(integer, numbers[0]),
                                                        vector->getElementType()));
    }
    load.replaceAllUsesWith(llvm::ConstantVector::get(elements));
  }

  llvm::Function& kernel_;
  const KernelSignature& signature_;
  const LaunchFacts& facts_;
  const Effort effort_;
  llvm::IRBuilder<> builder_;
  std::vector<Value*> arguments_;
};

}  // namespace

void specialise(llvm::Function& kernel, const KernelSignature& signature, const LaunchFacts& facts,
                Effort effort, const std::function<bool()>& goes_on) {
  Specialiser(kernel, signature, facts, effort).run(goes_on);
}

}  // namespace msci::prover
