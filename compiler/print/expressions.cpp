#include <llvm/Support/ErrorHandling.h>

#include "compiler/print/kernel_printer.h"

namespace msci {

void KernelPrinter::print_binary(const llvm::BinaryOperator& binary) {
  const auto a = value(binary.getOperand(0));
  const auto b = value(binary.getOperand(1));
  const auto sa = [&] { return signed_value(binary.getOperand(0)); };
  const auto sb = [&] { return signed_value(binary.getOperand(1)); };
  const auto plain = [&](std::string_view op) {
    assign(binary,
           rounded(trimmed(fmt::format("{} {} {}", a, op, b), binary.getType()), binary.getType()));
  };
  const auto with_sign = [&](std::string_view op, const std::string& right) {
    assign(binary, as_unsigned(trimmed(fmt::format("{} {} {}", sa(), op, right), binary.getType()),
                               binary.getType()));
  };
  switch (binary.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::FAdd:
      return plain("+");
    case llvm::Instruction::Sub:
    case llvm::Instruction::FSub:
      return plain("-");
    case llvm::Instruction::Mul:
    case llvm::Instruction::FMul:
      return plain("*");
    case llvm::Instruction::UDiv:
    case llvm::Instruction::FDiv:
      return plain("/");
    case llvm::Instruction::URem:
      return plain("%");
    case llvm::Instruction::And:
      return plain("&");
    case llvm::Instruction::Or:
      return plain("|");
    case llvm::Instruction::Xor:
      return plain("^");
    case llvm::Instruction::Shl:
      return plain("<<");
    case llvm::Instruction::LShr:
      return plain(">>");
    case llvm::Instruction::AShr:
      return with_sign(">>", binary.getType()->isVectorTy() ? sb() : b);
    case llvm::Instruction::SDiv:
      return with_sign("/", sb());
    case llvm::Instruction::SRem:
      return with_sign("%", sb());
    case llvm::Instruction::FRem:
      return assign(binary, rounded(fmt::format("fmod({}, {})", a, b), binary.getType()));
    default:
      llvm_unreachable("LLVM has no other binary operator");
  }
}

void KernelPrinter::print_select(const llvm::SelectInst& select) {
  const auto* condition = select.getCondition();
  const auto yes = value(select.getTrueValue());
  const auto no = value(select.getFalseValue());
  if (!condition->getType()->isVectorTy())
    return assign(select, fmt::format("{} ? {} : {}", value(condition), yes, no));
  auto* type = select.getType();
  // The choice must be as wide as what it chooses from.
  const auto choice =
      is_mask(type) || type->getScalarSizeInBits() == 32
          ? value(condition)
          : fmt::format("convert_{}({})", signed_vector_name(type), value(condition));
  assign(select, fmt::format("select({}, {}, {})", no, yes, choice));
}

void KernelPrinter::print_compare(const llvm::CmpInst& compare) {
  const auto a = value(compare.getOperand(0));
  const auto b = value(compare.getOperand(1));
  // OpenCL's answer is as wide as what it compared.
  const auto* compared = compare.getOperand(0)->getType();
  const bool is_wide_as_int = !compared->isVectorTy() || compared->getScalarSizeInBits() == 32;
  const auto say = [&](const std::string& answer) {
    assign(compare, is_wide_as_int
                        ? answer
                        : fmt::format("convert_{}({})", type_name(compare.getType()), answer));
  };
  const auto plain = [&](std::string_view op) { say(fmt::format("{} {} {}", a, op, b)); };
  const auto with_sign = [&](std::string_view op) {
    say(fmt::format("{} {} {}", signed_value(compare.getOperand(0)), op,
                    signed_value(compare.getOperand(1))));
  };
  const auto unless = [&](std::string_view op) { say(fmt::format("!({} {} {})", a, op, b)); };
  using Predicate = llvm::CmpInst::Predicate;
  switch (compare.getPredicate()) {
    case Predicate::ICMP_EQ:
    case Predicate::FCMP_OEQ:
      return plain("==");
    case Predicate::ICMP_NE:
    case Predicate::FCMP_UNE:
      return plain("!=");
    case Predicate::ICMP_UGT:
    case Predicate::FCMP_OGT:
      return plain(">");
    case Predicate::ICMP_UGE:
    case Predicate::FCMP_OGE:
      return plain(">=");
    case Predicate::ICMP_ULT:
    case Predicate::FCMP_OLT:
      return plain("<");
    case Predicate::ICMP_ULE:
    case Predicate::FCMP_OLE:
      return plain("<=");
    case Predicate::ICMP_SGT:
      return with_sign(">");
    case Predicate::ICMP_SGE:
      return with_sign(">=");
    case Predicate::ICMP_SLT:
      return with_sign("<");
    case Predicate::ICMP_SLE:
      return with_sign("<=");
    case Predicate::FCMP_UGT:
      return unless("<=");
    case Predicate::FCMP_UGE:
      return unless("<");
    case Predicate::FCMP_ULT:
      return unless(">=");
    case Predicate::FCMP_ULE:
      return unless(">");
    case Predicate::FCMP_ONE:
      return say(fmt::format("{0} < {1} || {0} > {1}", a, b));
    case Predicate::FCMP_UEQ:
      return say(fmt::format("!({0} < {1} || {0} > {1})", a, b));
    case Predicate::FCMP_ORD:
      return say(fmt::format("!isnan({}) && !isnan({})", a, b));
    case Predicate::FCMP_UNO:
      return say(fmt::format("isnan({}) || isnan({})", a, b));
    case Predicate::FCMP_TRUE:
      return assign(compare, "true");
    case Predicate::FCMP_FALSE:
      return assign(compare, "false");
    default:
      llvm_unreachable("LLVM has no other comparison");
  }
}

void KernelPrinter::print_cast(const llvm::CastInst& cast) {
  auto* from = cast.getSrcTy();
  auto* to = cast.getDestTy();
  const auto a = value(cast.getOperand(0));
  if (to->isVectorTy() && cast.getOpcode() != llvm::Instruction::BitCast)
    return assign(cast, converted_vector(cast));
  switch (cast.getOpcode()) {
    case llvm::Instruction::ZExt:
      return assign(cast, fmt::format("({}){}", type_name(to), a));
    case llvm::Instruction::SExt:
      return assign(cast, trimmed(fmt::format("({})({}){}", type_name(to),
                                              signed_type(to->getIntegerBitWidth()),
                                              signed_value(cast.getOperand(0))),
                                  to));
    case llvm::Instruction::Trunc:
      return assign(
          cast,
          trimmed(fmt::format("({}){}", to->isIntegerTy(1) ? "uchar" : type_name(to), a), to));
    case llvm::Instruction::FPToUI:
      return assign(cast, trimmed(fmt::format("({}){}", type_name(to), a), to));
    case llvm::Instruction::FPToSI:
      return assign(cast, trimmed(fmt::format("({})({}){}", type_name(to),
                                              signed_type(to->getIntegerBitWidth()), a),
                                  to));
    case llvm::Instruction::UIToFP:
      return assign(cast, rounded(fmt::format("(float){}", a), to));
    case llvm::Instruction::SIToFP:
      return assign(cast,
                    rounded(fmt::format("(float)({})", signed_value(cast.getOperand(0))), to));
    case llvm::Instruction::FPTrunc:
      return assign(cast, rounded(a, to));
    case llvm::Instruction::FPExt:
      return assign(cast, a);
    case llvm::Instruction::BitCast:
      return assign(cast, bits(a, from, to));
    case llvm::Instruction::PtrToInt:
      return assign(cast, trimmed(fmt::format("({})(ulong){}", type_name(to), a), to));
    default:
      llvm_unreachable("first_unsupported() refuses other conversions");
  }
}

// An element of a mask is -1 where LLVM's bit is 1: of bits that count as unsigned, 1 is left.
std::string KernelPrinter::converted_vector(const llvm::CastInst& cast) {
  const auto a = value(cast.getOperand(0));
  const auto to = type_name(cast.getDestTy());
  switch (cast.getOpcode()) {
    case llvm::Instruction::ZExt:
    case llvm::Instruction::UIToFP:
      return fmt::format("convert_{}({}{})", to, a, is_mask(cast.getSrcTy()) ? " & 1" : "");
    case llvm::Instruction::SExt:
    case llvm::Instruction::SIToFP:
      return fmt::format("convert_{}({})", to, signed_value(cast.getOperand(0)));
    case llvm::Instruction::Trunc:
      if (is_mask(cast.getDestTy())) return fmt::format("-(convert_{}({}) & 1)", to, a);
      return fmt::format("convert_{}({})", to, a);
    case llvm::Instruction::FPToUI:
      return fmt::format("convert_{}({})", to, a);
    case llvm::Instruction::FPToSI:
      return as_unsigned(fmt::format("convert_{}({})", signed_vector_name(cast.getDestTy()), a),
                         cast.getDestTy());
    default:
      llvm_unreachable("first_unsupported() refuses other conversions");
  }
}

// The same bits under another type of the same size.
std::string KernelPrinter::bits(const std::string& expression, const llvm::Type* from,
                                const llvm::Type* to) {
  if (from->isHalfTy() && to->isIntegerTy(16)) return helper("msci_half_bits", expression);
  if (from->isIntegerTy(16) && to->isHalfTy()) return helper("msci_half_from_bits", expression);
  if (from->isBFloatTy() && to->isIntegerTy(16))
    return fmt::format("(ushort)(as_uint({}) >> 16)", expression);
  if (from->isIntegerTy(16) && to->isBFloatTy())
    return fmt::format("as_float((uint){} << 16)", expression);
  const auto small = [](const llvm::Type* type) { return is_small_float(type->getScalarType()); };
  if (small(from) && small(to) && from->getScalarType() == to->getScalarType()) return expression;
  if (small(from)) return bits(pack_halves(expression, from), ushort_vector(from), to);
  if (small(to)) return unpack_halves(bits(expression, from, ushort_vector(to)), to);
  if (from == to) return expression;
  return fmt::format("as_{}({})", type_name(to), expression);
}

std::string KernelPrinter::pack_halves(const std::string& expression, const llvm::Type* from) {
  auto* vector = llvm::cast<llvm::FixedVectorType>(from);
  std::string elements;
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    elements +=
        (i ? ", " : "") + bits(fmt::format("{}.s{:x}", expression, i), vector->getElementType(),
                               llvm::Type::getInt16Ty(from->getContext()));
  return fmt::format("(ushort{})({})", vector->getNumElements(), elements);
}

std::string KernelPrinter::unpack_halves(const std::string& expression, const llvm::Type* to) {
  auto* vector = llvm::cast<llvm::FixedVectorType>(to);
  std::string elements;
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    elements +=
        (i ? ", " : "") + bits(fmt::format("({}).s{:x}", expression, i),
                               llvm::Type::getInt16Ty(to->getContext()), vector->getElementType());
  return fmt::format("(float{})({})", vector->getNumElements(), elements);
}

}  // namespace msci
