#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <optional>

#include "lint/ide/features.h"

namespace msci {
namespace {

std::optional<SymbolKind> symbol_kind(const clang::NamedDecl& declaration) {
  if (llvm::isa<clang::CXXMethodDecl>(declaration)) return SymbolKind::method;
  if (llvm::isa<clang::FunctionDecl>(declaration)) return SymbolKind::function;
  if (llvm::isa<clang::EnumDecl>(declaration)) return SymbolKind::enumeration;
  if (llvm::isa<clang::EnumConstantDecl>(declaration)) return SymbolKind::enumerator;
  if (llvm::isa<clang::RecordDecl>(declaration)) return SymbolKind::structure;
  if (llvm::isa<clang::FieldDecl>(declaration)) return SymbolKind::field;
  if (llvm::isa<clang::NamespaceDecl>(declaration)) return SymbolKind::name_space;
  if (llvm::isa<clang::TypedefNameDecl>(declaration)) return SymbolKind::type;
  if (llvm::isa<clang::VarDecl>(declaration)) return SymbolKind::constant;  // Metal's are constant
  return std::nullopt;
}

class Outline {
 public:
  Outline(const Unit& unit, const std::string& file) : unit_(unit), file_(file) {}

  std::vector<Symbol> of(const clang::DeclContext& context) const {
    std::vector<Symbol> symbols;
    for (const auto* each : context.noload_decls()) {
      const auto* declaration = llvm::dyn_cast<clang::NamedDecl>(each);
      if (!declaration || declaration->isImplicit()) continue;
      if (auto symbol = symbol_of(*declaration)) symbols.push_back(*std::move(symbol));
    }
    return symbols;
  }

 private:
  std::optional<Symbol> symbol_of(const clang::NamedDecl& outer) const {
    const auto* templated = llvm::dyn_cast<clang::TemplateDecl>(&outer);
    const auto* declaration = templated ? templated->getTemplatedDecl() : &outer;
    if (!declaration || !unit_.is_users(declaration->getLocation())) return std::nullopt;
    const auto kind = symbol_kind(*declaration);
    const auto name = unit_.locate(declaration->getLocation());
    if (!kind || !name.is_known() || name.file != file_) return std::nullopt;
    Symbol symbol{.name = declaration->getNameAsString(), .kind = *kind, .name_range = name.range};
    if (symbol.name.empty() || unit_.text(name) != symbol.name) return std::nullopt;
    symbol.range = name.range;
    if (const auto whole = unit_.locate(outer.getSourceRange());
        whole.is_known() && whole.file == file_)
      symbol.range = {std::min(whole.range.begin, name.range.begin),
                      std::max(whole.range.end, name.range.end)};
    if (is_kernel(*declaration)) symbol.detail = "kernel";
    const auto* context = llvm::dyn_cast<clang::DeclContext>(declaration);
    if (context && !llvm::isa<clang::FunctionDecl>(declaration)) symbol.members = of(*context);
    return symbol;
  }

  bool is_kernel(const clang::NamedDecl& declaration) const {
    const auto& kernels = unit_.kernels();
    return std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& kernel) {
      return kernel.declaration->getLocation() == declaration.getLocation();
    });
  }

  const Unit& unit_;
  const std::string& file_;
};

}  // namespace

std::vector<Symbol> symbols_of(const Unit& unit, const std::string& file) {
  return Outline(unit, file).of(*unit.ast().getTranslationUnitDecl());
}

}  // namespace msci
