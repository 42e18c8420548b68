#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <utility>

#include "compiler/ir/source_locations.h"

namespace msci {
namespace {

class NarrowCasts : public clang::RecursiveASTVisitor<NarrowCasts> {
 public:
  explicit NarrowCasts(const Unit& unit) : unit_(unit) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr* cast) {
    const auto type = cast->getType().getNonReferenceType();
    if (type.isNull() || type->isDependentType()) return true;
    if (!type->isIntegerType() && !type->isFloatingType()) return true;
    if (unit_.ast().getTypeSize(type) > 16) return true;
    const auto place = unit_.locate(cast->getSourceRange());
    if (!place.is_known() || !place.file.empty()) return true;
    for (auto line = place.range.begin.line; line <= place.range.end.line; ++line)
      lines_.insert(line);
    return true;
  }

  std::set<unsigned> take_lines() { return std::move(lines_); }

 private:
  const Unit& unit_;
  std::set<unsigned> lines_;
};

}  // namespace

std::set<unsigned> lines_of_narrow_casts(const Unit& unit) {
  NarrowCasts casts(unit);
  for (auto* each : unit.ast().getTranslationUnitDecl()->noload_decls())
    if (unit.is_users(each->getLocation())) casts.TraverseDecl(each);
  return casts.take_lines();
}

}  // namespace msci
