#include "compiler/lower/parameters.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <array>
#include <bit>

#include "base/metal_limits.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

using llvm::Value;

// The last ones of a kernel: the threads of the grid and of a threadgroup, by dimension.
constexpr unsigned launch_parameters = 6;

// The positions of one kernel, built where asked for.
class Positions {
 public:
  Positions(llvm::Module& ir, llvm::IRBuilder<>& builder, llvm::Function& kernel)
      : ir_(ir), builder_(builder) {
    const auto first = kernel.arg_size() - launch_parameters;
    for (unsigned d = 0; d < 3; ++d) {
      grid_[d] = kernel.getArg(first + d);
      threadgroup_[d] = kernel.getArg(first + 3 + d);
    }
  }

  // The value of a parameter with that attribute: an unsigned integer, or a vector of two or three.
  Value* value(PositionAttribute attribute, llvm::Type* type) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (!vector) return builder_.CreateIntCast(component(attribute, 0), type, false);
    Value* all = llvm::PoisonValue::get(type);
    for (unsigned d = 0; d < vector->getNumElements(); ++d)
      all = builder_.CreateInsertElement(
          all, builder_.CreateIntCast(component(attribute, d), vector->getElementType(), false), d);
    return all;
  }

 private:
  Value* component(PositionAttribute attribute, unsigned d) {
    switch (attribute) {
      using enum PositionAttribute;
      case thread_position_in_grid:
        return work_item("get_global_id", d);
      case thread_position_in_threadgroup:
        return work_item("get_local_id", d);
      case threads_per_threadgroup:
        return work_item("get_local_size", d);
      case threadgroup_position_in_grid: {
        auto* first = builder_.CreateUDiv(work_item("get_global_offset", d), threadgroup_[d]);
        return builder_.CreateAdd(first, work_item("get_group_id", d));
      }
      case threads_per_grid:
      case grid_size:
        return grid_[d];
      case threadgroups_per_grid:
        return divide_up(grid_[d], threadgroup_[d]);
      case dispatch_threads_per_threadgroup:
        return threadgroup_[d];
      case thread_index_in_threadgroup:
        return thread_index();
      case thread_index_in_simdgroup:
        return builder_.CreateAnd(thread_index(), simdgroup_lanes - 1);
      case simdgroup_index_in_threadgroup:
        return builder_.CreateLShr(thread_index(), std::countr_zero(simdgroup_lanes));
      case simdgroups_per_threadgroup:
        return divide_up(threads(), number(simdgroup_lanes));
      case dispatch_simdgroups_per_threadgroup:
        return divide_up(dispatch_threads(), number(simdgroup_lanes));
      case threads_per_simdgroup:
      case thread_execution_width:
        return number(simdgroup_lanes);
      case thread_index_in_quadgroup:
        return builder_.CreateAnd(thread_index(), 3);
      case quadgroup_index_in_threadgroup:
        return builder_.CreateLShr(thread_index(), 2);
      case quadgroups_per_threadgroup:
        return divide_up(threads(), number(4));
      case dispatch_quadgroups_per_threadgroup:
        return divide_up(dispatch_threads(), number(4));
      case grid_origin:
        return number(0);
    }
    llvm_unreachable("every position attribute has its value here");
  }

  Value* number(unsigned value) { return builder_.getInt32(value); }

  Value* divide_up(Value* count, Value* by) {
    return builder_.CreateUDiv(builder_.CreateAdd(count, builder_.CreateSub(by, number(1))), by);
  }

  Value* threads() {
    auto* width = work_item("get_local_size", 0);
    auto* height = work_item("get_local_size", 1);
    auto* depth = work_item("get_local_size", 2);
    return builder_.CreateMul(builder_.CreateMul(width, height), depth);
  }

  Value* dispatch_threads() {
    return builder_.CreateMul(builder_.CreateMul(threadgroup_[0], threadgroup_[1]),
                              threadgroup_[2]);
  }

  // x fastest, then y, then z.
  Value* thread_index() {
    auto* z = work_item("get_local_id", 2);
    auto* planes = builder_.CreateMul(z, work_item("get_local_size", 1));
    auto* rows = builder_.CreateAdd(planes, work_item("get_local_id", 1));
    auto* cells = builder_.CreateMul(rows, work_item("get_local_size", 0));
    return builder_.CreateAdd(cells, work_item("get_local_id", 0));
  }

  // OpenCL's own functions: the same value wherever they are called.
  Value* work_item(const char* name, unsigned dimension) {
    auto function = ir_.getOrInsertFunction(name, builder_.getInt64Ty(), builder_.getInt32Ty());
    auto* callee = llvm::cast<llvm::Function>(function.getCallee());
    callee->setDoesNotAccessMemory();
    callee->setDoesNotThrow();
    callee->setWillReturn();
    callee->addFnAttr(llvm::Attribute::Speculatable);
    return builder_.CreateTrunc(builder_.CreateCall(function, number(dimension)),
                                builder_.getInt32Ty());
  }

  llvm::Module& ir_;
  llvm::IRBuilder<>& builder_;
  std::array<Value*, 3> grid_{};
  std::array<Value*, 3> threadgroup_{};
};

// Textures and samplers are passed by value. In private memory each has eight bytes: a texture is
// the pointer to its memory, a sampler the word there.
Value* pass_by_value(llvm::IRBuilder<>& builder, ArgumentKind kind, llvm::ArrayRef<Value*> bound,
                     const llvm::Argument& taken) {
  constexpr unsigned bytes = 8;
  auto* word = builder.getInt64Ty();
  auto* memory = builder.CreateAlloca(llvm::ArrayType::get(word, bound.size()));
  for (unsigned i = 0; i < bound.size(); ++i) {
    auto* value = kind == ArgumentKind::sampler ? builder.CreateLoad(word, bound[i]) : bound[i];
    builder.CreateAlignedStore(value,
                               builder.CreateConstGEP1_32(builder.getInt8Ty(), memory, i * bytes),
                               llvm::Align(bytes));
  }
  if (!taken.hasByValAttr()) return builder.CreateLoad(taken.getType(), memory);
  return builder.CreateAddrSpaceCast(memory, taken.getType());
}

// An object with a pointer as its only member, which the kernel's body takes by its address.
Value* in_object(llvm::IRBuilder<>& builder, Value* pointer, llvm::Type* type) {
  auto* member = type;
  while (auto* whole = llvm::dyn_cast<llvm::StructType>(member)) member = whole->getElementType(0);
  auto* object = builder.CreateAlloca(type, thread_space);
  builder.CreateStore(builder.CreateAddrSpaceCast(pointer, member), object);
  return object;
}

// What the kernel's function takes for a parameter.
Value* pass(llvm::IRBuilder<>& builder, ArgumentKind kind, const BoundParameter& parameter,
            llvm::ArrayRef<Value*> bound, const llvm::Argument& taken) {
  const auto own = bound.slice(parameter.argument, parameter.count);
  if (kind == ArgumentKind::texture || kind == ArgumentKind::sampler)
    return pass_by_value(builder, kind, own, taken);
  if (auto* object = taken.getParamByValType()) return in_object(builder, own.front(), object);
  return builder.CreateAddrSpaceCast(own.front(), taken.getType());
}

// Buffers in `constant` space do not change while a kernel runs, so nothing that it writes is
// theirs; of others only a source that says __restrict promises that.
bool is_alone(const llvm::Argument& bound) {
  return bound.getType()->getPointerAddressSpace() == constant_space || bound.hasNoAliasAttr();
}

// What the optimiser and print() are to know of a kernel's parameter from the one it is handed to.
void describe_parameter(llvm::Function& kernel, unsigned parameter, const llvm::Argument& bound) {
  if (is_alone(bound)) kernel.addParamAttr(parameter, llvm::Attribute::NoAlias);
  if (bound.getType()->getPointerAddressSpace() != constant_space) return;
  if (const auto bytes = bound.getDereferenceableBytes())
    kernel.addParamAttr(parameter, llvm::Attribute::get(kernel.getContext(), reference_bytes,
                                                        std::to_string(bytes)));
}

llvm::Function* wrap(llvm::Module& ir, llvm::Function& body, const KernelInterface& interface) {
  auto& context = ir.getContext();
  std::vector<llvm::Type*> types;
  for (const auto& argument : interface.signature.arguments) {
    const bool buffer = is_device_memory(argument.kind);
    types.push_back(llvm::PointerType::get(context, buffer ? device_space : threadgroup_space));
    if (buffer) types.push_back(llvm::Type::getInt64Ty(context));
  }
  types.insert(types.end(), launch_parameters, llvm::Type::getInt32Ty(context));
  auto* kernel =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                             llvm::GlobalValue::ExternalLinkage, interface.signature.symbol, ir);
  kernel->addFnAttr(llvm::Attribute::Convergent);
  kernel->addFnAttr(llvm::Attribute::NoUnwind);
  kernel->addFnAttr("no-jump-tables",
                    "true");  // switches stay switches: a table would need a space
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", kernel));
  Positions positions(ir, builder, *kernel);

  std::vector<Value*> bound;  // where each argument's memory begins, in the kernel's spaces
  std::vector<unsigned> first_parameters;  // of the kernel, by argument
  unsigned next = 0;
  for (const auto& argument : interface.signature.arguments) {
    auto* pointer = kernel->getArg(next++);
    auto* offset = is_device_memory(argument.kind) ? kernel->getArg(next++) : nullptr;
    bound.push_back(offset ? builder.CreateGEP(builder.getInt8Ty(), pointer, offset) : pointer);
    first_parameters.push_back(pointer->getArgNo());
  }
  std::vector<Value*> arguments;
  for (std::size_t i = 0; i < interface.parameters.size(); ++i) {
    const auto& parameter = interface.parameters[i];
    const auto& taken = *body.getArg(i);
    if (const auto* position = std::get_if<PositionParameter>(&parameter))
      arguments.push_back(positions.value(position->attribute, taken.getType()));
    else if (const auto* present = std::get_if<BoundParameter>(&parameter)) {
      const auto kind = interface.signature.arguments[present->argument].kind;
      if (kind == ArgumentKind::buffer)
        describe_parameter(*kernel, first_parameters[present->argument], taken);
      arguments.push_back(pass(builder, kind, *present, bound, taken));
    } else
      arguments.push_back(llvm::Constant::getNullValue(taken.getType()));
  }
  auto* call = builder.CreateCall(&body, arguments);
  call->setCallingConv(body.getCallingConv());
  for (unsigned i = 0; i < body.arg_size(); ++i)
    if (auto* object = body.getArg(i)->getParamByValType())
      call->addParamAttr(i, llvm::Attribute::getWithByValType(context, object));
  builder.CreateRetVoid();
  return kernel;
}

// Annotations have been read from the AST; left here they would pin parameters to memory, and hide
// where pointers to members lead.
void drop_annotations(llvm::Module& ir) {
  for (auto& function : llvm::make_early_inc_range(ir)) {
    const bool is_of_member = function.getIntrinsicID() == llvm::Intrinsic::ptr_annotation;
    if (function.getIntrinsicID() != llvm::Intrinsic::var_annotation && !is_of_member) continue;
    for (auto* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      if (is_of_member) call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
  }
  if (auto* annotations = ir.getGlobalVariable("llvm.global.annotations"))
    annotations->eraseFromParent();
  for (const char* list : {"llvm.compiler.used", "llvm.used"})
    if (auto* used = ir.getGlobalVariable(list)) used->eraseFromParent();
}

}  // namespace

void give_opencl_parameters(llvm::Module& ir, const std::vector<KernelInterface>& interfaces) {
  drop_annotations(ir);
  for (auto& function : ir)
    if (!function.isDeclaration()) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
  for (const auto& interface : interfaces) {
    auto* body = ir.getFunction(interface.function);
    assert(body && !body->isDeclaration() && "code was generated for every kernel");
    wrap(ir, *body, interface);
  }
}

}  // namespace msci
