#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/ErrorHandling.h>

#include "compiler/ir/builtins.h"
#include "compiler/print/kernel_printer.h"

namespace msci {

void KernelPrinter::print_call(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  if (callee->isIntrinsic()) return print_intrinsic(call, callee->getIntrinsicID());
  const auto name = callee->getName();
  if (name.starts_with("get_"))
    return assign(call, fmt::format("{}({})", name.str(), value(call.getArgOperand(0))));
  if (name.starts_with("msci.math.")) return print_math(call, name.drop_front(10).str());
  if (name == "msci.barrier.threadgroup") return print_barrier();
  if (name == "msci.fence") return line("mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
  if (name == "msci.simd.lane") return assign(call, thread_index + " & 31u");
  if (name == "msci.quad.lane") return assign(call, thread_index + " & 3u");
  print_lane_function(call, *lane_function(name));
}

void KernelPrinter::print_barrier() {
  if (meets_)
    line(meet(Wait::barrier) + ";");
  else if (form_ == Form::direct)
    line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
  else
    wait(Wait::barrier, {});
}

// msci.math.NAME.SUFFIX.
void KernelPrinter::print_math(const llvm::CallInst& call, const std::string& name) {
  const auto dot = name.rfind('.');
  const bool is_signed = name.compare(dot + 1, 1, "i") == 0;
  std::string arguments;
  for (const auto& argument : call.args()) {
    const bool as_signed = is_signed && argument->getType()->isIntegerTy();
    arguments +=
        (arguments.empty() ? "" : ", ") + (as_signed ? signed_value(argument) : value(argument));
  }
  assign(call, fmt::format("{}({})", *find_math(name)->opencl, arguments));
}

void KernelPrinter::print_intrinsic(const llvm::CallInst& call, unsigned id) {
  switch (id) {
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return print_funnel_shift(call, id == llvm::Intrinsic::fshl);
    case llvm::Intrinsic::bitreverse:
      return print_bit_reverse(call);
    case llvm::Intrinsic::bswap:
      return print_byte_swap(call);
    case llvm::Intrinsic::is_fpclass:
      return print_class_test(call);
    case llvm::Intrinsic::sincos:
      return print_sincos(call);
    case llvm::Intrinsic::frexp:
      return print_frexp(call);
    case llvm::Intrinsic::modf:
      return print_modf(call);
    case llvm::Intrinsic::umul_with_overflow:
    case llvm::Intrinsic::uadd_with_overflow:
      return print_with_overflow(call, id);
    default:
      break;
  }
  const auto pattern = *intrinsic_pattern(id);
  if (pattern.empty()) return;
  const auto text = fill_pattern(pattern, call);
  const bool is_signed = pattern.find("$s") != std::string_view::npos;
  if (is_signed && call.getType()->getScalarType()->isIntegerTy())
    return assign(call, as_unsigned(trimmed(text, call.getType()), call.getType()));
  assign(call, rounded(trimmed(text, call.getType()), call.getType()));
}

std::string KernelPrinter::fill_pattern(std::string_view pattern, const llvm::CallInst& call) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$') {
      text += pattern[i];
    } else if (pattern[i + 1] == 'T') {
      text += type_name(call.getType());
      ++i;
    } else if (pattern[i + 1] == 's') {
      text += signed_value(call.getArgOperand(pattern[i + 2] - '0'));
      i += 2;
    } else {
      text += value(call.getArgOperand(pattern[i + 1] - '0'));
      ++i;
    }
  }
  return text;
}

void KernelPrinter::print_funnel_shift(const llvm::CallInst& call, bool left) {
  const auto a = value(call.getArgOperand(0));
  const auto b = value(call.getArgOperand(1));
  const auto by = value(call.getArgOperand(2));
  const auto bits = call.getType()->getIntegerBitWidth();
  const auto* name = unsigned_type(bits);
  if (a == b)
    return assign(call, left ? fmt::format("rotate({}, {})", a, by)
                             : fmt::format("rotate({}, ({})-{})", a, name, by));
  const char* pattern =
      left ? "({3})({0} << ({2} & {4})) | ({3})(({1} >> 1) >> ({4} - ({2} & {4})))"
           : "({3})(({0} << 1) << ({4} - ({2} & {4}))) | ({3})({1} >> ({2} & {4}))";
  assign(call, fmt::format(fmt::runtime(pattern), a, b, by, name, bits - 1));
}

void KernelPrinter::print_bit_reverse(const llvm::CallInst& call) {
  const auto bits = call.getType()->getIntegerBitWidth();
  const auto a = value(call.getArgOperand(0));
  if (bits <= 32)
    return assign(call, fmt::format("({})({} >> {})", type_name(call.getType()),
                                    helper("msci_reverse_bits", "(uint)" + a), 32 - bits));
  context_.parts.helpers.insert("msci_reverse_bits");
  assign(call, fmt::format("(((ulong)msci_reverse_bits((uint){0}) << 32) | "
                           "msci_reverse_bits((uint)({0} >> 32))) >> {1}",
                           a, 64 - bits));
}

void KernelPrinter::print_byte_swap(const llvm::CallInst& call) {
  const auto a = value(call.getArgOperand(0));
  switch (call.getType()->getIntegerBitWidth()) {
    case 16:
      return assign(call, fmt::format("as_ushort(as_uchar2({}).s10)", a));
    case 32:
      return assign(call, fmt::format("as_uint(as_uchar4({}).s3210)", a));
    case 64:
      return assign(call, fmt::format("as_ulong(as_uchar8({}).s76543210)", a));
    default:
      llvm_unreachable("first_unsupported() refuses other widths");
  }
}

// llvm.is.fpclass: a mask of classes.
void KernelPrinter::print_class_test(const llvm::CallInst& call) {
  const auto a = value(call.getArgOperand(0));
  const auto mask = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue();
  assign(call, helper("msci_is_class", fmt::format("{}, {}u", a, mask)));
}

void KernelPrinter::print_sincos(const llvm::CallInst& call) {
  auto* real = call.getArgOperand(0)->getType();
  const auto a = value(call.getArgOperand(0));
  line(fmt::format("{} = {};", pair_member(call, 0, real),
                   rounded(fmt::format("sin({})", a), real)));
  line(fmt::format("{} = {};", pair_member(call, 1, real),
                   rounded(fmt::format("cos({})", a), real)));
}

void KernelPrinter::print_frexp(const llvm::CallInst& call) {
  auto* real = call.getArgOperand(0)->getType();
  auto* integer = llvm::cast<llvm::StructType>(call.getType())->getElementType(1);
  const auto exponent = fmt::format("e{}", copies_++);
  declarations_ += fmt::format("  int {};\n", exponent);
  line(fmt::format("{} = frexp({}, &{});", pair_member(call, 0, real), value(call.getArgOperand(0)),
                   exponent));
  line(fmt::format("{} = {};", pair_member(call, 1, integer), exponent));
}

void KernelPrinter::print_modf(const llvm::CallInst& call) {
  auto* real = call.getArgOperand(0)->getType();
  const auto whole = fmt::format("w{}", copies_++);
  declarations_ += fmt::format("  float {};\n", whole);
  line(fmt::format("{} = modf({}, &{});", pair_member(call, 0, real), value(call.getArgOperand(0)),
                   whole));
  line(fmt::format("{} = {};", pair_member(call, 1, real), whole));
}

void KernelPrinter::print_with_overflow(const llvm::CallInst& call, unsigned id) {
  auto* type = call.getArgOperand(0)->getType();
  const auto a = value(call.getArgOperand(0));
  const auto b = value(call.getArgOperand(1));
  const auto result = pair_member(call, 0, type);
  const auto overflow = pair_member(call, 1, llvm::Type::getInt1Ty(type->getContext()));
  if (id == llvm::Intrinsic::uadd_with_overflow) {
    line(fmt::format("{} = {} + {};", result, a, b));
    line(fmt::format("{} = {} < {};", overflow, result, a));
  } else {
    line(fmt::format("{} = {} * {};", result, a, b));
    line(fmt::format("{} = mul_hi({}, {}) != 0;", overflow, a, b));
  }
}

}  // namespace msci
