// What a Unit owns; seen by the front end only.
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/DenseMap.h>

#include <deque>
#include <memory>
#include <vector>

#include "compiler/frontend/guarded_files.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "compiler/frontend/tokens/tokens.h"
#include "compiler/frontend/unit.h"

namespace msci {

// A file that a source includes.
struct IncludedFile {
  Source source;  // its name is the file of its places
  Lines lines = Lines(source.text);
};

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
  MixedChoices choices;          // known when the source was read
  MixedChoices refused_choices;  // that the compiler could not unite

  AnalysisCache cache;  // last: it may point to all of the above
};

}  // namespace msci
