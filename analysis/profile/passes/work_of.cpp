#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "analysis/profile/passes/count_work.h"
#include "compiler/ir/builtins.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

using llvm::Instruction;

constexpr unsigned access_bytes = 16;  // that one load or store moves for a lane

bool is_half(const llvm::Type* type) {
  return type->getScalarType()->isHalfTy() || type->getScalarType()->isBFloatTy();
}

bool has_constant(const Instruction& instruction) {
  return llvm::isa<llvm::Constant>(instruction.getOperand(1));
}

WorkKind addition_of(const llvm::Type* type) {
  return is_half(type) ? WorkKind::half_add : WorkKind::float_add;
}

// The only user of an instruction; null where there are more.
const Instruction* only_user(const Instruction& instruction) {
  return instruction.hasOneUse() ? llvm::dyn_cast<Instruction>(*instruction.user_begin()) : nullptr;
}

// A product of floats whose only use is a sum that may contract it.
bool is_fused_product(const Instruction& instruction) {
  if (instruction.getOpcode() != Instruction::FMul) return false;
  const auto* user = only_user(instruction);
  if (user && user->getOpcode() == Instruction::FNeg) user = only_user(*user);
  if (!user) return false;
  const bool adds =
      user->getOpcode() == Instruction::FAdd || user->getOpcode() == Instruction::FSub;
  return adds && instruction.hasAllowContract() && user->hasAllowContract();
}

// A sum that the instruction of an integer product adds.
bool is_fused_sum(const Instruction& instruction) {
  if (instruction.getOpcode() != Instruction::Add || is_long(instruction.getType())) return false;
  return llvm::any_of(instruction.operands(), [](const llvm::Use& operand) {
    const auto* product = llvm::dyn_cast<Instruction>(operand);
    return product && product->getOpcode() == Instruction::Mul && product->hasOneUse();
  });
}

// A shift to the left by at most 4 whose only use is a sum.
bool is_fused_shift(const Instruction& instruction) {
  if (instruction.getOpcode() != Instruction::Shl || is_long(instruction.getType())) return false;
  const auto* by = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  const auto* user = only_user(instruction);
  return by && by->getZExtValue() <= 4 && user && user->getOpcode() == Instruction::Add;
}

// A comparison whose only use selects or branches.
bool is_fused_comparison(const Instruction& instruction) {
  if (!llvm::isa<llvm::CmpInst>(instruction) || is_long(instruction.getOperand(0)->getType()))
    return false;
  const auto* user = only_user(instruction);
  return user && (llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::BranchInst>(user));
}

InstructionWork binary_work(const Instruction& instruction) {
  auto* type = instruction.getType();
  const auto count = elements_of(type);
  switch (instruction.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
      return {addition_of(type), count};
    case Instruction::FDiv: {
      const bool is_precise = !instruction.hasAllowReciprocal();
      return {is_precise ? WorkKind::precise_divide : WorkKind::reciprocal, count};
    }
    case Instruction::FRem:
      return {WorkKind::precise_divide, count};
    case Instruction::Add:
    case Instruction::Sub:
      return {WorkKind::integer, count};
    case Instruction::Mul:
      return {WorkKind::multiply, count};
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      // A product with the divisor's inverse.
      if (has_constant(instruction)) return {WorkKind::multiply_high, count};
      return {WorkKind::divide_integer, count};
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      if (has_constant(instruction)) return {WorkKind::bits, count};
      return {instruction.getOpcode() == Instruction::Shl ? WorkKind::shift_left
                                                          : WorkKind::shift_right,
              count};
    default:
      return {WorkKind::integer, count};
  }
}

std::optional<InstructionWork> cast_work(const llvm::CastInst& cast) {
  const auto count = elements_of(cast.getType());
  switch (cast.getOpcode()) {
    case Instruction::FPToSI:
    case Instruction::FPToUI:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return InstructionWork{WorkKind::convert, count};
    case Instruction::SExt:
    case Instruction::ZExt:
      // An operand of 16 bits is extended where it is read; a bit becomes a number by a selection.
      if (cast.getSrcTy()->getScalarSizeInBits() == 1)
        return InstructionWork{WorkKind::compare_select, count};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// The work of a function of Metal's library.
std::optional<InstructionWork> builtin_work(const Builtin* builtin, llvm::Type* type) {
  assert(builtin && "first_unsupported() refuses functions that are not in builtins.def");
  const auto count = elements_of(type);
  const auto twice_if_long = is_long(type) ? 2 * count : count;
  switch (builtin->cost) {
    case BuiltinCost::nothing:
      return std::nullopt;
    case BuiltinCost::addition:
      return InstructionWork{addition_of(type), count};
    case BuiltinCost::multiply_high:
      return InstructionWork{WorkKind::multiply_high,
                             is_long(type) ? upper_half_products * count : count};
    case BuiltinCost::conversion:
      return InstructionWork{WorkKind::convert, count};
    case BuiltinCost::root:
      return InstructionWork{WorkKind::root, count};
    case BuiltinCost::exponential:
      return InstructionWork{WorkKind::exponential, count};
    case BuiltinCost::two_exponentials:
      return InstructionWork{WorkKind::exponential, 2 * count};
    case BuiltinCost::trigonometry:
      return InstructionWork{WorkKind::trigonometry, count};
    case BuiltinCost::two_trigonometries:
      return InstructionWork{WorkKind::trigonometry, 2 * count};
    case BuiltinCost::bits:
      return InstructionWork{WorkKind::bits, twice_if_long};
    case BuiltinCost::selection:
      return InstructionWork{WorkKind::compare_select, twice_if_long};
  }
  return std::nullopt;
}

std::optional<InstructionWork> lane_work(const llvm::CallInst& call, llvm::StringRef name) {
  if (name.starts_with("prefix_")) return InstructionWork{WorkKind::prefix, 1};
  if (name == "shuffle.u32" && !llvm::isa<llvm::Constant>(call.getArgOperand(1)))
    return InstructionWork{WorkKind::shuffle_variable, 1};
  if (name.starts_with("shuffle") || name.starts_with("broadcast") || name.starts_with("ballot") ||
      name.starts_with("active"))
    return InstructionWork{WorkKind::shuffle, 1};
  return InstructionWork{WorkKind::reduce, 1};
}

// A shift of two values joined, of which one half is kept: two shifts of each register, and none by
// a whole register.
std::optional<InstructionWork> funnel_work(const llvm::CallInst& call) {
  const bool wide = is_long(call.getType());
  const auto* by = splat_constant(*call.getArgOperand(2));
  if (wide && by && by->urem(32) == 0) return std::nullopt;
  return InstructionWork{WorkKind::bits, elements_of(call.getType()) * (wide ? 4 : 2)};
}

std::optional<InstructionWork> call_work(const llvm::CallInst& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    const auto id = intrinsic->getIntrinsicID();
    if (id == llvm::Intrinsic::fshl || id == llvm::Intrinsic::fshr) return funnel_work(call);
    return builtin_work(find_intrinsic(id), call.getType());
  }
  auto name = call.getCalledFunction()->getName();
  if (name == "msci.barrier.threadgroup") return InstructionWork{WorkKind::barrier, 1};
  if (name == "msci.simd.lane" || name == "msci.quad.lane" || name.starts_with("get_"))
    return std::nullopt;  // registers hold them when a thread starts
  if (name.consume_front("msci.math.")) return builtin_work(find_math(name), call.getType());
  if (name.consume_front("msci.simd.")) return lane_work(call, name);
  if (name.starts_with("msci.quad.")) return InstructionWork{WorkKind::shuffle, 1};
  return std::nullopt;
}

std::optional<InstructionWork> access_work(const Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  const auto* pointer = llvm::getLoadStorePointerOperand(&instruction);
  auto* type = llvm::getLoadStoreType(&instruction);
  const auto bytes = instruction.getDataLayout().getTypeStoreSize(type).getFixedValue();
  const auto count = static_cast<unsigned>((bytes + access_bytes - 1) / access_bytes);
  switch (pointer->getType()->getPointerAddressSpace()) {
    case thread_space:
      return InstructionWork{WorkKind::private_access, count};
    case threadgroup_space:
      return InstructionWork{load ? WorkKind::threadgroup_load : WorkKind::threadgroup_store,
                             count};
    case constant_space:
    case table_space:
      return InstructionWork{WorkKind::constant_load, count};
    default:
      return InstructionWork{load ? WorkKind::device_load : WorkKind::device_store, count};
  }
}

}  // namespace

unsigned elements_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

KernelWork::KernelWork(llvm::Function& kernel) : products_(kernel) { find_shared(kernel); }

// In the order of the blocks, which has definitions before uses but for phis.
void KernelWork::find_shared(const llvm::Function& kernel) {
  for (const auto& argument : kernel.args()) shared_.insert(&argument);
  for (const auto& instruction : llvm::instructions(kernel)) {
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.isTerminator() ||
        llvm::isa<llvm::CallInst>(instruction) || instruction.mayWriteToMemory())
      continue;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const auto space = load->getPointerAddressSpace();
      const bool is_first = load->getParent()->isEntryBlock();
      if (space != constant_space && space != table_space && !(space == device_space && is_first))
        continue;
    }
    if (llvm::all_of(instruction.operands(),
                     [&](const llvm::Use& operand) { return is_shared(*operand); }))
      shared_.insert(&instruction);
  }
}

bool KernelWork::is_shared(const llvm::Value& value) const {
  return llvm::isa<llvm::Constant>(value) || shared_.contains(&value);
}

// A memory instruction adds a shared base and a scaled index of 32 bits itself.
bool KernelWork::is_folded_address(const Instruction& address) const {
  const auto* step = llvm::cast<llvm::GEPOperator>(&address);
  unsigned varying = is_shared(*step->getPointerOperand()) ? 0 : 1;
  for (const auto& index : step->indices())
    if (!is_shared(*index)) ++varying;
  return varying <= 1;
}

bool KernelWork::is_folded(const Instruction& instruction) const {
  if (is_shared(instruction)) return true;
  if (MatrixProducts::contains(instruction)) return !products_.ends_with(instruction);
  if (llvm::isa<llvm::GetElementPtrInst>(instruction)) return is_folded_address(instruction);
  if (llvm::isa<llvm::CastInst>(instruction)) {
    // Of a bit, the selection; of other integers and pointers, nothing.
    return instruction.getOperand(0)->getType()->getScalarSizeInBits() != 1 &&
           !cast_work(llvm::cast<llvm::CastInst>(instruction));
  }
  switch (instruction.getOpcode()) {
    case Instruction::FNeg:
    case Instruction::ExtractElement:
    case Instruction::ExtractValue:
      return true;
    case Instruction::Call:
      return llvm::cast<llvm::CallInst>(instruction).getIntrinsicID() == llvm::Intrinsic::fabs;
    default:
      return is_fused_product(instruction) || is_fused_shift(instruction) ||
             is_fused_comparison(instruction);
  }
}

std::optional<InstructionWork> KernelWork::of(const Instruction& instruction) const {
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::ReturnInst, llvm::FreezeInst>(instruction) ||
      is_folded(instruction) || is_fused_sum(instruction))
    return std::nullopt;
  if (products_.ends_with(instruction)) return InstructionWork{WorkKind::matrix, 1};
  if (llvm::isa<llvm::GetElementPtrInst>(instruction))
    return InstructionWork{WorkKind::add_long, 1};
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return access_work(instruction);
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return InstructionWork{WorkKind::atomic, 1};
  if (const auto wide = wide_work(instruction)) return wide->count > 0 ? wide : std::nullopt;
  if (llvm::isa<llvm::BinaryOperator>(instruction)) return binary_work(instruction);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return cast_work(*cast);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return call_work(*call);
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
    return InstructionWork{WorkKind::branch, branch->isConditional() ? 1U : 0U};
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
    return InstructionWork{WorkKind::branch, choice->getNumCases()};
  if (llvm::isa<llvm::CmpInst, llvm::SelectInst>(instruction))
    return InstructionWork{WorkKind::compare_select, elements_of(instruction.getType())};
  return std::nullopt;  // elements of vectors are registers
}

}  // namespace msci
