#include "lint/matchers.h"

#include <clang/AST/ASTContext.h>

namespace msci {
namespace {

class Collector : public clang::ast_matchers::MatchFinder::MatchCallback {
 public:
  void run(const clang::ast_matchers::MatchFinder::MatchResult& result) override {
    matches.push_back(result.Nodes);
  }
  std::vector<Match> matches;
};

template <typename Matcher>
std::vector<Match> matches_of(const Matcher& matcher, const Unit& unit) {
  Collector collector;
  clang::ast_matchers::MatchFinder finder;
  finder.addMatcher(matcher, &collector);
  finder.matchAST(unit.ast());
  return std::move(collector.matches);
}

}  // namespace

Space space_of(clang::QualType type) {
  // getCanonicalType() moves an array's qualifiers to its elements, and getQualifiers() looks
  // there.
  switch (type.getCanonicalType().getQualifiers().getAddressSpace()) {
    case clang::LangAS::sycl_global:
    case clang::LangAS::opencl_global:
      return Space::device;
    case clang::LangAS::sycl_global_host:
    case clang::LangAS::opencl_global_host:
      return Space::constant;
    case clang::LangAS::sycl_local:
    case clang::LangAS::opencl_local:
      return Space::threadgroup;
    default:
      return Space::thread;
  }
}

bool is_same(const clang::Expr& a, const clang::Expr& b, const clang::ASTContext& ast) {
  llvm::FoldingSetNodeID one, other;
  a.IgnoreParenImpCasts()->Profile(one, ast, /*Canonical=*/true);
  b.IgnoreParenImpCasts()->Profile(other, ast, true);
  return one == other;
}

std::optional<std::int64_t> constant_of(const clang::Expr* value, const clang::ASTContext& ast) {
  clang::Expr::EvalResult result;
  if (!value || value->isValueDependent() || !value->getType()->isIntegralOrEnumerationType() ||
      !value->EvaluateAsInt(result, ast))
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

std::vector<Match> match(const clang::ast_matchers::DeclarationMatcher& matcher, const Unit& unit) {
  return matches_of(matcher, unit);
}
std::vector<Match> match(const clang::ast_matchers::StatementMatcher& matcher, const Unit& unit) {
  return matches_of(matcher, unit);
}
std::vector<Match> match(const clang::ast_matchers::TypeLocMatcher& matcher, const Unit& unit) {
  return matches_of(matcher, unit);
}

}  // namespace msci
