#include "lint/metal/module.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "lint/metal/unit_impl.h"

namespace msci {

Module::Module(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> ir)
    : context_(std::move(context)), ir_(std::move(ir)) {}
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;
Module::~Module() = default;

namespace {

// Hands on what is recorded, and then what turns up meanwhile.
void feed(clang::CodeGenerator& generator, Unit& unit) {
  auto& impl = unit.impl();
  const auto members = impl.static_members;
  const auto declarations = impl.declarations;
  impl.generator = &generator;
  for (auto* member : members) generator.HandleCXXStaticMemberVarInstantiation(member);
  for (const auto& group : declarations) generator.HandleTopLevelDecl(group);
  generator.HandleTranslationUnit(unit.ast());
  impl.generator = nullptr;
}

}  // namespace

Result<Module> lower(Unit& unit, WithPlaces places) {
  assert(unit.compiled() && "only what compiled has IR");
  auto& compiler = unit.compiler();
  auto& ast = unit.ast();
  for (const auto& kernel : unit.kernels()) {
    auto* function = const_cast<clang::FunctionDecl*>(kernel.declaration);
    // The dialect emits what another translation unit may call, and what that calls.
    if (!function->hasAttr<clang::SYCLExternalAttr>())
      function->addAttr(clang::SYCLExternalAttr::CreateImplicit(ast));
  }
  if (places == WithPlaces::yes) {
    compiler.getCodeGenOpts().setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
    compiler.getCodeGenOpts().DebugColumnInfo = 1;
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<clang::CodeGenerator> generator(clang::CreateLLVMCodeGen(
      compiler.getDiagnostics(), unit.source().name, compiler.getVirtualFileSystemPtr(),
      compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(),
      *context));
  generator->Initialize(ast);
  feed(*generator, unit);
  std::unique_ptr<llvm::Module> ir(generator->ReleaseModule());
  if (!ir || compiler.getDiagnostics().hasErrorOccurred())
    return Error{"the source compiles, but no code could be generated from it"};
  return Module(std::move(context), std::move(ir));
}

}  // namespace msci
