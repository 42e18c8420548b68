#include "engine/vectors/vectorise.h"

#include <fmt/format.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <cstddef>

#include "analysis/check/check_layout.h"
#include "compiler/ir/spaces.h"
#include "engine/check/checked_simdgroup.h"
#include "engine/isolation/guard_accesses.h"
#include "engine/threadgroup/simdgroup.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {

namespace {

constexpr std::uint64_t first_private_byte = 16;  // so that no private address is null
constexpr std::uint64_t private_word_bytes = 4;   // of one lane, beside those of the others

// A barrier or a fence: what comes before it may be ordered before what comes behind.
bool orders_threads(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->getCalledFunction()) return false;
  const auto name = call->getCalledFunction()->getName();
  return name.starts_with("msci.barrier.") || name.starts_with("msci.fence");
}

std::string shape_name(const std::optional<Extent>& shape) {
  return shape ? fmt::format("{}x{}x{}", shape->x, shape->y, shape->z) : "any";
}

}  // namespace

// ---- the function, its parameters, its memory

// The kernel's parameters arrive as parameters, not in memory, so that they can be `noalias`.
// Beside them: the threadgroup, its x position, the simdgroup's index and its lanes; the checks of
// a checked kernel; the marks of a covered one, to which nothing else leads.
void Vectoriser::make_function() {
  std::vector<Type*> types;
  for (const auto& parameter : from_.args()) types.push_back(mapped(parameter.getType()));
  types.insert(types.end(), {ptr_, i32_, i32_, i32_});
  if (options_.checked) types.push_back(ptr_);
  if (options_.covered) types.push_back(ptr_);
  result_.symbol = fmt::format("{}.{}", from_.getName().str(), shape_name(options_.shape));
  function_ =
      llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), types, false),
                             llvm::GlobalValue::InternalLinkage, result_.symbol + ".body", to_);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  function_->addFnAttr(llvm::Attribute::AlwaysInline);
  for (unsigned i = 0; i < from_.arg_size(); ++i) {
    if (!mapped(from_.getArg(i)->getType())->isPointerTy()) continue;
    if (i < options_.constant.size() && options_.constant[i])
      function_->addParamAttr(i, llvm::Attribute::ReadOnly);
  }
  if (options_.covered)
    function_->addParamAttr(static_cast<unsigned>(function_->arg_size() - 1),
                            llvm::Attribute::NoAlias);
  entry_ = llvm::BasicBlock::Create(context_, "entry", function_);
  builder_.SetInsertPoint(entry_);
  simdgroup_ = function_->getArg(from_.arg_size());
  if (options_.checked) {
    checks_ = function_->getArg(from_.arg_size() + 4);
    position_ = field(offsetof(Threadgroup, checked), ptr_);
    objects_ = builder_.CreateLoad(
        ptr_, builder_.CreateConstGEP1_64(i8_, checks_, offsetof(SimdgroupChecks, objects)));
    for (unsigned space = 0; space < 2; ++space)
      shadows_[space] = builder_.CreateLoad(
          ptr_, builder_.CreateConstGEP1_64(i8_, checks_,
                                            offsetof(SimdgroupChecks, shadows) + 8 * space));
    index_bits_ = builder_.CreateZExt(
        builder_.CreateLoad(
            i32_, builder_.CreateConstGEP1_64(i8_, checks_, offsetof(SimdgroupChecks, index_bits))),
        i64_);
    orders_threads_ = llvm::any_of(llvm::instructions(from_), orders_threads);
    auto* log = builder_.CreateLoad(
        ptr_, builder_.CreateConstGEP1_64(i8_, checks_, offsetof(SimdgroupChecks, log)));
    coverage_ = builder_.CreateConstGEP1_64(i64_, log, CheckLog::coverage_at);
  }
  if (options_.covered) outcomes_ = function_->getArg(function_->arg_size() - 1);
  if (options_.counted) counter_ = field(offsetof(Threadgroup, counter), ptr_);
  // Marks the end of the slots.
  slots_end_ = builder_.CreateAlloca(i1_, nullptr, "slots_end");
}

// Other simdgroups change memory while one waits at a barrier: a pointer then leads alone only to
// what the kernel does not change.
void Vectoriser::promise_what_is_alone() {
  for (unsigned i = 0; i < options_.alone.size(); ++i)
    if (options_.alone[i] && (!result_.waits || options_.constant[i]))
      function_->addParamAttr(i, llvm::Attribute::NoAlias);
}

// Whether the code runs one simdgroup of all threadgroups beside each other before the next one.
// Where the threads of a row belong to one simdgroup, its next threads lie in the next threadgroup:
// memory is then read row by row, and what depends on y and z only is computed once for a row.
bool Vectoriser::runs_along_x() const {
  const bool has_threadgroup_memory =
      result_.threadgroup_bytes > 0 || llvm::any_of(from_.args(), [](const auto& parameter) {
        return parameter.getType()->isPointerTy() &&
               parameter.getType()->getPointerAddressSpace() == threadgroup_space;
      });
  return options_.shape && options_.shape->x <= lane_count && !result_.waits &&
         !has_threadgroup_memory && !options_.checked && !options_.counted;
}

// The function that is called: it reads the parameters and runs the simdgroups one after another.
void Vectoriser::make_loop() {
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {ptr_, i32_, i32_, i32_, i32_}, false);
  auto* outer =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, result_.symbol, to_);
  outer->addFnAttr(llvm::Attribute::NoUnwind);
  outer->setSubprogram(line_table_);  // the body is inlined and has no other scope
  struct Loop {
    const char* of;
    Value *first, *end;
    llvm::PHINode* at = nullptr;
  };
  Loop groups{"group", outer->getArg(1), outer->getArg(2)};
  Loop simdgroups{"simdgroup", outer->getArg(3), outer->getArg(4)};
  const bool along_x = runs_along_x();
  auto &outside = along_x ? simdgroups : groups, &inside = along_x ? groups : simdgroups;
  auto* begin = llvm::BasicBlock::Create(context_, "begin", outer);
  auto* next_outside = llvm::BasicBlock::Create(context_, outside.of, outer);
  auto* next = llvm::BasicBlock::Create(context_, inside.of, outer);
  auto* outside_done = llvm::BasicBlock::Create(context_, std::string(outside.of) + ".done", outer);
  auto* done = llvm::BasicBlock::Create(context_, "done", outer);

  builder_.SetInsertPoint(begin);
  simdgroup_ = outer->getArg(0);
  std::vector<Value*> arguments;
  auto* words = builder_.CreateLoad(ptr_, simdgroup_);
  for (unsigned i = 0; i < from_.arg_size(); ++i)
    arguments.push_back(builder_.CreateLoad(function_->getArg(i)->getType(),
                                            builder_.CreateConstGEP1_64(i64_, words, i)));
  auto* outcomes = options_.covered ? field(offsetof(Threadgroup, outcomes), ptr_) : nullptr;
  Value* threads = builder_.getInt32(1);
  for (unsigned d = 0; d < 3; ++d)
    threads = builder_.CreateMul(threads, field(offsetof(Threadgroup, size) + 4 * d, i32_));
  const auto enter = [&](Loop& loop, llvm::BasicBlock* at, llvm::BasicBlock* from) {
    builder_.CreateBr(at);
    builder_.SetInsertPoint(at);
    loop.at = builder_.CreatePHI(i32_, 2);
    loop.at->addIncoming(loop.first, from);
  };
  const auto repeat = [&](const Loop& loop, llvm::BasicBlock* at, llvm::BasicBlock* behind) {
    auto* following = builder_.CreateAdd(loop.at, builder_.getInt32(1));
    loop.at->addIncoming(following, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpULT(following, loop.end), at, behind);
  };
  enter(outside, next_outside, begin);
  enter(inside, next, next_outside);
  auto *group = groups.at, *index = simdgroups.at;
  auto* existing = options_.is_clipped ? field(offsetof(Threadgroup, grid_width), i32_) : threads;
  auto* earlier =
      builder_.CreateMul(options_.is_clipped ? group : index, builder_.getInt32(lane_count));
  auto* left = builder_.CreateSub(existing, earlier);
  auto* some = builder_.CreateNot(builder_.CreateShl(builder_.getInt32(~0U), left));
  auto* lanes = builder_.CreateSelect(builder_.CreateICmpUGE(left, builder_.getInt32(lane_count)),
                                      builder_.getInt32(~0U), some);
  arguments.insert(arguments.end(), {simdgroup_, group, index, lanes});
  if (options_.checked) arguments.push_back(begin_checks(*outer, words, group, index, lanes));
  if (options_.covered) arguments.push_back(outcomes);
  builder_.CreateCall(function_, arguments);
  if (options_.checked) call_check("end", builder_.getVoidTy(), {});
  repeat(inside, next, outside_done);
  builder_.SetInsertPoint(outside_done);
  repeat(outside, next_outside, done);
  builder_.SetInsertPoint(done);
  builder_.CreateRetVoid();
}

// Of the threadgroup; no kernel changes it.
Vectoriser::Value* Vectoriser::field(unsigned offset, Type* type) {
  auto* address = builder_.CreateConstGEP1_64(i8_, simdgroup_, offset);
  auto* load = builder_.CreateLoad(type, address);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
  return load;
}

void Vectoriser::load_simdgroup() {
  for (unsigned d = 0; d < 3; ++d) {
    const auto dimension = std::to_string(d);
    ids_[std::string(group_call) + dimension] =
        d == 0 ? function_->getArg(from_.arg_size() + 1)
               : field(offsetof(Threadgroup, group) + 4 * d, i32_);
    ids_[std::string(size_call) + dimension] = field(offsetof(Threadgroup, size) + 4 * d, i32_);
  }
  Value* index = function_->getArg(from_.arg_size() + 2);
  ids_[std::string(simdgroup_call)] = index;
  ids_[std::string(lane_call)] = lane_numbers(i32_);
  if (!options_.shape) {
    auto* first =
        builder_.CreateZExt(builder_.CreateMul(index, builder_.getInt32(lane_count)), i64_);
    for (unsigned d = 0; d < 3; ++d) {
      auto* table = field(offsetof(Threadgroup, local) + 8 * d, ptr_);
      ids_[std::string(local_call) + std::to_string(d)] = builder_.CreateAlignedLoad(
          wide(i32_), builder_.CreateGEP(i32_, table, first), llvm::Align(4));
    }
  }
  const bool whole =
      options_.shape && options_.shape->count() % lane_count == 0 && !options_.is_clipped;
  existing_.is_full = whole;
  existing_.bits = whole ? static_cast<Value*>(builder_.getInt32(~0U))
                         : static_cast<Value*>(function_->getArg(from_.arg_size() + 3));
  existing_.vector = whole ? static_cast<Value*>(llvm::ConstantInt::getTrue(wide(i1_)))
                           : builder_.CreateBitCast(existing_.bits, wide(i1_));
}

// Threadgroup arrays one after another; tables become constants of the new module.
void Vectoriser::place_threadgroup_memory() {
  auto* memory = field(offsetof(Threadgroup, threadgroup_memory), ptr_);
  threadgroup_memory_ = memory;
  auto& ir = *from_.getParent();
  for (auto& variable : ir.globals()) {
    variable.removeDeadConstantUsers();
    if (variable.use_empty()) continue;
    if (variable.getAddressSpace() == threadgroup_space) {
      const auto align = std::max<std::uint64_t>(16, variable.getAlign().valueOrOne().value());
      result_.threadgroup_bytes = llvm::alignTo(result_.threadgroup_bytes, align);
      globals_[&variable] = builder_.CreateConstGEP1_64(i8_, memory, result_.threadgroup_bytes);
      result_.threadgroup_bytes += layout_.getTypeAllocSize(variable.getValueType());
      if (options_.checked) result_.threadgroup_bytes += redirect_bytes;
    } else if (variable.hasInitializer()) {
      auto* table = new llvm::GlobalVariable(to_, variable.getValueType(), /*isConstant=*/true,
                                             llvm::GlobalValue::PrivateLinkage,
                                             variable.getInitializer(), variable.getName());
      table->setAlignment(std::max(llvm::Align(16), variable.getAlign().valueOrOne()));
      table->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
      globals_[&variable] = table;
    }
  }
}

// The private arrays of a lane are one memory, whose words lie beside those of the other lanes: an
// index that the lanes share then leads to one vector.
void Vectoriser::place_private_memory() {
  std::uint64_t bytes = first_private_byte;
  bool any = false;
  for (auto& instruction : llvm::instructions(from_))
    if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      bytes = llvm::alignTo(bytes, std::max<std::uint64_t>(16, alloca->getAlign().value()));
      private_offsets_[alloca] = bytes;
      bytes += alloca->getAllocationSize(layout_)->getFixedValue();
      any = true;
    }
  find_private_readers();
  if (!any) return;
  bytes = llvm::alignTo(bytes + private_word_bytes, 16);
  auto* memory = slot(llvm::ArrayType::get(wide(i32_), bytes / private_word_bytes), "private");
  memory->setAlignment(llvm::Align(64));
  private_memory_ = memory;
  // Not what earlier passes left there, and defined for the guards.
  builder_.CreateMemSet(memory, builder_.getInt8(junk_byte), bytes * lane_count, llvm::Align(64));
  result_.stack_bytes = bytes * lane_count;
}

// The blocks from which control can come to a load of private memory.
void Vectoriser::find_private_readers() {
  const auto& blocks = order_.blocks();
  reads_private_later_.assign(blocks.size(), false);
  const auto reads = [&](const llvm::BasicBlock& block) {
    return llvm::any_of(llvm::successors(&block),
                        [&](const llvm::BasicBlock* next) {
                          return reads_private_later_[order_.index(*next)];
                        }) ||
           llvm::any_of(block, [](const llvm::Instruction& instruction) {
             const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
             return load && load->getPointerAddressSpace() == thread_space;
           });
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (auto i = blocks.size(); i-- > 0;) {
      if (reads_private_later_[i] || !reads(*blocks[i])) continue;
      reads_private_later_[i] = true;
      changes = true;
    }
  }
}

VectorKernel vectorise(llvm::Function& kernel, llvm::Module& to, const VectorOptions& options) {
  specialise(kernel, options.shape, options.checked);
  guard_accesses(kernel);
  const Variation variation(kernel);
  const BlockOrder order(kernel, variation);
  RowShapes shapes(kernel, variation);
  return Vectoriser(kernel, variation, order, shapes, to, options).run();
}

}  // namespace msci::engine
