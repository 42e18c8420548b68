#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/builtins.h"
#include "compiler/spirv/spirv_kernel.h"

namespace msci {
namespace {

// ---- names

std::string mangled_type(llvm::Type* type, bool is_signed) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return fmt::format("Dv{}_{}", vector->getNumElements(),
                       mangled_type(vector->getElementType(), is_signed));
  if (type->isHalfTy()) return "Dh";
  if (type->isFloatTy()) return "f";
  switch (type->getScalarSizeInBits()) {
    case 8:
      return is_signed ? "c" : "h";
    case 16:
      return is_signed ? "s" : "t";
    case 32:
      return is_signed ? "i" : "j";
    default:
      return is_signed ? "l" : "m";
  }
}

// As clang names the OpenCL C function: "_Z5rsqrtf". A vector of the same type as one before it is
// named by that one's number.
std::string mangled(std::string_view name, llvm::ArrayRef<llvm::Value*> arguments, bool is_signed) {
  auto text = fmt::format("_Z{}{}", name.size(), name);
  std::vector<std::string> vectors;
  for (const auto* argument : arguments) {
    const auto type = mangled_type(argument->getType(), is_signed);
    const auto known = std::find(vectors.begin(), vectors.end(), type) - vectors.begin();
    if (known < static_cast<std::ptrdiff_t>(vectors.size())) {
      text += known == 0 ? std::string("S_") : fmt::format("S{}_", known - 1);
      continue;
    }
    text += type;
    if (argument->getType()->isVectorTy()) vectors.push_back(type);
  }
  return arguments.empty() ? text + "v" : text;
}

// ---- functions

llvm::CallInst* call(llvm::IRBuilder<>& builder, std::string_view name, llvm::Type* result,
                     llvm::ArrayRef<llvm::Value*> arguments, bool is_signed = false) {
  std::vector<llvm::Type*> types;
  for (const auto* argument : arguments) types.push_back(argument->getType());
  auto& ir = *builder.GetInsertBlock()->getModule();
  auto function = ir.getOrInsertFunction(mangled(name, arguments, is_signed),
                                         llvm::FunctionType::get(result, types, false));
  auto* callee = llvm::cast<llvm::Function>(function.getCallee());
  callee->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  callee->setDoesNotThrow();
  auto* made = builder.CreateCall(function, arguments);
  made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return made;
}

// A function of a grid: an integer of 32 bits, although OpenCL's has 64.
llvm::Value* position(llvm::IRBuilder<>& builder, const llvm::CallInst& old) {
  auto* axis = old.getArgOperand(0);
  auto* made = call(builder, old.getCalledFunction()->getName(), builder.getInt64Ty(), {axis});
  made->setDoesNotAccessMemory();
  return builder.CreateZExtOrTrunc(builder.CreateTrunc(made, builder.getInt32Ty()), old.getType());
}

llvm::Value* barrier(llvm::IRBuilder<>& builder, std::string_view name) {
  constexpr unsigned both_memories = 3;
  auto* made = call(builder, name, builder.getVoidTy(), {builder.getInt32(both_memories)});
  made->setConvergent();
  made->getCalledFunction()->setConvergent();
  return made;
}

// What Metal's fast mathematics uses.
std::string_view native_name(std::string_view name) {
  static const std::map<std::string_view, std::string_view> names = {
      {"sin", "native_sin"},     {"cos", "native_cos"},     {"exp", "native_exp"},
      {"exp2", "native_exp2"},   {"log", "native_log"},     {"log2", "native_log2"},
      {"log10", "native_log10"}, {"pow", "native_powr"},    {"powr", "native_powr"},
      {"sqrt", "native_sqrt"},   {"rsqrt", "native_rsqrt"}, {"tan", "native_tan"},
  };
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

llvm::Value* math(llvm::IRBuilder<>& builder, const llvm::CallInst& old, std::string_view name,
                  bool is_signed) {
  const bool approximates = llvm::isa<llvm::FPMathOperator>(old) && old.hasApproxFunc();
  std::vector<llvm::Value*> arguments(old.arg_begin(), old.arg_end());
  auto* made =
      call(builder, approximates ? native_name(name) : name, old.getType(), arguments, is_signed);
  made->setDoesNotAccessMemory();
  if (llvm::isa<llvm::FPMathOperator>(old)) made->copyFastMathFlags(&old);
  return made;
}

// "sum.f32" of "msci.simd.sum.f32".
llvm::Value* simdgroup(llvm::IRBuilder<>& builder, const llvm::CallInst& old,
                       std::string_view function) {
  static const std::map<std::string_view, std::string_view> names = {
      {"shuffle", "sub_group_shuffle"},
      {"shuffle_xor", "sub_group_shuffle_xor"},
      {"shuffle_up", "sub_group_shuffle_up"},
      {"shuffle_down", "sub_group_shuffle_down"},
      {"broadcast_first", "sub_group_broadcast_first"},
      {"sum", "sub_group_non_uniform_reduce_add"},
      {"product", "sub_group_non_uniform_reduce_mul"},
      {"min", "sub_group_non_uniform_reduce_min"},
      {"max", "sub_group_non_uniform_reduce_max"},
      {"and", "sub_group_non_uniform_reduce_and"},
      {"or", "sub_group_non_uniform_reduce_or"},
      {"xor", "sub_group_non_uniform_reduce_xor"},
      {"prefix_inclusive_sum", "sub_group_non_uniform_scan_inclusive_add"},
      {"prefix_exclusive_sum", "sub_group_non_uniform_scan_exclusive_add"},
      {"prefix_inclusive_product", "sub_group_non_uniform_scan_inclusive_mul"},
      {"prefix_exclusive_product", "sub_group_non_uniform_scan_exclusive_mul"},
  };
  std::vector<llvm::Value*> arguments(old.arg_begin(), old.arg_end());
  llvm::CallInst* made = nullptr;
  llvm::Value* result = nullptr;
  if (function == "ballot" || function == "active") {
    auto* vote = arguments.empty() ? builder.getInt32(1)
                                   : builder.CreateZExt(builder.CreateIsNotNull(arguments[0]),
                                                        builder.getInt32Ty());
    auto* words = llvm::FixedVectorType::get(builder.getInt32Ty(), 4);
    made = call(builder, "sub_group_ballot", words, {vote}, true);
    auto* lanes = builder.CreateExtractElement(made, builder.getInt64(0));
    result = builder.CreateZExtOrTrunc(lanes, old.getType());
  } else {
    const auto dot = function.find('.');
    const auto found = names.find(function.substr(0, dot));
    if (found == names.end()) return nullptr;
    const bool is_signed = dot != function.npos && function.substr(dot + 1, 1) == "i";
    result = made = call(builder, found->second, old.getType(), arguments, is_signed);
  }
  made->setConvergent();
  made->getCalledFunction()->setConvergent();
  return result;
}

// Intrinsics that LLVM's target would make the precise functions of.
std::optional<std::string_view> approximated(const llvm::CallInst& old) {
  if (!llvm::isa<llvm::FPMathOperator>(old) || !old.hasApproxFunc()) return std::nullopt;
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&old);
  if (!intrinsic) return std::nullopt;
  const std::string_view name =
      llvm::Intrinsic::getBaseName(intrinsic->getIntrinsicID()).drop_front(5);  // "llvm."
  if (native_name(name) == name) return std::nullopt;
  return name;
}

// Null if OpenCL has no such function.
llvm::Value* replacement(llvm::IRBuilder<>& builder, const llvm::CallInst& old) {
  constexpr std::string_view math_prefix = "msci.math.", simd_prefix = "msci.simd.";
  const std::string_view name = old.getCalledFunction()->getName();
  if (const auto function = approximated(old)) return math(builder, old, *function, false);
  if (name.starts_with("get_")) return position(builder, old);
  if (name == "msci.barrier.threadgroup") return barrier(builder, "barrier");
  if (name == "msci.barrier.simdgroup") return barrier(builder, "sub_group_barrier");
  if (name == "msci.fence") return barrier(builder, "mem_fence");
  if (name == "msci.simd.lane" || name == "msci.quad.lane") {
    auto* lane = call(builder, "get_sub_group_local_id", builder.getInt32Ty(), {});
    lane->setDoesNotAccessMemory();
    return name == "msci.simd.lane" ? static_cast<llvm::Value*>(lane) : builder.CreateAnd(lane, 3);
  }
  if (name.starts_with(simd_prefix))
    return simdgroup(builder, old, name.substr(simd_prefix.size()));
  if (!name.starts_with(math_prefix)) return nullptr;
  const auto function = name.substr(math_prefix.size());
  const auto* known = find_math(function);
  if (!known || !known->opencl) return nullptr;
  const bool is_signed = function.substr(function.rfind('.') + 1, 1) == "i";
  return math(builder, old, *known->opencl, is_signed);
}

}  // namespace

std::optional<Error> call_opencl_functions(llvm::Function& kernel) {
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    auto* old = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!old || !old->getCalledFunction()) continue;
    if (old->getCalledFunction()->isIntrinsic() && !approximated(*old)) continue;
    llvm::IRBuilder<> builder(old);
    auto* made = replacement(builder, *old);
    if (!made)
      return Error{fmt::format("it calls '{}', which msci cannot pass on to Mesa yet",
                               old->getCalledFunction()->getName().str())};
    if (!old->getType()->isVoidTy()) old->replaceAllUsesWith(made);
    old->eraseFromParent();
  }
  return std::nullopt;
}

void extend_again(llvm::Function& kernel) {
  using namespace llvm::PatternMatch;
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    llvm::Value* wide = nullptr;
    if (!instruction.getType()->isIntegerTy(64) ||
        !match(&instruction, m_c_And(m_Value(wide), m_SpecificInt(0xffffffff))))
      continue;
    llvm::IRBuilder<> builder(&instruction);
    auto* low = call(builder, "convert_uint", builder.getInt32Ty(), {wide});
    instruction.replaceAllUsesWith(builder.CreateZExt(low, instruction.getType()));
    instruction.eraseFromParent();
  }
}

}  // namespace msci
