// What a Unit owns; seen by the front end only.
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceLocation.h>
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

// Clang's diagnostics as those of a unit: Metal's words, the user's places, notes below what they
// explain.

// Adds what Clang says to the unit, which must outlive it.
std::unique_ptr<clang::DiagnosticConsumer> collect_diagnostics(Unit::Impl& unit);

// The kernels of a unit, and the Metal attributes of its declarations. Seen by the front end only.
std::vector<Attribute> attributes_of(Unit::Impl& unit, const clang::Decl& declaration);

// Sets the unit's kernels, instantiated ones too.
void find_kernels(Unit::Impl& unit);

// Where Clang's locations lie in the user's files. Seen by the front end only; everybody else asks
// a Unit.

// The place of a range in the file of its beginning; unknown outside the user's text. A file that
// is located in for the first time joins the unit's included files.
Place locate(Unit::Impl& unit, clang::SourceRange range);

// The source of a place.
const Source& source_of(const Unit::Impl& unit, const Place& place);

}  // namespace msci
