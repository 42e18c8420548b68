#include "analysis/check/passes/calls.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/ir/spaces.h"

namespace msci {
namespace {

// Calls of two branches stay apart: those of a merged call would share a location that only the run
// knows.
llvm::CallInst* call(llvm::IRBuilder<>& builder, const std::string& name, llvm::Type* result,
                     llvm::ArrayRef<llvm::Value*> arguments) {
  std::vector<llvm::Type*> types;
  for (auto* argument : arguments) types.push_back(argument->getType());
  auto& ir = *builder.GetInsertBlock()->getModule();
  auto function = ir.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  auto* callee = llvm::cast<llvm::Function>(function.getCallee());
  describe_runtime_function(*callee);
  auto* made = builder.CreateCall(function, arguments);
  made->addFnAttr(llvm::Attribute::NoMerge);
  return made;
}

std::string suffix_of(const CheckedAccess& access) {
  return access.threadgroup ? ".threadgroup" : ".device";
}

// Each type needs a declaration of its own: ".<4 x float>".
std::string type_suffix(const llvm::Type& type) {
  std::string text = ".";
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

// Calls what bounds an access.
llvm::Value* bound(llvm::IRBuilder<>& builder, const std::string& name,
                   const CheckedAccess& access) {
  auto* wrapped = access.wrapped ? access.wrapped : builder.getFalse();
  return call(builder, name, builder.getInt64Ty(),
              {access.offset, builder.getInt32(access.bytes), builder.getInt32(access.align),
               access.object, builder.getInt32(access.location), wrapped,
               builder.getInt32(static_cast<unsigned>(access.kind))});
}

}  // namespace

void describe_runtime_function(llvm::Function& function) {
  function.setDoesNotThrow();
  function.setWillReturn();
  function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  function.addFnAttr(llvm::Attribute::NoMerge);
}

llvm::Value* call_read(llvm::IRBuilder<>& builder, const CheckedAccess& access) {
  return bound(builder, "msci.check.read" + suffix_of(access), access);
}

llvm::Value* call_reach(llvm::IRBuilder<>& builder, const CheckedAccess& access) {
  return bound(builder, "msci.check.reach", access);
}

void call_write(llvm::IRBuilder<>& builder, const CheckedAccess& access, llvm::Value* same,
                llvm::Value* stored) {
  auto name = "msci.check.write" + suffix_of(access);
  std::vector<llvm::Value*> arguments{access.offset,
                                      builder.getInt32(access.bytes),
                                      access.object,
                                      builder.getInt32(access.location),
                                      builder.getInt32(static_cast<unsigned>(access.kind)),
                                      same};
  if (stored) {
    name += type_suffix(*stored->getType());
    arguments.push_back(stored);
  }
  call(builder, name, builder.getVoidTy(), arguments);
}

void call_hold(llvm::IRBuilder<>& builder, llvm::Value* holds, Fault::Kind kind, unsigned location,
               AccessKind access) {
  call(builder, "msci.check.hold", builder.getVoidTy(),
       {holds, builder.getInt32(static_cast<unsigned>(kind)), builder.getInt32(location),
        builder.getInt32(static_cast<unsigned>(access))});
}

// Where buffers lie does not change while a kernel runs.
llvm::Value* call_find(llvm::IRBuilder<>& builder, llvm::Value* address) {
  auto* found = call(builder, "msci.check.find", builder.getInt32Ty(), {address});
  found->getCalledFunction()->setDoesNotAccessMemory();
  return found;
}

llvm::Value* call_base(llvm::IRBuilder<>& builder, llvm::Value* object) {
  auto* base = call(builder, "msci.check.base", builder.getPtrTy(device_space), {object});
  base->getCalledFunction()->setDoesNotAccessMemory();
  return base;
}

void call_birth(llvm::IRBuilder<>& builder, llvm::Value* is_fine, unsigned location,
                unsigned operation, unsigned read_at, unsigned object,
                llvm::ArrayRef<llvm::Value*> words) {
  std::vector<llvm::Value*> arguments{is_fine, builder.getInt32(location),
                                      builder.getInt32(operation), builder.getInt32(read_at),
                                      builder.getInt32(object)};
  arguments.insert(arguments.end(), words.begin(), words.end());
  call(builder, "msci.check.birth", builder.getVoidTy(), arguments);
}

llvm::Value* call_unwritten(llvm::IRBuilder<>& builder, llvm::Value* offset, llvm::Value* bytes,
                            llvm::Value* object, llvm::Value* location) {
  return call(builder, "msci.check.unwritten", builder.getInt32Ty(),
              {offset, bytes, object, location});
}

llvm::CallInst* call_private(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* holds,
                             unsigned location) {
  auto* made = call(builder, "msci.check.private" + type_suffix(*value->getType()),
                    value->getType(), {value, holds, builder.getInt32(location)});
  made->getCalledFunction()->setDoesNotAccessMemory();
  return made;
}

bool is_private(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("msci.check.private.");
}

void call_used(llvm::IRBuilder<>& builder, llvm::Value* origin, unsigned location) {
  call(builder, "msci.check.used", builder.getVoidTy(), {origin, builder.getInt32(location)});
}

void call_loop(llvm::IRBuilder<>& builder, SourceLocations& locations) {
  auto* made = call(builder, "msci.check.loop", builder.getVoidTy(), {builder.getInt32(0)});
  if (const auto place = locations.number(*made))
    made->setArgOperand(0, builder.getInt32(place));
  else
    made->eraseFromParent();
}

void call_log(llvm::IRBuilder<>& builder, unsigned number, unsigned place,
              llvm::ArrayRef<llvm::Value*> words) {
  std::vector<llvm::Value*> arguments{builder.getInt32(number), builder.getInt32(place)};
  arguments.insert(arguments.end(), words.begin(), words.end());
  call(builder, "msci.check.log." + std::to_string(words.size()), builder.getVoidTy(), arguments);
}

void drop_what_holds(llvm::Module& ir) {
  auto* function = ir.getFunction("msci.check.hold");
  if (!function) return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* check = llvm::cast<llvm::CallInst>(user);
    const auto* holds = llvm::dyn_cast<llvm::ConstantInt>(check->getArgOperand(0));
    if (holds && holds->isOne()) check->eraseFromParent();
  }
}

}  // namespace msci
