#include "compiler/print/print.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/convergence.h"
#include "compiler/helpers.h"
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

// A program-scope table, of uints where its size allows.
std::string print_table(const llvm::GlobalVariable& table, const std::string& name) {
  const ConstantBytes constant(table);
  const auto& bytes = constant.bytes();
  const bool is_of_uints = bytes.size() % 4 == 0;
  const std::size_t step = is_of_uints ? 4 : 1;
  std::string text = fmt::format("__constant {} {}[{}] __attribute__((aligned(16))) = {{",
                                 is_of_uints ? "uint" : "uchar", name,
                                 std::max<std::size_t>(1, bytes.size() / step));
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    std::uint32_t number = 0;
    for (std::size_t j = 0; j < step; ++j) number |= std::uint32_t{bytes[i + j]} << (8 * j);
    text += fmt::format("{}{:#x}{}", i ? "," : "", number, is_of_uints ? "u" : "");
  }
  return text + "};\n";
}

std::string print_tables(llvm::Module& ir, TextContext& context) {
  std::string text;
  for (auto& variable : ir.globals()) {
    variable.removeDeadConstantUsers();
    if (variable.getAddressSpace() != table_space || variable.use_empty()) continue;
    const auto name = fmt::format("table{}", context.tables.size());
    text += print_table(variable, name);
    context.tables[&variable] = name;
  }
  return text;
}

std::string print_kernel(llvm::Function& function, KernelSignature& signature, TextContext& context,
                         bool& any_resumable) {
  signature.uses_simdgroups = uses_simdgroups(function);
  const auto direct = KernelPrinter(function, signature, Form::direct, context).print();
  if (!signature.uses_simdgroups && !needs_resumption(function)) return "\n" + direct;
  any_resumable = true;
  const auto resumable = KernelPrinter(function, signature, Form::resumable, context).print();
  return fmt::format("\n#ifdef MSCI_NATIVE_SIMDGROUPS\n{}#else\n{}#endif\n", direct, resumable);
}

// A device that knows which buffers are bound defines the macro (plan/program.h).
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

std::string print(llvm::Module& ir, std::vector<KernelSignature>& kernels, LineComments comments) {
  TextContext context{.names_lines = comments == LineComments::yes};
  const auto tables = print_tables(ir, context);
  std::string kernel_text;
  bool any_resumable = false;
  for (auto& signature : kernels)
    kernel_text +=
        print_kernel(*ir.getFunction(signature.symbol), signature, context, any_resumable);
  std::string helper_text;
  for (const auto& helper : context.helpers) helper_text += helper_source(helper);
  if (any_resumable)
    helper_text += fmt::format("#ifdef MSCI_NATIVE_SIMDGROUPS{}#else{}#endif\n",
                               native_lane_helpers(context.lane_functions),
                               resumable_lane_helpers(context.lane_functions));
  return fmt::format("{}{}{}{}{}", restrict_macro, step_macro, helper_text, tables, kernel_text);
}

}  // namespace msci
