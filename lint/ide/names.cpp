#include "lint/ide/names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>

#include "lint/metal/included_files.h"

namespace msci {
namespace {

class Walk : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Walk(const NameVisitor& visit) : visit_(visit) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitNamedDecl(clang::NamedDecl* declaration) override {
    return take(declaration->getLocation(), declaration);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    return take(reference->getLocation(), reference->getDecl());
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    return take(member->getMemberLoc(), member->getMemberDecl());
  }
  bool VisitOverloadExpr(clang::OverloadExpr* names) override {
    if (names->getNumDecls() > 0) take(names->getNameLoc(), *names->decls_begin());
    return true;
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) override {
    return take(type.getNameLoc(), type.getDecl());
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) override {
    return take(type.getNameLoc(), type.getDecl());
  }
  bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc type) override {
    return take(type.getTemplateNameLoc(),
                type.getTypePtr()->getTemplateName().getAsTemplateDecl());
  }

 private:
  bool take(clang::SourceLocation name, const clang::NamedDecl* declaration) {
    if (declaration) visit_(name, *declaration);
    return true;
  }

  const NameVisitor& visit_;
};

}  // namespace

void for_each_name(const Unit& unit, const NameVisitor& visit) {
  Walk walk(visit);
  for (auto* declaration : unit.ast().getTranslationUnitDecl()->noload_decls())
    if (unit.is_users(declaration->getLocation())) walk.TraverseDecl(declaration);
}

const clang::NamedDecl* declaration_at(const Unit& unit, Location location) {
  const clang::NamedDecl* found = nullptr;  // what is met last lies innermost
  for_each_name(unit, [&](clang::SourceLocation name, const clang::NamedDecl& declaration) {
    const auto range = unit.locate(clang::SourceRange(name));
    if (range.begin.line != 0 && range.begin <= location && location <= range.end)
      found = &declaration;
  });
  return found;
}

std::vector<Range> occurrences_of(const Unit& unit, const clang::NamedDecl& declaration) {
  // A template and its instantiations are declared at the same place.
  const auto place_of = [](const clang::NamedDecl& each) {
    return llvm::cast<clang::NamedDecl>(each.getCanonicalDecl())->getLocation();
  };
  const auto place = place_of(declaration);
  const auto word = declaration.getNameAsString();
  std::vector<Range> ranges;
  for_each_name(unit, [&](clang::SourceLocation name, const clang::NamedDecl& each) {
    if (place_of(each) != place) return;
    const auto range = unit.locate(clang::SourceRange(name));
    // The name of an implicit object, or one that a macro makes, is not written there.
    const bool is_written = range.begin.line != 0 && unit.text(range) == word;
    if (is_written && !local_place(unit, range).file) ranges.push_back(range);
  });
  const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  std::sort(ranges.begin(), ranges.end(), before);
  const auto same = [](const Range& a, const Range& b) { return a.begin == b.begin; };
  ranges.erase(std::unique(ranges.begin(), ranges.end(), same), ranges.end());
  return ranges;
}

}  // namespace msci
