// Writes a file VERSION.ast for each MSCI_VERSION of versions.def: <metal_stdlib> as Clang's
// serialised AST.
//   msci-prebuild FOLDER
// A part of the build: the programs have these files inside (prebuilt.h).
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "compiler/frontend/compiler.h"
#include "compiler/frontend/preamble/prebuilt.h"

namespace msci {
namespace {

constexpr unsigned prebuilt_versions[] = {
#define MSCI_OLD_VERSION(number)
#define MSCI_VERSION(number) number,
#include "compiler/frontend/versions.def"
#undef MSCI_VERSION
#undef MSCI_OLD_VERSION
};

// At the end of a source, Clang checks again each function that might do what a device cannot, and
// each local type name that is unused. For those of the headers the checks find nothing, but would
// load all of them.
class EndChecksDropped : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void HandleTranslationUnit(clang::ASTContext&) override {
    sema_->DeclsToCheckForDeferredDiags.clear();
    sema_->UnusedLocalTypedefNameCandidates.clear();
  }

 private:
  clang::Sema* sema_ = nullptr;
};

class Action : public clang::GeneratePCHAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<EndChecksDropped>());
    consumers.push_back(GeneratePCHAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
};

bool prebuild(LanguageVersion version, const std::string& path) {
  auto compiler = compiler_for({.version = version, .headers = {prebuilt_header}});
  if (!compiler) return false;
  compiler->setVirtualFileSystem(metal_files());
  compiler->createDiagnostics();
  auto& frontend = compiler->getFrontendOpts();
  frontend.OutputFile = path;
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  frontend.IncludeTimestamps = false;  // the same text, the same file
  Action action;
  return compiler->ExecuteAction(action);
}

constexpr const char* usage =
    "Usage: msci-prebuild FOLDER\n"
    "Writes the precompiled Metal headers to the folder. A part of the build of msci.";

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  using msci::usage;
  const std::string_view folder = argc == 2 ? argv[1] : "";
  if (folder == "--help") {
    std::puts(usage);
    return 0;
  }
  if (!std::filesystem::is_directory(folder)) {  // Clang crashes where it cannot write
    std::fprintf(stderr, "msci-prebuild: name a folder that exists\n%s\n", usage);
    return 2;
  }
  for (const unsigned number : msci::prebuilt_versions)
    if (!msci::prebuild({number}, fmt::format("{}/{}.ast", folder, number))) return 1;
  return 0;
}
