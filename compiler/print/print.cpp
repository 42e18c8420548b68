#include "compiler/print/print.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "base/sha256.h"
#include "compiler/convergence.h"
#include "compiler/ir/spaces.h"
#include "compiler/print/kernel_printer.h"

namespace msci {
namespace {

// A constant as it lies in memory.
class ConstantBytes {
 public:
  explicit ConstantBytes(const llvm::GlobalVariable& variable)
      : layout_(variable.getDataLayout()),
        bytes_(layout_.getTypeAllocSize(variable.getValueType()).getFixedValue()) {
    write(*variable.getInitializer(), 0);
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  void write(const llvm::Constant& constant, std::uint64_t at) {
    if (llvm::isa<llvm::UndefValue>(constant) || constant.isNullValue()) return;
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
      return write(integer->getValue(), at);
    if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
      return write(number->getValueAPF().bitcastToAPInt(), at);
    if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
      for (unsigned i = 0; i < data->getNumElements(); ++i)
        write(*data->getElementAsConstant(i), at + i * data->getElementByteSize());
      return;
    }
    if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(&constant))  // a function's number
      return write(*cast->getOperand(0), at);
    const auto& aggregate = llvm::cast<llvm::ConstantAggregate>(constant);
    for (unsigned i = 0; i < aggregate.getNumOperands(); ++i)
      write(*llvm::cast<llvm::Constant>(aggregate.getOperand(i)), at + offset_in(aggregate, i));
  }

  void write(const llvm::APInt& bits, std::uint64_t at) {
    for (unsigned i = 0; i * 8 < bits.getBitWidth(); ++i)
      bytes_[at + i] = static_cast<std::uint8_t>(
          bits.extractBitsAsZExtValue(std::min(8U, bits.getBitWidth() - i * 8), i * 8));
  }

  std::uint64_t offset_in(const llvm::ConstantAggregate& aggregate, unsigned i) const {
    if (auto* record = llvm::dyn_cast<llvm::StructType>(aggregate.getType()))
      return layout_.getStructLayout(record)->getElementOffset(i).getFixedValue();
    auto* element = aggregate.getOperand(i)->getType();
    return i * (aggregate.getType()->isVectorTy() ? layout_.getTypeStoreSize(element)
                                                  : layout_.getTypeAllocSize(element));
  }

  const llvm::DataLayout& layout_;
  std::vector<std::uint8_t> bytes_;
};

// A program-scope table as type and values, of uints where its size allows.
std::pair<std::string, std::string> table_text(const llvm::GlobalVariable& table) {
  const ConstantBytes constant(table);
  const auto& bytes = constant.bytes();
  const bool is_of_uints = bytes.size() % 4 == 0;
  const std::size_t step = is_of_uints ? 4 : 1;
  std::string values;
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    std::uint32_t number = 0;
    for (std::size_t j = 0; j < step; ++j) number |= std::uint32_t{bytes[i + j]} << (8 * j);
    values += fmt::format("{}{:#x}{}", i ? "," : "", number, is_of_uints ? "u" : "");
  }
  return {is_of_uints ? "uint" : "uchar",
          fmt::format("[{}] __attribute__((aligned(16))) = {{{}}};\n",
                      std::max<std::size_t>(1, bytes.size() / step), values)};
}

// A table is named by what it holds, so that kernels of several modules share it.
void print_tables(llvm::Module& ir, TextContext& context) {
  constexpr std::size_t digits = 16;
  for (auto& variable : ir.globals()) {
    variable.removeDeadConstantUsers();
    if (variable.getAddressSpace() != table_space || variable.use_empty()) continue;
    const auto [type, values] = table_text(variable);
    const auto name = "table_" + sha256_of(type + values).substr(0, digits);
    context.parts.tables[name] = fmt::format("__constant {} {}{}", type, name, values);
    context.tables[&variable] = name;
  }
}

std::string print_kernel(llvm::Function& function, KernelSignature& signature,
                         TextContext& context) {
  signature.uses_simdgroups = uses_simdgroups(function);
  const auto direct = KernelPrinter(function, signature, Form::direct, context).print();
  if (!signature.uses_simdgroups && !needs_resumption(function)) return "\n" + direct;
  context.parts.has_resumable = true;
  const auto resumable = KernelPrinter(function, signature, Form::resumable, context).print();
  return fmt::format("\n#ifdef MSCI_NATIVE_SIMDGROUPS\n{}#else\n{}#endif\n", direct, resumable);
}

// A device that knows which buffers are bound defines the macro (tasks/plan/program.h).
constexpr std::string_view restrict_macro =
    "#ifndef MSCI_RESTRICT\n#define MSCI_RESTRICT\n#endif\n";

// From element to element: PoCL's compiler makes two instructions of a step of bytes, and unrolls
// loops half as far; NVIDIA's makes more of bytes (hmc by a third, nbody by a tenth).
constexpr std::string_view step_macro = R"(#ifdef MSCI_NATIVE_SIMDGROUPS
#define MSCI_STEP(space, type, pointer, count) ((pointer) + (count) * (long)sizeof(type))
#else
#define MSCI_STEP(space, type, pointer, count) ((space uchar*)((space type*)(pointer) + (count)))
#endif
)";

}  // namespace

void append(TextParts& parts, const TextParts& more) {
  parts.helpers.insert(more.helpers.begin(), more.helpers.end());
  parts.lane_functions.insert(more.lane_functions.begin(), more.lane_functions.end());
  parts.has_resumable = parts.has_resumable || more.has_resumable;
  parts.tables.insert(more.tables.begin(), more.tables.end());
  parts.kernels += more.kernels;
}

std::string to_text(const TextParts& parts) {
  std::string text = fmt::format("{}{}", restrict_macro, step_macro);
  for (const auto& helper : parts.helpers) text += helper_source(helper);
  if (parts.has_resumable)
    text += fmt::format("#ifdef MSCI_NATIVE_SIMDGROUPS{}#else{}#endif\n",
                        native_lane_helpers(parts.lane_functions),
                        resumable_lane_helpers(parts.lane_functions));
  for (const auto& [name, table] : parts.tables) text += table;
  return text + parts.kernels;
}

TextParts print(llvm::Module& ir, std::vector<KernelSignature>& kernels, LineComments comments) {
  TextContext context{.names_lines = comments == LineComments::yes};
  print_tables(ir, context);
  for (auto& signature : kernels)
    context.parts.kernels += print_kernel(*ir.getFunction(signature.symbol), signature, context);
  return std::move(context.parts);
}

}  // namespace msci
