#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/ErrorHandling.h>

#include "engine/vectors/specialise.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {

void Vectoriser::visit(llvm::Instruction& instruction) {
  const bool as_vectors = differs(instruction);
  builder_.clearFastMathFlags();
  if (llvm::isa<llvm::FPMathOperator>(instruction))
    builder_.setFastMathFlags(instruction.getFastMathFlags());
  using llvm::Instruction;
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return visit_binary(*binary);
  if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) return visit_compare(*compare);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return visit_cast(*cast);
  switch (instruction.getOpcode()) {
    case Instruction::FNeg: {
      Parts parts;
      for (auto* part : this->parts(*instruction.getOperand(0), as_vectors))
        parts.push_back(is_small(part->getType())
                            ? as_small(builder_.CreateFNeg(as_float(part)), part->getType())
                            : builder_.CreateFNeg(part));
      return define(instruction, parts);
    }
    case Instruction::Freeze: {
      Parts parts;
      for (auto* part : this->parts(*instruction.getOperand(0), as_vectors))
        parts.push_back(builder_.CreateFreeze(part));
      return define(instruction, parts);
    }
    case Instruction::Select:
      return visit_select(llvm::cast<llvm::SelectInst>(instruction));
    case Instruction::ExtractElement:
      return visit_extract(llvm::cast<llvm::ExtractElementInst>(instruction));
    case Instruction::InsertElement:
      return visit_insert(llvm::cast<llvm::InsertElementInst>(instruction));
    case Instruction::ShuffleVector:
      return visit_shuffle(llvm::cast<llvm::ShuffleVectorInst>(instruction));
    case Instruction::ExtractValue: {
      const auto& extract = llvm::cast<llvm::ExtractValueInst>(instruction);
      // The pair may differ among lanes where this member's users think so, too.
      auto part = native(*extract.getAggregateOperand())[extract.getIndices()[0]];
      return define(instruction, {as_vectors ? splat(part) : part});
    }
    case Instruction::GetElementPtr:
      return visit_address(llvm::cast<llvm::GetElementPtrInst>(instruction));
    case Instruction::Load:
      return visit_load(llvm::cast<llvm::LoadInst>(instruction));
    case Instruction::Store:
      return visit_store(llvm::cast<llvm::StoreInst>(instruction));
    case Instruction::AtomicRMW:
      return visit_atomic(llvm::cast<llvm::AtomicRMWInst>(instruction));
    case Instruction::AtomicCmpXchg:
      return visit_exchange(llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
    case Instruction::Fence:
      builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
      return;
    case Instruction::Call:
      return visit_call(llvm::cast<llvm::CallInst>(instruction));
    default:
      llvm_unreachable("first_unsupported() refuses other instructions");
  }
}

// ---- half and bfloat: floats that are rounded after each operation

Vectoriser::Value* Vectoriser::as_float(Value* small) {
  auto* type = small->getType();
  if (type->getScalarType()->isHalfTy()) return builder_.CreateFPExt(small, like(small, f32_));
  if (!type->getScalarType()->isBFloatTy()) return small;
  auto* bits = builder_.CreateBitCast(small, like(small, builder_.getInt16Ty()));
  auto* word = builder_.CreateShl(builder_.CreateZExt(bits, like(small, i32_)), 16);
  return builder_.CreateBitCast(word, like(small, f32_));
}

Vectoriser::Value* Vectoriser::as_small(Value* real, Type* small) {
  auto* element = small->getScalarType();
  if (element->isHalfTy()) return builder_.CreateFPTrunc(real, like(real, element));
  if (!element->isBFloatTy()) return real;
  auto* words = like(real, i32_);
  auto* bits = builder_.CreateBitCast(real, words);
  const auto number = [&](std::uint32_t value) { return llvm::ConstantInt::get(words, value); };
  auto* last = builder_.CreateAnd(builder_.CreateLShr(bits, 16), number(1));
  auto* rounded = builder_.CreateAdd(bits, builder_.CreateAdd(last, number(0x7fff)));
  auto* is_nan =
      builder_.CreateICmpUGT(builder_.CreateAnd(bits, number(0x7fffffff)), number(0x7f800000));
  auto* kept = builder_.CreateSelect(is_nan, builder_.CreateOr(bits, number(0x400000)), rounded);
  auto* half =
      builder_.CreateTrunc(builder_.CreateLShr(kept, 16), like(real, builder_.getInt16Ty()));
  return builder_.CreateBitCast(half, like(real, element));
}

// ---- arithmetic

void Vectoriser::visit_binary(llvm::BinaryOperator& operation) {
  const bool as_vectors = differs(operation);
  const auto a = parts(*operation.getOperand(0), as_vectors);
  const auto b = parts(*operation.getOperand(1), as_vectors);
  Parts results;
  for (std::size_t i = 0; i < a.size(); ++i) results.push_back(binary(operation, a[i], b[i]));
  define(operation, results);
}

Vectoriser::Value* Vectoriser::binary(const llvm::BinaryOperator& operation, Value* a, Value* b) {
  if (operation.isIntDivRem()) return integer_division(operation, a, b);
  auto* type = a->getType();
  if (operation.getOpcode() == llvm::Instruction::FRem)
    return as_small(call_on_lanes("fmod", {as_float(a), as_float(b)}, f32_), type);
  if (is_small(type))
    return as_small(builder_.CreateBinOp(operation.getOpcode(), as_float(a), as_float(b)), type);
  auto* made = builder_.CreateBinOp(operation.getOpcode(), a, b);
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(made))
    instruction->copyIRFlags(&operation);
  return made;
}

// A lane that does not run may divide by anything, and the processor traps where Metal leaves the
// result open.
Vectoriser::Value* Vectoriser::integer_division(const llvm::BinaryOperator& operation, Value* a,
                                                Value* b) {
  using llvm::Instruction;
  const auto opcode = operation.getOpcode();
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool is_remainder = opcode == Instruction::URem || opcode == Instruction::SRem;
  auto* type = a->getType();
  if (const auto* by = llvm::dyn_cast<llvm::Constant>(b)) {
    const auto* number =
        llvm::dyn_cast_or_null<llvm::ConstantInt>(type->isVectorTy() ? by->getSplatValue() : by);
    if (number && !number->isZero() && !number->isMinusOne())
      return builder_.CreateBinOp(opcode, a, b);
  }
  const auto not_zero = [&](Value* value) -> Value* {
    auto* divisor = builder_.CreateFreeze(value);
    auto* is_zero = builder_.CreateICmpEQ(divisor, llvm::Constant::getNullValue(value->getType()));
    return builder_.CreateSelect(is_zero, llvm::ConstantInt::get(value->getType(), 1), divisor);
  };
  Value* by = nullptr;
  Value* quotient = nullptr;
  if (type->isVectorTy() && type->getScalarSizeInBits() <= 32) {
    auto* shared = llvm::getSplatValue(b);
    auto* divisor = not_zero(shared ? shared : b);
    by = splat(divisor);
    quotient = quotient_of_words(a, divisor, is_signed);
  } else if (is_signed) {
    by = not_zero(b);
    auto* minus_one = llvm::Constant::getAllOnesValue(type);
    auto* flips = builder_.CreateICmpEQ(by, minus_one);
    auto* safe = builder_.CreateSelect(flips, llvm::ConstantInt::get(type, 1), by);
    quotient = builder_.CreateSelect(flips, builder_.CreateNeg(a), builder_.CreateSDiv(a, safe));
  } else {
    by = not_zero(b);
    quotient = builder_.CreateUDiv(a, by);
  }
  return is_remainder ? builder_.CreateSub(a, builder_.CreateMul(quotient, by)) : quotient;
}

// The processor has no vector division of integers, but one of doubles, which is exact for 32 bits.
// Where all lanes share the divisor, it is a multiplication by the reciprocal: (|a| + 1/2) / b is
// at least 1/2b from the next integer, and two roundings change it by less than |a| / b / 2^51.
Vectoriser::Value* Vectoriser::quotient_of_words(Value* a, Value* by, bool is_signed) {
  const llvm::IRBuilder<>::FastMathFlagGuard guard(builder_);
  builder_.clearFastMathFlags();
  auto* type = a->getType();
  const auto real = [&](Value* value) {
    auto* word = like(value, i32_);
    auto* number = like(value, builder_.getDoubleTy());
    return is_signed ? builder_.CreateSIToFP(builder_.CreateSExt(value, word), number)
                     : builder_.CreateUIToFP(builder_.CreateZExt(value, word), number);
  };
  Value* quotient = real(a);
  if (by->getType()->isVectorTy()) {
    quotient = builder_.CreateFDiv(quotient, real(by));
  } else {
    Value* half = llvm::ConstantFP::get(quotient->getType(), 0.5);
    if (is_signed) half = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, half, quotient);
    auto* reciprocal =
        builder_.CreateFDiv(llvm::ConstantFP::get(builder_.getDoubleTy(), 1), real(by));
    quotient = builder_.CreateFMul(builder_.CreateFAdd(quotient, half), splat(reciprocal));
  }
  // define_integers() keeps -2^31 / -1 away, so the quotient is one of 32 bits.
  auto* whole = is_signed ? builder_.CreateFPToSI(quotient, wide(i32_))
                          : builder_.CreateFPToUI(quotient, wide(i32_));
  return builder_.CreateTrunc(whole, type);
}

void Vectoriser::visit_compare(llvm::CmpInst& compare) {
  const bool as_vectors = differs(compare);
  const auto a = parts(*compare.getOperand(0), as_vectors);
  const auto b = parts(*compare.getOperand(1), as_vectors);
  Parts results;
  for (std::size_t i = 0; i < a.size(); ++i)
    results.push_back(builder_.CreateCmp(compare.getPredicate(), as_float(a[i]), as_float(b[i])));
  define(compare, results);
}

void Vectoriser::visit_select(llvm::SelectInst& select) {
  const bool as_vectors = differs(select);
  const auto yes = parts(*select.getTrueValue(), as_vectors);
  const auto no = parts(*select.getFalseValue(), as_vectors);
  // One condition, the same in all lanes, chooses whole vectors.
  const auto condition = native(*select.getCondition());
  Parts results;
  for (std::size_t i = 0; i < yes.size(); ++i)
    results.push_back(chosen(condition[condition.size() == 1 ? 0 : i], yes[i], no[i]));
  define(select, results);
}

void Vectoriser::visit_cast(llvm::CastInst& cast) {
  const bool as_vectors = differs(cast);
  const auto from = parts(*cast.getOperand(0), as_vectors);
  if (cast.getOpcode() == llvm::Instruction::BitCast)
    return define(cast, reinterpreted(from, cast.getDestTy(), as_vectors));
  Parts results;
  for (auto* part : from) {
    auto* element = part_type(cast.getDestTy(), 0);
    auto* type = like(part, element);
    using llvm::Instruction;
    switch (cast.getOpcode()) {
      case Instruction::FPExt:
        results.push_back(as_float(part));
        break;
      case Instruction::FPTrunc:
        results.push_back(as_small(part, element));
        break;
      case Instruction::FPToUI:
      case Instruction::FPToSI:
        results.push_back(
            builder_.CreateFreeze(builder_.CreateCast(cast.getOpcode(), as_float(part), type)));
        break;
      case Instruction::UIToFP:
      case Instruction::SIToFP:
        results.push_back(
            is_small(element)
                ? as_small(builder_.CreateCast(cast.getOpcode(), part, like(part, f32_)), element)
                : builder_.CreateCast(cast.getOpcode(), part, type));
        break;
      case Instruction::PtrToInt:
        results.push_back(part->getType()->getScalarType()->isPointerTy()
                              ? builder_.CreatePtrToInt(part, type)
                              : builder_.CreateZExtOrTrunc(part, type));
        break;
      default:
        results.push_back(builder_.CreateCast(cast.getOpcode(), part, type));
    }
  }
  define(cast, results);
}

// The same bits in parts of another size: joined to what both sizes divide, then taken apart.
Parts Vectoriser::reinterpreted(const Parts& from, Type* to, bool is_wide) {
  auto* element = part_type(to, 0);
  const auto type = [&](Type* each) { return is_wide ? wide(each) : each; };
  const auto from_bits = from[0]->getType()->getScalarSizeInBits();
  const auto to_bits = element->getScalarSizeInBits();
  Parts results;
  if (from_bits == to_bits) {
    for (auto* part : from) results.push_back(builder_.CreateBitCast(part, type(element)));
    return results;
  }
  if (from_bits > to_bits) {
    for (auto* part : from) {
      auto* bits = builder_.CreateBitCast(part, type(builder_.getIntNTy(from_bits)));
      for (unsigned at = 0; at < from_bits; at += to_bits) {
        auto* piece =
            builder_.CreateTrunc(builder_.CreateLShr(bits, at), type(builder_.getIntNTy(to_bits)));
        results.push_back(builder_.CreateBitCast(piece, type(element)));
      }
    }
    return results;
  }
  if (to_bits % from_bits != 0) {  // by way of what divides both
    const auto common = std::gcd(from_bits, to_bits);
    auto* pieces =
        llvm::FixedVectorType::get(builder_.getIntNTy(common), from.size() * from_bits / common);
    return reinterpreted(reinterpreted(from, pieces, is_wide), to, is_wide);
  }
  auto* whole = type(builder_.getIntNTy(to_bits));
  const auto per_part = to_bits / from_bits;
  for (unsigned i = 0; i < from.size(); i += per_part) {
    Value* joined = nullptr;
    for (unsigned j = 0; j < per_part; ++j) {
      auto* bits = builder_.CreateBitCast(from[i + j], type(builder_.getIntNTy(from_bits)));
      auto* moved = builder_.CreateShl(builder_.CreateZExt(bits, whole), j * from_bits);
      joined = joined ? builder_.CreateOr(joined, moved) : moved;
    }
    results.push_back(builder_.CreateBitCast(joined, type(element)));
  }
  return results;
}

// ---- elements

void Vectoriser::visit_extract(llvm::ExtractElementInst& extract) {
  const bool as_vectors = differs(extract);
  const auto elements = parts(*extract.getVectorOperand(), as_vectors);
  if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand())) {
    const auto at = index->getZExtValue();
    return define(extract,
                  {at < elements.size() ? elements[at]
                                        : llvm::Constant::getNullValue(elements[0]->getType())});
  }
  auto* index = parts(*extract.getIndexOperand(), as_vectors)[0];
  auto* chosen = elements[0];
  for (unsigned i = 1; i < elements.size(); ++i)
    chosen = builder_.CreateSelect(
        builder_.CreateICmpEQ(index, llvm::ConstantInt::get(index->getType(), i)), elements[i],
        chosen);
  define(extract, {chosen});
}

void Vectoriser::visit_insert(llvm::InsertElementInst& insert) {
  const bool as_vectors = differs(insert);
  auto elements = parts(*insert.getOperand(0), as_vectors);
  auto* inserted = parts(*insert.getOperand(1), as_vectors)[0];
  if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert.getOperand(2))) {
    if (index->getZExtValue() < elements.size()) elements[index->getZExtValue()] = inserted;
  } else {
    auto* at = parts(*insert.getOperand(2), as_vectors)[0];
    for (unsigned i = 0; i < elements.size(); ++i)
      elements[i] =
          builder_.CreateSelect(builder_.CreateICmpEQ(at, llvm::ConstantInt::get(at->getType(), i)),
                                inserted, elements[i]);
  }
  define(insert, elements);
}

void Vectoriser::visit_shuffle(llvm::ShuffleVectorInst& shuffle) {
  const bool as_vectors = differs(shuffle);
  auto elements = parts(*shuffle.getOperand(0), as_vectors);
  elements.append(parts(*shuffle.getOperand(1), as_vectors));
  Parts results;
  for (const int from : shuffle.getShuffleMask())
    results.push_back(from < 0 ? llvm::Constant::getNullValue(elements[0]->getType())
                               : elements[static_cast<std::size_t>(from)]);
  define(shuffle, results);
}

// ---- addresses

void Vectoriser::visit_address(llvm::GetElementPtrInst& address) {
  const bool as_vectors = differs(address);
  llvm::SmallMapVector<Value*, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  llvm::cast<llvm::GEPOperator>(address).collectOffset(layout_, 64, variable, constant);
  const auto* base = address.getPointerOperand();
  // What the lanes share first: it stays scalar.
  Value* shared = builder_.getInt64(constant.getSExtValue());
  Value* own = nullptr;
  for (const auto& [index, scale] : variable) {
    auto* number = native(*index)[0];
    auto* type = like(number, i64_);
    auto* step = builder_.CreateMul(builder_.CreateSExtOrTrunc(number, type),
                                    llvm::ConstantInt::get(type, scale.getSExtValue()));
    auto& sum = differs(*index) ? own : shared;
    sum = sum ? builder_.CreateAdd(sum, step) : step;
  }
  auto* pointer = native(*base)[0];
  if (!mapped(address.getType())->isPointerTy()) {
    auto* moved = builder_.CreateAdd(pointer, like(pointer, i64_) == i64_ ? shared : splat(shared));
    if (own) moved = builder_.CreateAdd(splat(moved), own);
    return define(address, {as_vectors ? splat(moved) : moved});
  }
  auto* moved = builder_.CreateGEP(i8_, pointer, shared);
  if (own) moved = builder_.CreateGEP(i8_, moved, own);
  define(address, {as_vectors ? splat(moved) : moved});
}

}  // namespace msci::engine
