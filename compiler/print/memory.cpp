#include <llvm/IR/DataLayout.h>
#include <llvm/Support/ErrorHandling.h>

#include <bit>

#include "compiler/ir/spaces.h"
#include "compiler/print/kernel_printer.h"

namespace msci {

// A pointer and a number of bytes.
std::string KernelPrinter::address(const llvm::GEPOperator& pointer) {
  std::string text = value(pointer.getPointerOperand());
  llvm::SmallMapVector<Value*, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  [[maybe_unused]] const bool collected = pointer.collectOffset(layout_, 64, variable, constant);
  assert(collected && "first_unsupported() refuses other addresses");
  const auto in_space = llvm::StringRef(space_qualifier(pointer.getPointerAddressSpace())).rtrim();
  for (const auto& [index, scale] : variable) {
    const auto wide =
        index->getType()->isIntegerTy(64) ? signed_value(index) : "(long)" + signed_value(index);
    if (scale.isOne())
      text += fmt::format(" + {}", wide);
    else if (const auto* element = element_of_size(scale))
      text = fmt::format("MSCI_STEP({}, {}, {}, {})", in_space.str(), element, text, wide);
    else
      text += fmt::format(" + {} * {}", wide, scale.getSExtValue());
  }
  if (!constant.isZero()) text += fmt::format(" + ({})", constant.getSExtValue());
  return llvm::isa<llvm::Instruction>(pointer) ? text : "(" + text + ")";
}

std::string KernelPrinter::pointer_to(const std::string& element, const Value* pointer,
                                      bool is_volatile) {
  const auto text = value(pointer);
  return fmt::format("({}{}{}*){}", is_volatile ? "volatile " : "",
                     space_qualifier(pointer->getType()->getPointerAddressSpace()), element, text);
}

void KernelPrinter::print_load(const llvm::LoadInst& load) {
  auto* type = load.getType();
  const auto* pointer = load.getPointerOperand();
  const auto count = element_count(type);
  auto* scalar = type->getScalarType();
  const auto size = layout_.getTypeStoreSize(scalar).getFixedValue();
  const bool is_volatile = load.isVolatile() || load.isAtomic();
  if (type->isPointerTy())
    return assign(
        load, fmt::format("({})*{}", type_name(type), pointer_to("ulong", pointer, is_volatile)));
  if (scalar->isHalfTy())
    return assign(load, fmt::format("vload_half{}(0, {})", count == 1 ? "" : std::to_string(count),
                                    pointer_to("half", pointer)));
  if (scalar->isBFloatTy()) {
    const auto shorts = pointer_to("ushort", pointer);
    if (count == 1) return assign(load, fmt::format("as_float((uint)*{} << 16)", shorts));
    return assign(
        load, fmt::format("as_float{0}(convert_uint{0}(vload{0}(0, {1})) << 16)", count, shorts));
  }
  if (scalar->isIntegerTy() && !std::has_single_bit(size)) {  // bit-fields
    const auto* wide = unsigned_type(scalar->getIntegerBitWidth());
    std::string bytes;
    for (std::uint64_t i = 0; i < size; ++i)
      bytes += fmt::format("{}({})({})[{}] << {}", i == 0 ? "" : " | ", wide,
                           pointer_to("uchar", pointer, is_volatile), i, 8 * i);
    return assign(load, trimmed(bytes, scalar));
  }
  if (scalar->isIntegerTy() && scalar->getIntegerBitWidth() != size * 8) {
    return assign(
        load, trimmed(fmt::format("*{}", pointer_to(unsigned_type(size * 8), pointer)), scalar));
  }
  if (load.getAlign().value() < size)
    return assign(load, fmt::format("as_{}(vload{}(0, {}))", type_name(type), count * size,
                                    pointer_to("uchar", pointer)));
  if (count > 1 && (count == 3 || load.getAlign().value() < count * size))
    return assign(load,
                  fmt::format("vload{}(0, {})", count, pointer_to(type_name(scalar), pointer)));
  assign(load, fmt::format("*{}", pointer_to(type_name(type), pointer, is_volatile)));
}

void KernelPrinter::print_store(const llvm::StoreInst& store) {
  const auto* stored = store.getValueOperand();
  auto* type = stored->getType();
  const auto* pointer = store.getPointerOperand();
  const auto count = element_count(type);
  auto* scalar = type->getScalarType();
  const auto size = layout_.getTypeStoreSize(scalar).getFixedValue();
  const bool is_volatile = store.isVolatile() || store.isAtomic();
  const auto text = value(stored);
  if (type->isPointerTy())
    return line(fmt::format("*{} = (ulong){};", pointer_to("ulong", pointer, is_volatile), text));
  if (scalar->isHalfTy())
    return line(fmt::format("vstore_half{}_rte({}, 0, {});",
                            count == 1 ? "" : std::to_string(count), text,
                            pointer_to("half", pointer)));
  if (scalar->isBFloatTy()) {
    const auto shorts = pointer_to("ushort", pointer);
    if (count == 1) return line(fmt::format("*{} = (ushort)(as_uint({}) >> 16);", shorts, text));
    return line(fmt::format("vstore{0}(convert_ushort{0}(as_uint{0}({1}) >> 16), 0, {2});", count,
                            text, shorts));
  }
  if (scalar->isIntegerTy() && !std::has_single_bit(size)) {
    for (std::uint64_t i = 0; i < size; ++i)
      line(fmt::format("({})[{}] = (uchar)({} >> {});", pointer_to("uchar", pointer, is_volatile),
                       i, text, 8 * i));
    return;
  }
  if (scalar->isIntegerTy() && scalar->getIntegerBitWidth() != size * 8) {
    return line(fmt::format("*{} = {};", pointer_to(unsigned_type(size * 8), pointer), text));
  }
  if (store.getAlign().value() < size)
    return line(fmt::format("vstore{0}(as_uchar{0}({1}), 0, {2});", count * size, text,
                            pointer_to("uchar", pointer)));
  if (count > 1 && (count == 3 || store.getAlign().value() < count * size))
    return line(
        fmt::format("vstore{}({}, 0, {});", count, text, pointer_to(type_name(scalar), pointer)));
  line(fmt::format("*{} = {};", pointer_to(type_name(type), pointer, is_volatile), text));
}

void KernelPrinter::print_alloca(const llvm::AllocaInst& alloca) {
  const auto bytes = alloca.getAllocationSize(layout_);
  assert(bytes && "first_unsupported() refuses arrays of unknown length");
  const auto name = fmt::format("array{}", arrays_++);
  declarations_ +=
      fmt::format("  uchar {}[{}] __attribute__((aligned({})));\n", name, bytes->getFixedValue(),
                  std::max<std::uint64_t>(alloca.getAlign().value(), 4));
  names_[&alloca] = name;
}

void KernelPrinter::print_float_atomic(const llvm::AtomicRMWInst& atomic) {
  const auto* pointer = atomic.getPointerOperand();
  const auto operand = value(atomic.getValOperand());
  if (atomic.getOperation() == llvm::AtomicRMWInst::Xchg)
    return assign(atomic,
                  fmt::format("atomic_xchg({}, {})", pointer_to("float", pointer, true), operand));
  const bool is_local = pointer->getType()->getPointerAddressSpace() == threadgroup_space;
  const bool subtracts = atomic.getOperation() == llvm::AtomicRMWInst::FSub;
  assign(atomic, helper(is_local ? "msci_atomic_add_local" : "msci_atomic_add_global",
                        fmt::format("{}, {}{}", pointer_to("uint", pointer, true),
                                    subtracts ? "-" : "", operand)));
}

void KernelPrinter::print_atomic(const llvm::AtomicRMWInst& atomic) {
  auto* type = atomic.getType();
  const auto* pointer = atomic.getPointerOperand();
  const auto operand = value(atomic.getValOperand());
  const auto in_space = [&](const char* element) { return pointer_to(element, pointer, true); };
  if (type->isFloatTy()) return print_float_atomic(atomic);
  const bool wide = type->isIntegerTy(64);
  const std::string prefix = wide ? "atom" : "atomic";
  if (wide) context_.parts.helpers.insert("msci_int64_atomics");
  const auto call = [&](std::string_view name, bool is_signed = false) {
    const auto* element = is_signed ? signed_type(wide ? 64 : 32) : unsigned_type(wide ? 64 : 32);
    assign(atomic, fmt::format("{}_{}({}, {})", prefix, name, in_space(element),
                               is_signed ? signed_value(atomic.getValOperand()) : operand));
  };
  switch (atomic.getOperation()) {
    case llvm::AtomicRMWInst::Add:
      return call("add");
    case llvm::AtomicRMWInst::Sub:
      return call("sub");
    case llvm::AtomicRMWInst::And:
      return call("and");
    case llvm::AtomicRMWInst::Or:
      return call("or");
    case llvm::AtomicRMWInst::Xor:
      return call("xor");
    case llvm::AtomicRMWInst::Xchg:
      return call("xchg");
    case llvm::AtomicRMWInst::UMin:
      return call("min");
    case llvm::AtomicRMWInst::UMax:
      return call("max");
    case llvm::AtomicRMWInst::Min:
      return call("min", true);
    case llvm::AtomicRMWInst::Max:
      return call("max", true);
    default:
      llvm_unreachable("first_unsupported() refuses other atomic operations");
  }
}

// The pair {old value, whether it was exchanged} is two variables.
void KernelPrinter::print_exchange(const llvm::AtomicCmpXchgInst& exchange) {
  auto* type = exchange.getCompareOperand()->getType();
  if (type->isIntegerTy(64)) context_.parts.helpers.insert("msci_int64_atomics");
  const auto old = pair_member(exchange, 0, type);
  const auto expected = value(exchange.getCompareOperand());
  line(fmt::format("{} = {}_cmpxchg({}, {}, {});", old, type->isIntegerTy(64) ? "atom" : "atomic",
                   pointer_to(type_name(type), exchange.getPointerOperand(), true), expected,
                   value(exchange.getNewValOperand())));
  line(fmt::format("{} = {} == {};",
                   pair_member(exchange, 1, llvm::Type::getInt1Ty(type->getContext())), old,
                   expected));
}

std::string KernelPrinter::pair_member(const Value& pair, unsigned index, const llvm::Type* type) {
  auto& name = members_[{&pair, index}];
  if (name.empty()) {
    name = fmt::format("m{}", members_.size() - 1);
    declarations_ += fmt::format("  {} {};\n", type_name(type), name);
  }
  return name;
}

void KernelPrinter::print_extract_value(const llvm::ExtractValueInst& extract) {
  assign(extract,
         pair_member(*extract.getAggregateOperand(), extract.getIndices()[0], extract.getType()));
}

}  // namespace msci
