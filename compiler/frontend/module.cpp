#include "compiler/frontend/module.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "compiler/frontend/function_constants.h"
#include "compiler/frontend/unit/unit_impl.h"

namespace msci {

Module::Module(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> ir)
    : context_(std::move(context)), ir_(std::move(ir)) {}
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&& other) noexcept {
  ir_ = std::move(other.ir_);  // first: the old module refers to its context
  context_ = std::move(other.context_);
  return *this;
}
Module::~Module() = default;

namespace {

// Asks for the constants that decide whether parameters exist. No code may need them otherwise.
void generate_conditions(clang::CodeGenerator& generator, const Unit& unit,
                         std::span<const Kernel> kernels) {
  for (const auto& kernel : kernels)
    for (const auto* parameter : kernel.declaration->parameters())
      if (const auto* condition = condition_of(unit, *parameter))
        generator.GetAddrOfGlobal(clang::GlobalDecl(condition), /*isForDefinition=*/false);
}

// Generates the recorded declarations, and those that code generation instantiates meanwhile.
void feed(clang::CodeGenerator& generator, Unit& unit, std::span<const Kernel> kernels) {
  auto& impl = unit.impl();
  const auto members = impl.static_members;
  const auto declarations = impl.declarations;
  impl.generator = &generator;
  for (auto* member : members) generator.HandleCXXStaticMemberVarInstantiation(member);
  for (const auto& group : declarations) generator.HandleTopLevelDecl(group);
  generate_conditions(generator, unit, kernels);
  generator.HandleTranslationUnit(unit.ast());
  impl.generator = nullptr;
}

// The dialect generates functions that another translation unit may call, and what these call. The
// kernels are marked so while code is generated for them.
class MarkedExternal {
 public:
  MarkedExternal(std::span<const Kernel> kernels, clang::ASTContext& ast) {
    for (const auto& kernel : kernels) {
      auto* function = const_cast<clang::FunctionDecl*>(kernel.declaration);
      if (function->hasAttr<clang::SYCLExternalAttr>()) continue;
      function->addAttr(clang::SYCLExternalAttr::CreateImplicit(ast));
      functions_.push_back(function);
    }
  }
  MarkedExternal(const MarkedExternal&) = delete;
  MarkedExternal& operator=(const MarkedExternal&) = delete;
  ~MarkedExternal() {
    for (auto* function : functions_) function->dropAttr<clang::SYCLExternalAttr>();
  }

 private:
  std::vector<clang::FunctionDecl*> functions_;
};

void drop_debug_calls(llvm::Module& ir) {
  for (const auto* name : {"msci.assert", "msci.log"}) {
    auto* function = ir.getFunction(name);
    if (!function) continue;
    for (auto* call : llvm::make_early_inc_range(function->users()))
      llvm::cast<llvm::CallInst>(call)->eraseFromParent();
    function->eraseFromParent();
  }
}

}  // namespace

Result<Module> lower(Unit& unit, WithLocations locations) {
  return lower(unit, unit.kernels(), locations);
}

Result<Module> lower(Unit& unit, std::span<const Kernel> kernels, WithLocations locations,
                     DebugCalls debug_calls) {
  assert(unit.compiled() && "only a unit that compiled has IR");
  auto& compiler = unit.compiler();
  auto& ast = unit.ast();
  const MarkedExternal marked(kernels, ast);
  // Either way: the unit may have been lowered before.
  compiler.getCodeGenOpts().setDebugInfo(locations == WithLocations::yes
                                             ? llvm::codegenoptions::LocTrackingOnly
                                             : llvm::codegenoptions::NoDebugInfo);
  compiler.getCodeGenOpts().DebugColumnInfo = locations == WithLocations::yes;
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<clang::CodeGenerator> generator(clang::CreateLLVMCodeGen(
      compiler.getDiagnostics(), unit.source().name, compiler.getVirtualFileSystemPtr(),
      compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(),
      *context));
  generator->Initialize(ast);
  feed(*generator, unit, kernels);
  std::unique_ptr<llvm::Module> ir(generator->ReleaseModule());
  if (!ir || compiler.getDiagnostics().hasErrorOccurred())
    return Error{"the source compiles, but no code could be generated from it"};
  if (debug_calls == DebugCalls::drop) drop_debug_calls(*ir);
  return Module(std::move(context), std::move(ir));
}

}  // namespace msci
