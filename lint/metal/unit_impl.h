// What a Unit owns; seen by unit.cpp and module.cpp only.
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Frontend/CompilerInstance.h>

#include <memory>
#include <vector>

#include "lint/metal/guarded_files.h"
#include "lint/metal/preamble/precompiled_preamble.h"
#include "lint/metal/tokens/tokens.h"
#include "lint/metal/unit.h"

namespace msci {

struct Unit::Impl {
  Source source;
  Lines lines;  // of the source
  CompileOptions options;
  llvm::IntrusiveRefCntPtr<GuardedFiles> disk;
  std::unique_ptr<clang::CompilerInstance> compiler;
  std::vector<clang::DeclGroupRef> declarations;  // in the order in which Sema handed them out
  std::vector<clang::VarDecl*> static_members;    // instantiated static data members
  clang::ASTConsumer* generator = nullptr;        // is told of both, while there is one
  std::vector<Kernel> kernels;
  std::vector<Diagnostic> diagnostics;
  std::vector<IncludedFile> included;  // in which the compiler found something
  MixedChoices choices;                // known when the source was read
  MixedChoices refused_choices;        // that the compiler could not unite

  bool included_compiled() const {
    for (const auto& file : included)
      for (const auto& each : file.diagnostics)
        if (each.severity == Severity::error) return false;
    return true;
  }

  Memo memo;  // last: it may point to all of the above
};

}  // namespace msci
