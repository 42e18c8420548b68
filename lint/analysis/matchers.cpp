#include "lint/analysis/matchers.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <map>
#include <utility>

#include "lint/analysis/typical.h"

namespace msci {
namespace {

using clang::ast_matchers::MatchFinder;

// Every node of the user's text, in the order of the one walk that all matchers share.
class Nodes {
 public:
  void add(clang::DynTypedNode node) {
    const auto [known, is_new] = numbers_.try_emplace(node.getNodeKind(), kinds_.size());
    if (is_new) kinds_.push_back(node.getNodeKind());
    nodes_.push_back({known->second, std::move(node)});
  }

  // Those of kinds that a matcher may match.
  std::vector<const clang::DynTypedNode*> fitting(
      const clang::ast_matchers::internal::DynTypedMatcher& matcher) const {
    std::vector<bool> fits;
    for (const auto kind : kinds_) fits.push_back(matcher.canMatchNodesOfKind(kind));
    std::vector<const clang::DynTypedNode*> found;
    for (const auto& [kind, node] : nodes_)
      if (fits[kind]) found.push_back(&node);
    return found;
  }

 private:
  std::vector<clang::ASTNodeKind> kinds_;
  std::map<clang::ASTNodeKind, std::size_t> numbers_;               // places in kinds_
  std::vector<std::pair<std::size_t, clang::DynTypedNode>> nodes_;  // with the number of its kind
};

class Walk : public clang::RecursiveASTVisitor<Walk> {
  using Base = clang::RecursiveASTVisitor<Walk>;

 public:
  Walk(const Unit& unit, Nodes& nodes) : unit_(unit), nodes_(nodes) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl* declaration) {
    if (!declaration) return true;
    nodes_.add(clang::DynTypedNode::create(*declaration));
    return !is_typical(*declaration, unit_) || Base::TraverseDecl(declaration);
  }
  bool TraverseStmt(clang::Stmt* statement, DataRecursionQueue* queue = nullptr) {
    if (statement) nodes_.add(clang::DynTypedNode::create(*statement));
    return Base::TraverseStmt(statement, queue);
  }
  bool TraverseTypeLoc(clang::TypeLoc place, bool traverse_qualifier = true) {
    if (place) nodes_.add(clang::DynTypedNode::create(place));
    return Base::TraverseTypeLoc(place, traverse_qualifier);
  }

 private:
  const Unit& unit_;
  Nodes& nodes_;
};

Nodes nodes_of(const Unit& unit) {
  Nodes nodes;
  Walk(unit, nodes).TraverseAST(unit.ast());
  return nodes;
}

class Collector : public MatchFinder::MatchCallback {
 public:
  void run(const MatchFinder::MatchResult& result) override { matches.push_back(result.Nodes); }
  std::vector<Match> matches;
};

template <typename Matcher>
std::vector<Match> matches_of(const Matcher& matcher, const Unit& unit) {
  const auto& nodes = unit.memo().get<Nodes>(&unit, [&] { return nodes_of(unit); });
  const auto candidates = nodes.fitting(matcher);
  Collector collector;
  MatchFinder finder;
  finder.addMatcher(matcher, &collector);
  for (const auto* node : candidates) finder.match(*node, unit.ast());
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
