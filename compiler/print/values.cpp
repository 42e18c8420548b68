#include <algorithm>

#include "compiler/print/kernel_printer.h"

namespace msci {
namespace {

std::string mask_text(const llvm::Constant& bit) { return bit.isOneValue() ? "-1" : "0"; }

}  // namespace

// Declares the instruction's variable where it is defined: "uint v7".
std::string KernelPrinter::definition(const llvm::Instruction& instruction) {
  auto& name = names_[&instruction];
  assert(name.empty() && "an instruction is printed once");
  name = fmt::format("v{}", values_++);
  return fmt::format("{} {}", type_name(instruction.getType()), name);
}

std::string KernelPrinter::value(const Value* operand) {
  if (auto known = names_.find(operand); known != names_.end()) return known->second;
  if (auto table = context_.tables.find(operand); table != context_.tables.end())
    return fmt::format("((__constant uchar*){})", table->second);
  return constant_text(*llvm::cast<llvm::Constant>(operand));
}

std::string KernelPrinter::constant_text(const llvm::Constant& constant) {
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return integer_text(integer->getValue());
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
    return real_text(number->getValueAPF());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(constant.getType())) {
    std::vector<std::string> elements;
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      const auto* element = constant.getAggregateElement(i);
      elements.push_back(is_mask(vector) ? mask_text(*element) : constant_text(*element));
    }
    const bool all_alike = std::count(elements.begin(), elements.end(), elements.front()) ==
                           static_cast<std::ptrdiff_t>(elements.size());
    if (all_alike) elements.resize(1);
    return fmt::format("({})({})", type_name(vector), fmt::join(elements, ", "));
  }
  if (constant.getType()->isPointerTy()) return constant_pointer(constant);
  assert(llvm::isa<llvm::UndefValue>(constant) && "first_unsupported() refuses other constants");
  return zero_text(constant.getType());
}

std::string KernelPrinter::constant_pointer(const llvm::Constant& constant) {
  if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant))
    return fmt::format("(({})0)", type_name(constant.getType()));
  if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
      cast && cast->getOpcode() == llvm::Instruction::IntToPtr)  // the number of a function
    return fmt::format("(({}){})", type_name(constant.getType()),
                       constant_text(*cast->getOperand(0)));
  return address(llvm::cast<llvm::GEPOperator>(constant));
}

// The value read as a signed integer of its own width.
std::string KernelPrinter::signed_value(const Value* operand) {
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(operand);
      integer && integer->getBitWidth() > 16 && integer->getBitWidth() != 1 &&
      container_bits(integer->getBitWidth()) == integer->getBitWidth() &&
      !integer->getValue().isMinSignedValue())
    return fmt::format("({}{})", integer->getSExtValue(), integer->getBitWidth() > 32 ? "l" : "");
  const auto bits = operand->getType()->getScalarSizeInBits();
  if (is_mask(operand->getType())) return value(operand);
  if (operand->getType()->isVectorTy())
    return fmt::format("as_{}({})", signed_vector_name(operand->getType()), value(operand));
  if (bits == 1) return fmt::format("-(int){}", value(operand));
  const auto spare = container_bits(bits) - bits;
  if (spare == 0) return fmt::format("({}){}", signed_type(bits), value(operand));
  return fmt::format("(({0})({1} << {2}) >> {2})", signed_type(bits), value(operand), spare);
}

// Halves are floats that were rounded.
std::string KernelPrinter::rounded(std::string expression, const llvm::Type* type) {
  if (type->isHalfTy()) return helper("msci_round_half", expression);
  if (type->isBFloatTy()) return helper("msci_round_bfloat", expression);
  return expression;
}

std::string KernelPrinter::helper(const std::string& name, const std::string& arguments) {
  context_.parts.helpers.insert(name);
  return fmt::format("{}({})", name, arguments);
}

void KernelPrinter::line(const std::string& text) {
  const auto comment = source_line_ ? fmt::format("  // line {}", source_line_) : "";
  body_ += fmt::format("  {}{}\n", text, comment);
}

void KernelPrinter::assign(const llvm::Instruction& instruction, const std::string& expression) {
  line(fmt::format("{} = {};", definition(instruction), expression));
}

}  // namespace msci
