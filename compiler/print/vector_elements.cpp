#include "compiler/print/kernel_printer.h"

namespace msci {

std::string KernelPrinter::element(const Value& vector, const Value& index) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector.getType());
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index))
    return fmt::format("{}.s{:x}", value(&vector), constant->getZExtValue());
  // OpenCL has no such access; a vector lies in memory as its elements do.
  return fmt::format("(({}*)&{})[{} & {}]", type_name(type->getElementType()), in_variable(vector),
                     value(&index),
                     std::max(1U, llvm::NextPowerOf2(type->getNumElements() - 1)
                                      ? unsigned(llvm::NextPowerOf2(type->getNumElements() - 1)) - 1
                                      : 0));
}

// The name of a variable that holds the value, whose address may be taken.
std::string KernelPrinter::in_variable(const Value& vector) {
  if (llvm::isa<llvm::Instruction>(vector)) return value(&vector);
  const auto name = fmt::format("c{}", copies_++);
  declarations_ +=
      fmt::format("  {} {} = {};\n", type_name(vector.getType()), name, value(&vector));
  return name;
}

void KernelPrinter::print_extract(const llvm::ExtractElementInst& extract) {
  const auto text = element(*extract.getVectorOperand(), *extract.getIndexOperand());
  assign(extract, is_mask(extract.getVectorOperandType()) ? text + " != 0" : text);
}

void KernelPrinter::print_insert(const llvm::InsertElementInst& insert) {
  if (llvm::isa<llvm::UndefValue>(insert.getOperand(0)))
    line(definition(insert) + ";");
  else
    assign(insert, value(insert.getOperand(0)));
  const auto* inserted = insert.getOperand(1);
  line(fmt::format("{} = {};", element(insert, *insert.getOperand(2)),
                   is_mask(insert.getType()) ? signed_value(inserted) : value(inserted)));
}

void KernelPrinter::print_shuffle(const llvm::ShuffleVectorInst& shuffle) {
  const auto width = element_count(shuffle.getOperand(0)->getType());
  std::string parts;
  for (int lane : shuffle.getShuffleMask()) {
    parts += parts.empty() ? "" : ", ";
    if (lane < 0)
      parts += is_mask(shuffle.getType()) ? "0" : zero_text(shuffle.getType()->getScalarType());
    else
      parts += fmt::format("{}.s{:x}", value(shuffle.getOperand(unsigned(lane) < width ? 0 : 1)),
                           unsigned(lane) % width);
  }
  assign(shuffle, fmt::format("({})({})", type_name(shuffle.getType()), parts));
}

}  // namespace msci
