#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/IntegerDivision.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include <map>

#include "compiler/lower/lowerings.h"

namespace msci {
namespace {

using llvm::Value;

bool is_wide(const llvm::Type* type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() > word_bits;
}

bool is_about_wide(const llvm::Instruction& instruction) {
  return is_wide(instruction.getType()->getScalarType()) ||
         llvm::any_of(instruction.operands(), [](const llvm::Use& operand) {
           return is_wide(operand->getType()->getScalarType());
         });
}

// ---- what has an expansion

bool is_expandable(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::bitreverse:
    case llvm::Intrinsic::abs:
      return true;
    default:
      return false;
  }
}

// Between an integer and a vector whose elements lie in one word each.
bool is_expandable(const llvm::BitCastInst& cast) {
  const auto* other = is_wide(cast.getSrcTy()) ? cast.getDestTy() : cast.getSrcTy();
  return other->isVectorTy() && word_bits % other->getScalarSizeInBits() == 0 &&
         !other->isPtrOrPtrVectorTy();
}

bool is_expandable(const llvm::Instruction& instruction) {
  const auto is_plain = [](const llvm::Value* value) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    return !value->getType()->isVectorTy() &&
           (!constant || llvm::isa<llvm::ConstantData>(constant));
  };
  if (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction))
    return is_expandable(*cast);
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return is_plain(call) && llvm::all_of(call->args(), is_plain) && is_expandable(*call);
  if (!is_plain(&instruction) || !llvm::all_of(instruction.operands(), is_plain)) return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->isSimple();
  return llvm::isa<llvm::BinaryOperator, llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst,
                   llvm::ICmpInst, llvm::SelectInst, llvm::PHINode, llvm::FreezeInst,
                   llvm::SwitchInst>(instruction);
}

// ---- the expansion

class Expander : private WordArithmetic {
 public:
  Expander(llvm::Function& function, Builder& builder)
      : WordArithmetic(builder), function_(function) {}

  void run() {
    // Each definition before its uses, but for phis, whose operands are added in the end.
    for (auto* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
      for (auto& instruction : llvm::make_early_inc_range(*block))
        if (is_about_wide(instruction)) {
          builder_.SetInsertPoint(&instruction);
          expand(instruction);
          expanded_.push_back(&instruction);
        }
    for (auto* instruction : expanded_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) add_incoming(*phi);
    for (auto* instruction : expanded_) instruction->dropAllReferences();
    for (auto* instruction : expanded_) instruction->eraseFromParent();
  }

 private:
  static unsigned width(const Value& value) { return value.getType()->getIntegerBitWidth(); }

  Words words(Value& value) {
    if (const auto known = words_.find(&value); known != words_.end()) return known->second;
    const auto& constant = llvm::cast<llvm::Constant>(value);
    const auto* integer =
        llvm::dyn_cast<llvm::ConstantInt>(&constant);  // else undefined: zero will do
    const auto bits = integer ? integer->getValue() : llvm::APInt(width(value), 0);
    Words all;
    for (unsigned i = 0; i < words_for(width(value)); ++i)
      all.push_back(number(bits.extractBitsAsZExtValue(
          std::min(word_bits, width(value) - i * word_bits), i * word_bits)));
    return all;
  }

  // Also of an integer of one word or less.
  Words words_of_any(Value& value) {
    if (is_wide(value.getType())) return words(value);
    return {builder_.CreateZExt(&value, builder_.getInt64Ty())};
  }

  void expand(llvm::Instruction& instruction) {
    if (is_wide(instruction.getType()))
      words_[&instruction] = keeps_unused_clear(instruction)
                                 ? expansion(instruction)
                                 : clear_unused(expansion(instruction), width(instruction));
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      expand_store(*store);
    else
      instruction.replaceAllUsesWith(narrow_result(instruction));
  }

  static bool keeps_unused_clear(const llvm::Instruction& instruction) {
    if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
      return binary->isBitwiseLogicOp() || binary->getOpcode() == llvm::Instruction::LShr;
    if (llvm::isa<llvm::LoadInst>(instruction)) return width(instruction) % 8 == 0;
    return llvm::isa<llvm::PHINode, llvm::ZExtInst, llvm::SelectInst>(instruction);
  }

  Words expansion(llvm::Instruction& instruction) {
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
      return binary_of(*binary);
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return intrinsic_of(*call);
    const auto bits = width(instruction);
    auto* operand = instruction.getNumOperands() > 0 ? instruction.getOperand(0) : nullptr;
    switch (instruction.getOpcode()) {
      case llvm::Instruction::ZExt: {
        auto value = words_of_any(*operand);
        value.resize(words_for(bits), number(0));
        return value;
      }
      case llvm::Instruction::SExt:
        return sign_extended(*operand, bits);
      case llvm::Instruction::Trunc: {
        auto value = words(*operand);
        value.truncate(words_for(bits));
        return value;
      }
      case llvm::Instruction::BitCast:
        return from_vector(*operand);
      case llvm::Instruction::Load:
        return load(llvm::cast<llvm::LoadInst>(instruction));
      case llvm::Instruction::Select:
        return select(operand, words(*instruction.getOperand(1)),
                      words(*instruction.getOperand(2)));
      case llvm::Instruction::Freeze: {
        auto value = words(*operand);
        for (auto*& word : value) word = builder_.CreateFreeze(word);
        return value;
      }
      case llvm::Instruction::PHI: {
        Words value;
        for (unsigned i = 0; i < words_for(bits); ++i)
          value.push_back(
              builder_.CreatePHI(builder_.getInt64Ty(),
                                 llvm::cast<llvm::PHINode>(instruction).getNumIncomingValues()));
        return value;
      }
      default:
        llvm_unreachable("is_expandable() lets no other instruction through");
    }
  }

  void add_incoming(llvm::PHINode& phi) {
    const auto value = words_.at(&phi);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const auto incoming = words(*phi.getIncomingValue(i));
      for (std::size_t k = 0; k < value.size(); ++k)
        llvm::cast<llvm::PHINode>(value[k])->addIncoming(incoming[k], phi.getIncomingBlock(i));
    }
  }

  Value* narrow_result(llvm::Instruction& instruction) {
    if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
      return comparison(compare->getPredicate(), *compare->getOperand(0), *compare->getOperand(1));
    const auto value = words(*instruction.getOperand(0));
    if (llvm::isa<llvm::TruncInst>(instruction))
      return builder_.CreateTrunc(value[0], instruction.getType());
    return to_vector(value, *llvm::cast<llvm::FixedVectorType>(instruction.getType()));
  }

  // ---- arithmetic

  Words binary_of(llvm::BinaryOperator& binary) {
    auto a = words(*binary.getOperand(0));
    const auto b = words(*binary.getOperand(1));
    const auto each = [&](auto operation) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = operation(a[i], b[i]);
      return a;
    };
    switch (binary.getOpcode()) {
      case llvm::Instruction::And:
        return each([&](Value* x, Value* y) { return builder_.CreateAnd(x, y); });
      case llvm::Instruction::Or:
        return each([&](Value* x, Value* y) { return builder_.CreateOr(x, y); });
      case llvm::Instruction::Xor:
        return each([&](Value* x, Value* y) { return builder_.CreateXor(x, y); });
      case llvm::Instruction::Add:
        return sum(a, b);
      case llvm::Instruction::Sub:
        return difference(a, b);
      case llvm::Instruction::Mul:
        return product(a, b);
      case llvm::Instruction::Shl:
        return shifted_left(a, b[0]);
      case llvm::Instruction::LShr:
        return shifted_right(a, b[0], number(0));
      case llvm::Instruction::AShr: {
        a = with_sign_in_last(a, width(binary));
        return shifted_right(a, b[0], builder_.CreateAShr(a.back(), word_bits - 1));
      }
      default:
        llvm_unreachable("divisions have become loops before");
    }
  }

  Words sign_extended(Value& operand, unsigned bits) {
    auto value = is_wide(operand.getType())
                     ? with_sign_in_last(words(operand), width(operand))
                     : Words{builder_.CreateSExt(&operand, builder_.getInt64Ty())};
    value.resize(words_for(bits), builder_.CreateAShr(value.back(), word_bits - 1));
    return value;
  }

  // ---- comparisons

  Value* comparison(llvm::CmpInst::Predicate predicate, Value& a, Value& b) {
    using llvm::CmpInst;
    const auto x = words(a), y = words(b);
    if (predicate == CmpInst::ICMP_EQ || predicate == CmpInst::ICMP_NE) {
      Value* different = number(0);
      for (std::size_t i = 0; i < x.size(); ++i)
        different = builder_.CreateOr(different, builder_.CreateXor(x[i], y[i]));
      return builder_.CreateICmp(predicate, different, number(0));
    }
    const bool is_signed = CmpInst::isSigned(predicate);
    switch (llvm::ICmpInst::getUnsignedPredicate(predicate)) {
      case CmpInst::ICMP_ULT:
        return is_less(x, y, width(a), is_signed);
      case CmpInst::ICMP_UGT:
        return is_less(y, x, width(a), is_signed);
      case CmpInst::ICMP_UGE:
        return builder_.CreateNot(is_less(x, y, width(a), is_signed));
      default:
        return builder_.CreateNot(is_less(y, x, width(a), is_signed));
    }
  }

  // ---- intrinsics

  Words intrinsic_of(llvm::IntrinsicInst& call) {
    auto& operand = *call.getArgOperand(0);
    const auto a = words(operand);
    const auto bits = width(operand);
    const auto id = call.getIntrinsicID();
    switch (id) {
      case llvm::Intrinsic::umin:
      case llvm::Intrinsic::umax:
      case llvm::Intrinsic::smin:
      case llvm::Intrinsic::smax: {
        auto& other = *call.getArgOperand(1);
        const auto predicate = llvm::cast<llvm::MinMaxIntrinsic>(call).getPredicate();
        return select(comparison(predicate, operand, other), a, words(other));
      }
      case llvm::Intrinsic::fshl:
      case llvm::Intrinsic::fshr:
        return funnel_shifted(call, id == llvm::Intrinsic::fshl);
      case llvm::Intrinsic::ctpop:
      case llvm::Intrinsic::ctlz:
      case llvm::Intrinsic::cttz: {
        Words result(a.size(), number(0));
        result[0] = id == llvm::Intrinsic::ctpop  ? ones(a)
                    : id == llvm::Intrinsic::ctlz ? leading_zeros(a, bits)
                                                  : trailing_zeros(a, bits);
        return result;
      }
      case llvm::Intrinsic::bswap:
      case llvm::Intrinsic::bitreverse: {
        Words result;
        for (auto* word : llvm::reverse(a))
          result.push_back(builder_.CreateUnaryIntrinsic(id, word));
        return shifted_right(result, number(word_bits - bits_in_last_word(bits)), number(0));
      }
      case llvm::Intrinsic::abs: {
        auto* sign = with_sign_in_last(a, bits).back();
        return select(builder_.CreateICmpSLT(sign, number(0)),
                      difference(Words(a.size(), number(0)), a), a);
      }
      default:
        llvm_unreachable("is_expandable() lets no other intrinsic through");
    }
  }

  Words funnel_shifted(llvm::IntrinsicInst& call, bool left) {
    const auto bits = width(call);
    const auto high = words(*call.getArgOperand(0)), low = words(*call.getArgOperand(1));
    auto* by = remainder(words(*call.getArgOperand(2)), bits);
    auto* rest = builder_.CreateSub(number(bits - 1), by);
    const auto one = number(1);
    const auto upper = left ? shifted_left(high, by)
                            : shifted_left(clear_unused(shifted_left(high, one), bits), rest);
    const auto lower = left ? shifted_right(shifted_right(low, one, number(0)), rest, number(0))
                            : shifted_right(low, by, number(0));
    Words result;
    for (std::size_t i = 0; i < upper.size(); ++i)
      result.push_back(builder_.CreateOr(upper[i], lower[i]));
    return result;
  }

  // ---- memory

  // Calls `each` with the byte offset and the bits of every power of two that a word of the integer
  // takes in memory.
  template <typename Each>
  void for_pieces(unsigned bits, Each each) {
    const unsigned bytes = (bits + 7) / 8;
    for (unsigned at = 0; at < bytes;) {
      const auto size = llvm::bit_floor(std::min(8 - at % 8, bytes - at));
      each(at, size * 8);
      at += size;
    }
  }

  Words load(llvm::LoadInst& whole) {
    Words value(words_for(width(whole)), number(0));
    for_pieces(width(whole), [&](unsigned at, unsigned bits) {
      auto* place =
          builder_.CreateConstGEP1_64(builder_.getInt8Ty(), whole.getPointerOperand(), at);
      auto* piece = builder_.CreateAlignedLoad(builder_.getIntNTy(bits), place,
                                               llvm::commonAlignment(whole.getAlign(), at));
      piece->copyMetadata(whole,
                          {llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_alias_scope,
                           llvm::LLVMContext::MD_noalias});
      auto* shifted = builder_.CreateShl(widened(piece), at % 8 * 8);
      value[at / 8] = builder_.CreateOr(value[at / 8], shifted);
    });
    return value;
  }

  void expand_store(llvm::StoreInst& whole) {
    const auto value = words(*whole.getValueOperand());
    for_pieces(width(*whole.getValueOperand()), [&](unsigned at, unsigned bits) {
      auto* place =
          builder_.CreateConstGEP1_64(builder_.getInt8Ty(), whole.getPointerOperand(), at);
      auto* shifted = builder_.CreateLShr(value[at / 8], at % 8 * 8);
      builder_.CreateAlignedStore(builder_.CreateTrunc(shifted, builder_.getIntNTy(bits)), place,
                                  llvm::commonAlignment(whole.getAlign(), at));
    });
  }

  Words from_vector(Value& vector) {
    auto* type = llvm::cast<llvm::FixedVectorType>(vector.getType());
    const auto bits = type->getScalarSizeInBits();
    Words value(words_for(bits * type->getNumElements()), number(0));
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      auto* element = builder_.CreateBitCast(builder_.CreateExtractElement(&vector, i),
                                             builder_.getIntNTy(bits));
      auto* shifted = builder_.CreateShl(widened(element), i * bits % word_bits);
      auto*& word = value[i * bits / word_bits];
      word = builder_.CreateOr(word, shifted);
    }
    return value;
  }

  Value* to_vector(const Words& value, llvm::FixedVectorType& type) {
    const auto bits = type.getScalarSizeInBits();
    Value* vector = llvm::PoisonValue::get(&type);
    for (unsigned i = 0; i < type.getNumElements(); ++i) {
      auto* shifted = builder_.CreateLShr(value[i * bits / word_bits], i * bits % word_bits);
      auto* element = builder_.CreateTrunc(shifted, builder_.getIntNTy(bits));
      vector = builder_.CreateInsertElement(
          vector, builder_.CreateBitCast(element, type.getElementType()), i);
    }
    return vector;
  }

  llvm::Function& function_;
  std::map<const Value*, Words> words_;
  std::vector<llvm::Instruction*> expanded_;
};

// Divisions become loops of other operations.
void expand_divisions(llvm::Function& function) {
  std::vector<llvm::BinaryOperator*> divisions;
  for (auto& instruction : llvm::instructions(function))
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
      if (is_wide(binary->getType()) && binary->isIntDivRem()) divisions.push_back(binary);
  for (auto* division : divisions) {
    const auto opcode = division->getOpcode();
    const bool is_quotient = opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::SDiv;
    is_quotient ? llvm::expandDivision(division) : llvm::expandRemainder(division);
  }
}

bool switches_on_wide(const llvm::Instruction& instruction) {
  const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction);
  return choice && is_wide(choice->getCondition()->getType());
}

}  // namespace

llvm::PreservedAnalyses ExpandWideIntegers::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager& analyses) {
  if (llvm::none_of(llvm::instructions(function), is_about_wide))
    return llvm::PreservedAnalyses::all();
  llvm::removeUnreachableBlocks(function);
  auto all = llvm::instructions(function);
  const auto stands_in_the_way = [](const llvm::Instruction& instruction) {
    return is_about_wide(instruction) && !is_expandable(instruction);
  };
  if (llvm::any_of(all, stands_in_the_way)) return llvm::PreservedAnalyses::none();
  if (llvm::any_of(all, switches_on_wide)) {
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::LowerSwitchPass().run(function, analyses);
  }
  expand_divisions(function);
  WordArithmetic::Builder builder(function.getContext(),
                                  llvm::InstSimplifyFolder(function.getDataLayout()));
  Expander(function, builder).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace msci
