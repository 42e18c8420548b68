#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <string_view>
#include <utility>

#include "compiler/ir/builtins.h"
#include "compiler/ir/lane_functions.h"
#include "compiler/ir/spaces.h"
#include "compiler/print/opencl_types.h"
#include "compiler/translate_kernels.h"

namespace msci {
namespace {

using Problem = std::optional<std::string>;  // what is unsupported; none where nothing is

constexpr const char* stored_table =
    "the address of a program-scope constant as that of a buffer; store an index instead";
constexpr const char* mixed_pointer =
    "a pointer that can point into more than one address space; use one pointer for each space";

bool is_table_as_buffer(const llvm::Type& from, const llvm::Type& to) {
  return from.getPointerAddressSpace() == table_space &&
         to.getPointerAddressSpace() == device_space;
}

template <typename Printed>
std::string as_text(const Printed& printed) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printed.print(stream);
  return llvm::StringRef(text).ltrim().str();
}

// ---- types

Problem problem_of(const llvm::Type& type) {
  if (type.isVoidTy() || type.isFloatTy() || is_small_float(&type)) return std::nullopt;
  if (type.isIntegerTy() && type.getIntegerBitWidth() <= 64) return std::nullopt;
  if (type.isPointerTy()) {
    const auto space = type.getPointerAddressSpace();
    const bool is_named = space == thread_space || space == device_space || space == table_space ||
                          space == threadgroup_space;
    return is_named ? std::nullopt : Problem(mixed_pointer);
  }
  if (type.getScalarType()->isDoubleTy())
    return "double precision, which Metal does not have; write float literals such as 0.5f";
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  const bool is_known =
      vector && !vector->getElementType()->isPointerTy() &&
      (vector->getNumElements() == 1 || is_opencl_width(vector->getNumElements()));
  if (is_known) return problem_of(*vector->getElementType());
  return "a value of type " + as_text(type);
}

// ---- constants

// What stands for a pointer to a function (compiler/pointers/pointers.h).
bool is_function_number(const llvm::Constant& constant) {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  return expression && expression->getOpcode() == llvm::Instruction::IntToPtr &&
         constant.getType()->getPointerAddressSpace() == thread_space &&
         llvm::isa<llvm::ConstantInt>(expression->getOperand(0));
}

bool holds_address(const llvm::Constant& constant) {
  if (llvm::isa<llvm::ConstantData>(constant) || is_function_number(constant)) return false;
  if (!llvm::isa<llvm::ConstantAggregate>(constant)) return true;
  return llvm::any_of(constant.operands(), [](const llvm::Use& element) {
    return holds_address(*llvm::cast<llvm::Constant>(element));
  });
}

// A constant that the source computes when the program starts.
bool is_computed_at_start(const llvm::GlobalVariable& variable) {
  return !variable.isConstant() && (variable.getAddressSpace() == constant_space ||
                                    variable.getAddressSpace() == device_space);
}

Problem problem_of_missing_value(const llvm::GlobalVariable& variable) {
  const auto name = llvm::demangle(variable.getName().str());
  if (variable.isDeclaration())
    return fmt::format(
        "the function constant '{0}', which has no value; give it one with --set {0}=VALUE or in "
        "\"constants\" of the plan",
        name);
  if (is_computed_at_start(variable))
    return fmt::format("the constant '{}', whose value depends on a function constant without one",
                       name);
  return std::nullopt;
}

// A variable without a value stays in memory, where a pointer without an address space may read it.
Problem problem_behind(const llvm::Constant& pointer) {
  const auto* variable =
      pointer.getType()->isPointerTy()
          ? llvm::dyn_cast<llvm::GlobalVariable>(pointer.stripInBoundsConstantOffsets())
          : nullptr;
  return variable && variable->getAddressSpace() != threadgroup_space
             ? problem_of_missing_value(*variable)
             : std::nullopt;
}

Problem problem_of(const llvm::GlobalVariable& variable) {
  if (variable.getAddressSpace() == threadgroup_space) return std::nullopt;
  const auto name = variable.getName().str();
  if (auto problem = problem_of_missing_value(variable)) return problem;
  if (variable.getAddressSpace() != table_space) return "the address of '" + name + "'";
  if (holds_address(*variable.getInitializer()))
    return fmt::format("the program-scope constant '{}', which holds an address", name);
  return std::nullopt;
}

Problem problem_of(const llvm::Constant& constant, const llvm::DataLayout& layout);

// Variables were checked where they are defined; blocks and metadata have no text of their own.
Problem problem_of(const llvm::Value& operand, const llvm::DataLayout& layout) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&operand);
  return constant ? problem_of(*constant, layout) : std::nullopt;
}

Problem problem_of_address(const llvm::GEPOperator& step, const llvm::DataLayout& layout) {
  llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  if (!step.collectOffset(layout, 64, variable, constant)) return "the address " + as_text(step);
  return problem_of(*step.getPointerOperand(), layout);
}

Problem problem_of(const llvm::Constant& constant, const llvm::DataLayout& layout) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return problem_of(*variable);
  if (auto problem = problem_behind(constant)) return problem;
  if (const auto problem = problem_of(*constant.getType())) return problem;
  if (llvm::isa<llvm::ConstantData>(constant)) return std::nullopt;
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(&constant))
    return problem_of_address(*step, layout);
  if (const auto* vector = llvm::dyn_cast<llvm::ConstantVector>(&constant)) {
    for (const auto& element : vector->operands())
      if (const auto problem = problem_of(*element.get(), layout)) return problem;
    return std::nullopt;
  }
  if (is_function_number(constant)) return std::nullopt;
  if (llvm::isa<llvm::Function>(constant))
    return fmt::format("a pointer to the function '{}'", constant.getName().str());
  if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(&constant))
    return is_table_as_buffer(*cast->getPointerOperand()->getType(), *cast->getType())
               ? stored_table
               : mixed_pointer;
  return "the constant " + as_text(constant);
}

// ---- instructions

Problem problem_of(const llvm::CastInst& cast) {
  const bool to_vector = cast.getDestTy()->isVectorTy();
  switch (cast.getOpcode()) {
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::FPToUI:
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::UIToFP:
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::BitCast:
      return std::nullopt;
    case llvm::Instruction::FPTrunc:
    case llvm::Instruction::FPExt:
    case llvm::Instruction::PtrToInt:
      return to_vector ? Problem("the conversion " + as_text(cast)) : std::nullopt;
    case llvm::Instruction::AddrSpaceCast:
      return is_table_as_buffer(*cast.getSrcTy(), *cast.getDestTy()) ? stored_table : mixed_pointer;
    case llvm::Instruction::IntToPtr:
      return "a pointer made from an integer; keep the pointer, and add an offset to it";
    default:
      return "the conversion " + as_text(cast);
  }
}

// A vector in memory holds whole bytes for each element.
Problem problem_in_memory(const llvm::Type& type, const llvm::DataLayout& layout) {
  auto* scalar = type.getScalarType();
  const bool is_odd =
      scalar->isIntegerTy() && scalar->getIntegerBitWidth() != 8 * layout.getTypeStoreSize(scalar);
  return is_odd && element_count(&type) != 1
             ? Problem("a vector in memory of type " + as_text(type))
             : std::nullopt;
}

// Device memory outlives what threads and threadgroups have.
Problem problem_stored(const llvm::Type& type, unsigned space) {
  if (!type.isPointerTy() || space != device_space) return std::nullopt;
  if (type.getPointerAddressSpace() == threadgroup_space)
    return "a pointer to threadgroup memory in device memory, which outlives it";
  if (type.getPointerAddressSpace() == thread_space)
    return "a pointer to a thread's own memory, or to a function, in device memory";
  return std::nullopt;
}

bool is_word(const llvm::Type& type) { return type.isIntegerTy(32) || type.isIntegerTy(64); }

bool has_text(const llvm::AtomicRMWInst& atomic) {
  using Operation = llvm::AtomicRMWInst;
  const auto operation = atomic.getOperation();
  if (atomic.getType()->isFloatTy())
    return operation == Operation::Xchg || operation == Operation::FAdd ||
           operation == Operation::FSub;
  if (!is_word(*atomic.getType())) return false;
  switch (operation) {
    case Operation::Add:
    case Operation::Sub:
    case Operation::And:
    case Operation::Or:
    case Operation::Xor:
    case Operation::Xchg:
    case Operation::UMin:
    case Operation::UMax:
    case Operation::Min:
    case Operation::Max:
      return true;
    default:
      return false;
  }
}

// ---- calls

bool has_text(const llvm::IntrinsicInst& call) {
  const auto* type = call.getType();
  const auto* first = call.arg_empty() ? nullptr : call.getArgOperand(0)->getType();
  const auto width = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return width != 0 && container_bits(width) == width;
    case llvm::Intrinsic::bitreverse:
      return width != 0;
    case llvm::Intrinsic::bswap:
      return width == 16 || width == 32 || width == 64;
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::ssub_sat: {
      const auto bits = type->getScalarSizeInBits();  // of the container, whose bits all count
      return container_bits(bits) == bits;
    }
    case llvm::Intrinsic::is_fpclass:
      return first->isFloatTy();
    case llvm::Intrinsic::sincos:
    case llvm::Intrinsic::frexp:
    case llvm::Intrinsic::modf:
      return first->isFloatTy() || is_small_float(first);
    case llvm::Intrinsic::umul_with_overflow:
    case llvm::Intrinsic::uadd_with_overflow:
      return is_word(*first);
    default:
      return intrinsic_pattern(call.getIntrinsicID()).has_value();
  }
}

// What the headers declare so that sources can be linted, by the start of its name.
constexpr std::pair<std::string_view, std::string_view> linted_only[] = {
    {"msci.texture.lod",
     "calculate_clamped_lod or calculate_unclamped_lod, which need a fragment function's "
     "derivatives; compute the level from the size of the texture"},
    {"msci.texture.bicubic", "a bicubic filter; use filter::linear"},
    {"msci.tensor.", "tensor operations"},
    {"msci.command", "a command buffer; let the host launch the kernels"},
    {"msci.imageblock", "an imageblock; use threadgroup memory"},
    {"msci.raytracing.", "ray tracing; intersect the triangles in the kernel"},
    {"msci.mesh", "a mesh, which only drawing has"},
    {"msci.graphics.", "a function that only drawing has"},
};

Problem problem_of(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  if (!callee) return "a call through a pointer; call the function by its name";
  const auto name = callee->getName();
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return has_text(*intrinsic) ? std::nullopt : Problem("the intrinsic " + name.str());
  const bool has_text = name.starts_with("get_") ||
                        (name.starts_with("msci.math.") && find_math(name.drop_front(10))) ||
                        name.starts_with("msci.check.") || name == "msci.barrier.threadgroup" ||
                        name == "msci.fence" || name == "msci.simd.lane" ||
                        name == "msci.quad.lane" || lane_function(name);
  if (has_text) return std::nullopt;
  for (const auto& [prefix, what] : linted_only)
    if (name.starts_with(prefix)) return std::string(what);
  return fmt::format("a call of '{}', which this source declares and does not define", name.str());
}

// All functions were inlined, but for those that call themselves.
Problem problem_of_recursion(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || callee->isDeclaration()) return std::nullopt;
  // The header's class, which calls what a table holds, has a name of ours.
  const auto name = llvm::demangle(callee->getName().str());
  const bool is_table = name.find("$visible_function") != std::string::npos;
  return fmt::format("recursion: {} calls itself, directly or through others; use a loop",
                     is_table ? "a function of a table" : fmt::format("'{}'", name));
}

// Intrinsics that leave no text may have any operands.
bool leaves_no_text(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const auto pattern = call ? intrinsic_pattern(call->getIntrinsicID()) : std::nullopt;
  return pattern && pattern->empty();
}

bool makes_pair(const llvm::Value& value) {
  return llvm::isa<llvm::CallInst, llvm::AtomicCmpXchgInst>(value) && value.getType()->isStructTy();
}

Problem problem_of_operation(const llvm::Instruction& instruction) {
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return problem_of(*cast);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return problem_of(*call);
  if (llvm::isa<llvm::BinaryOperator, llvm::CmpInst>(instruction)) return std::nullopt;
  const auto& layout = instruction.getDataLayout();
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FNeg:
    case llvm::Instruction::Select:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::PHI:
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::ShuffleVector:
    case llvm::Instruction::Fence:
    case llvm::Instruction::Br:
    case llvm::Instruction::Switch:
    case llvm::Instruction::Ret:
    case llvm::Instruction::Unreachable:
      return std::nullopt;
    case llvm::Instruction::Load:
      if (auto problem =
              problem_stored(*instruction.getType(),
                             llvm::cast<llvm::LoadInst>(instruction).getPointerAddressSpace()))
        return problem;
      return problem_in_memory(*instruction.getType(), layout);
    case llvm::Instruction::Store:
      if (auto problem =
              problem_stored(*instruction.getOperand(0)->getType(),
                             llvm::cast<llvm::StoreInst>(instruction).getPointerAddressSpace()))
        return problem;
      return problem_in_memory(*instruction.getOperand(0)->getType(), layout);
    case llvm::Instruction::GetElementPtr:
      return problem_of_address(llvm::cast<llvm::GEPOperator>(instruction), layout);
    case llvm::Instruction::Alloca:
      if (const auto& alloca = llvm::cast<llvm::AllocaInst>(instruction);
          alloca.isStaticAlloca() && alloca.getAllocationSize(layout))
        return std::nullopt;
      return "a private array of unknown length; give it a constant length";
    case llvm::Instruction::ExtractValue:
      if (const auto& extract = llvm::cast<llvm::ExtractValueInst>(instruction);
          extract.getNumIndices() == 1 && makes_pair(*extract.getAggregateOperand()))
        return std::nullopt;
      break;
    case llvm::Instruction::AtomicRMW:
      if (has_text(llvm::cast<llvm::AtomicRMWInst>(instruction))) return std::nullopt;
      return "the atomic operation " + as_text(instruction);
    case llvm::Instruction::AtomicCmpXchg:
      if (is_word(*instruction.getOperand(1)->getType())) return std::nullopt;
      return "the atomic operation " + as_text(instruction);
    default:
      break;
  }
  return "the instruction " + as_text(instruction);
}

Problem problem_of(const llvm::Instruction& instruction) {
  if (leaves_no_text(instruction)) return std::nullopt;
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto& layout = instruction.getDataLayout();
  for (const auto& operand : instruction.operands()) {
    if (call && call->isCallee(&operand)) continue;
    if (const auto problem = problem_of(*operand.get(), layout)) return problem;
  }
  if (const auto problem = problem_of_operation(instruction)) return problem;
  return makes_pair(instruction) ? std::nullopt : problem_of(*instruction.getType());
}

}  // namespace

std::optional<Unsupported> first_unsupported(const llvm::Function& kernel) {
  for (const auto& instruction : llvm::instructions(kernel))
    if (auto problem = problem_of_recursion(instruction))
      return Unsupported{*std::move(problem), &instruction};
  for (const auto& instruction : llvm::instructions(kernel))
    if (auto problem = problem_of(instruction))
      return Unsupported{*std::move(problem), &instruction};
  return std::nullopt;
}

bool is_incomplete(const llvm::Function& kernel) {
  const auto leads_anywhere = [](const llvm::Use& operand) {
    return operand->getType()->isPointerTy() &&
           (problem_of(*operand->getType()) || llvm::Operator::getOpcode(llvm::getUnderlyingObject(
                                                   operand)) == llvm::Instruction::IntToPtr);
  };
  const auto has_no_value = [](const llvm::Use& operand) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get());
    return constant && problem_behind(*constant);
  };
  return llvm::any_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const auto* callee = call ? call->getCalledFunction() : nullptr;
    if ((call && (!callee || !callee->isDeclaration())) ||
        llvm::isa<llvm::IntToPtrInst>(instruction))
      return true;
    return (instruction.mayReadOrWriteMemory() &&
            llvm::any_of(instruction.operands(), leads_anywhere)) ||
           llvm::any_of(instruction.operands(), has_no_value);
  });
}

}  // namespace msci
