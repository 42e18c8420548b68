#include "lint/analysis/flow/barriers_in.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <set>

#include "lint/analysis/flow/thread_flow.h"

namespace msci {
namespace {

// Finds a place to wait in a function, or in one that it calls.
class BarrierFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  BarrierFinder(Among among, const Unit& unit) : among_(among), unit_(unit) {}
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto name = metal_function(*call, unit_);
    if (name == "threadgroup_barrier" ||
        (among_ == Among::threadgroup_or_simdgroup && name.starts_with("simdgroup_")))
      found = true;
    const auto* callee = call->getDirectCallee();
    if (callee && callee->hasBody() && unit_.is_users(callee->getLocation()) &&
        seen_.insert(callee->getCanonicalDecl()).second)
      TraverseStmt(callee->getBody());
    return !found;
  }
  bool found = false;

 private:
  Among among_;
  const Unit& unit_;
  std::set<const clang::FunctionDecl*> seen_;
};

}  // namespace

bool has_barrier(const clang::FunctionDecl& function, Among among, const Unit& unit) {
  BarrierFinder finder(among, unit);
  finder.TraverseStmt(function.getBody());
  return finder.found;
}

}  // namespace msci
