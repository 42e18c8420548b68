#include "lint/analysis/matchers.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <map>
#include <utility>

#include "lint/analysis/representatives.h"

namespace msci {
namespace {

using clang::ast_matchers::MatchFinder;

// Every node of the user's text, in the order of the one walk that all matchers share.
class Nodes {
 public:
  void add(clang::DynTypedNode node, bool is_instance) {
    const auto [known, is_new] = numbers_.try_emplace(node.getNodeKind(), kinds_.size());
    if (is_new) kinds_.push_back(node.getNodeKind());
    nodes_.push_back({known->second, is_instance, std::move(node)});
  }

  // Those of kinds that a matcher may match.
  std::vector<const clang::DynTypedNode*> fitting(
      const clang::ast_matchers::internal::DynTypedMatcher& matcher, bool with_instances) const {
    std::vector<bool> fits;
    for (const auto kind : kinds_) fits.push_back(matcher.canMatchNodesOfKind(kind));
    std::vector<const clang::DynTypedNode*> found;
    for (const auto& each : nodes_)
      if (fits[each.kind] && (with_instances || !each.is_instance)) found.push_back(&each.node);
    return found;
  }

 private:
  struct Node {
    std::size_t kind = 0;      // its place in kinds_
    bool is_instance = false;  // or part of one
    clang::DynTypedNode node;
  };

  std::vector<clang::ASTNodeKind> kinds_;
  std::map<clang::ASTNodeKind, std::size_t> numbers_;  // places in kinds_
  std::vector<Node> nodes_;
};

// Whether it is an instance of a template.
bool is_instance(const clang::Decl& declaration) {
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
    return function->isTemplateInstantiation();
  if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&declaration))
    return clang::isTemplateInstantiation(record->getTemplateSpecializationKind());
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
  return variable && clang::isTemplateInstantiation(variable->getTemplateSpecializationKind());
}

class NodeWalk : public clang::RecursiveASTVisitor<NodeWalk> {
  using Base = clang::RecursiveASTVisitor<NodeWalk>;

 public:
  NodeWalk(const Unit& unit, Nodes& nodes) : unit_(unit), nodes_(nodes) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl* declaration) {
    if (!declaration) return true;
    const bool outer = std::exchange(in_instance_, in_instance_ || is_instance(*declaration));
    nodes_.add(clang::DynTypedNode::create(*declaration), in_instance_);
    const bool goes_on = !is_representative(*declaration, unit_) || Base::TraverseDecl(declaration);
    in_instance_ = outer;
    return goes_on;
  }
  bool TraverseStmt(clang::Stmt* statement, DataRecursionQueue* queue = nullptr) {
    if (statement) nodes_.add(clang::DynTypedNode::create(*statement), in_instance_);
    return Base::TraverseStmt(statement, queue);
  }
  bool TraverseTypeLoc(clang::TypeLoc place, bool traverse_qualifier = true) {
    if (place) nodes_.add(clang::DynTypedNode::create(place), in_instance_);
    return Base::TraverseTypeLoc(place, traverse_qualifier);
  }

 private:
  const Unit& unit_;
  Nodes& nodes_;
  bool in_instance_ = false;
};

Nodes nodes_of(const Unit& unit) {
  Nodes nodes;
  NodeWalk(unit, nodes).TraverseAST(unit.ast());
  return nodes;
}

class MatchCollector : public MatchFinder::MatchCallback {
 public:
  void run(const MatchFinder::MatchResult& result) override { matches.push_back(result.Nodes); }
  std::vector<Match> matches;
};

template <typename Matcher>
std::vector<Match> matches_of(const Matcher& matcher, const Unit& unit,
                              bool with_instances = true) {
  const auto& nodes = unit.cache().get<Nodes>(&unit, [&] { return nodes_of(unit); });
  const auto candidates = nodes.fitting(matcher, with_instances);
  MatchCollector collector;
  MatchFinder finder;
  finder.addMatcher(matcher, &collector);
  for (const auto* node : candidates) finder.match(*node, unit.ast());
  return std::move(collector.matches);
}

}  // namespace

std::vector<Match> match(const clang::ast_matchers::DeclarationMatcher& matcher, const Unit& unit) {
  return matches_of(matcher, unit);
}
std::vector<Match> match(const clang::ast_matchers::StatementMatcher& matcher, const Unit& unit) {
  return matches_of(matcher, unit);
}
std::vector<Match> match(const clang::ast_matchers::TypeLocMatcher& matcher, const Unit& unit) {
  return matches_of(matcher, unit);
}
std::vector<Match> match_as_written(const clang::ast_matchers::StatementMatcher& matcher,
                                    const Unit& unit) {
  return matches_of(matcher, unit, false);
}

}  // namespace msci
