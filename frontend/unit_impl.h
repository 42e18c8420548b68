// What a Unit owns; seen by unit.cpp and module.cpp only.
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/DenseMap.h>

#include <deque>
#include <memory>
#include <vector>

#include "frontend/guarded_files.h"
#include "frontend/included_files.h"
#include "frontend/preamble/precompiled_preamble.h"
#include "frontend/tokens/tokens.h"
#include "frontend/unit.h"

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
  std::deque<IncludedFile> included;  // that places were located in
  llvm::DenseMap<clang::FileID, IncludedFile*> included_by_id;
  const IncludedFile* focus = nullptr;
  MixedChoices choices;          // known when the source was read
  MixedChoices refused_choices;  // that the compiler could not unite

  // Of a place of the unit; null for the source.
  const IncludedFile* file_at(unsigned line) const {
    for (const auto& file : included)
      if (!focus && file.first_line <= line && line <= file.last_line()) return &file;
    return nullptr;
  }

  bool included_compiled() const {
    for (const auto& file : included)
      for (const auto& each : file.diagnostics)
        if (each.severity == Severity::error) return false;
    return true;
  }

  Memo memo;  // last: it may point to all of the above
};

}  // namespace msci
