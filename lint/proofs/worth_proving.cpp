#include "lint/proofs/worth_proving.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/representatives.h"

namespace msci {
namespace {

// Whether an index may be the same for several threads: it is a constant, or loses something.
class MayMerge : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    has_name = has_name || !llvm::isa<clang::EnumConstantDecl>(name->getDecl());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    using enum clang::BinaryOperatorKind;
    const auto kind = operation->getOpcode();
    loses = loses || kind == BO_Div || kind == BO_Rem || kind == BO_And || kind == BO_Shr;
    return true;
  }
  bool has_name = false;
  bool loses = false;
};

bool may_merge(const clang::Expr& index) {
  MayMerge visitor;
  visitor.TraverseStmt(const_cast<clang::Expr*>(&index));
  return !visitor.has_name || visitor.loses;
}

bool is_writable_buffer(const clang::ValueDecl& declaration) {
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&declaration);
  if (!parameter) return false;
  const auto type = parameter->getType();
  if (!type->isPointerType() && !type->isReferenceType()) return false;
  const auto element = type->getPointeeType();
  return space_of(element) == Space::device && !element.isConstQualified();
}

// The indices at which a kernel accesses the buffers that it may write.
class BufferAccesses {
 public:
  void note(const clang::ArraySubscriptExpr& access) {
    const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(access.getBase()->IgnoreParenImpCasts());
    if (!base || !is_writable_buffer(*base->getDecl())) return;
    subscripted_.insert(base);
    indices_[base->getDecl()].push_back(access.getIdx());
  }
  void note(const clang::DeclRefExpr& name) {
    if (is_writable_buffer(*name.getDecl())) names_.push_back(&name);
  }

  bool may_meet(const clang::ASTContext& ast) const {
    for (const auto* name : names_)
      if (!subscripted_.contains(name)) return true;
    for (const auto& [buffer, all] : indices_) {
      if (may_merge(*all.front())) return true;
      for (const auto* index : all)
        if (!is_same(*index, *all.front(), ast)) return true;
    }
    return false;
  }

 private:
  std::vector<const clang::DeclRefExpr*> names_;
  std::set<const clang::DeclRefExpr*> subscripted_;
  std::map<const clang::ValueDecl*, std::vector<const clang::Expr*>> indices_;
};

// The lengths of a kernel's private arrays, and the numbers that it limits data to. A limit just
// behind the end of an array lets data leave it. So may the counters of loops with constant ends.
class LimitsOfData {
 public:
  explicit LimitsOfData(const Unit& unit) : unit_(unit) {}

  void note(const clang::VarDecl& variable) {
    if (space_of(variable.getType()) == Space::thread) note_arrays(variable.getType(), 0);
  }
  void note(const clang::CallExpr& call) {
    const auto name = metal_function(call, unit_);
    if ((name == "min" && call.getNumArgs() == 2) || (name == "clamp" && call.getNumArgs() == 3))
      note_limit(constant_of(call.getArg(call.getNumArgs() - 1), unit_.ast()));
  }
  void note(const clang::BinaryOperator& operation) {
    const auto opcode = operation.getOpcode();
    if (opcode != clang::BO_Rem && opcode != clang::BO_And) return;
    const auto constant = constant_of(operation.getRHS(), unit_.ast());
    if (constant) note_limit(opcode == clang::BO_Rem ? *constant - 1 : *constant);
  }

  void note(const clang::ForStmt& loop) {
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
    if (!test || (test->getOpcode() != clang::BO_LT && test->getOpcode() != clang::BO_NE)) return;
    const auto* counter = root_variable(test->getLHS());
    const auto end = constant_of(test->getRHS(), unit_.ast());
    if (!counter || !end) return;
    ends_[counter] = std::max(ends_[counter], *end);
    // `k += 32, ++i`: the loop says nothing about i.
    const auto* steps = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInc());
    if (!steps || steps->getOpcode() != clang::BO_Comma) return;
    for (const auto* step : {steps->getLHS(), steps->getRHS()})
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(step->IgnoreParens()))
        if (const auto* beside = root_variable(unary->getSubExpr()); beside && beside != counter)
          beside_.insert(beside);
  }
  void note(const clang::ArraySubscriptExpr& access) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(access.getBase()->IgnoreParenImpCasts());
    const auto* array = name ? unit_.ast().getAsConstantArrayType(name->getType()) : nullptr;
    if (!array || space_of(name->getType()) != Space::thread ||
        constant_of(access.getIdx(), unit_.ast()))
      return;
    indices_.push_back({access.getIdx(), static_cast<std::int64_t>(array->getZExtSize())});
  }

  bool may_leave() const {
    if (std::ranges::any_of(indices_, [&](const auto& each) { return may_be_outside(each); }))
      return true;
    return std::any_of(lengths_.begin(), lengths_.end(), [&](std::int64_t length) {
      const auto limit = limits_.lower_bound(length);
      return limit != limits_.end() && *limit < 2 * length;
    });
  }

 private:
  void note_arrays(clang::QualType type, unsigned depth) {
    constexpr unsigned deepest = 4;
    const auto& ast = unit_.ast();
    while (const auto* array = ast.getAsConstantArrayType(type)) {
      lengths_.insert(static_cast<std::int64_t>(array->getZExtSize()));
      type = array->getElementType();
    }
    const auto* record = type->getAsRecordDecl();
    if (!record || depth == deepest) return;
    for (const auto* field : record->fields()) note_arrays(field->getType(), depth + 1);
  }
  // The largest value of an index that is made of constants and counters; nothing for others.
  std::optional<std::int64_t> largest(const clang::Expr& index) const {
    const auto* e = index.IgnoreParenImpCasts();
    if (const auto known = constant_of(e, unit_.ast())) return known;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* counter = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      const auto end = counter ? ends_.find(counter) : ends_.end();
      return end != ends_.end() ? std::optional(end->second - 1) : std::nullopt;
    }
    const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!operation) return std::nullopt;
    const auto right = largest(*operation->getRHS());
    const auto opcode = operation->getOpcode();
    if (right && opcode == clang::BO_Rem) return *right - 1;
    if (right && opcode == clang::BO_And) return right;
    const auto left = largest(*operation->getLHS());
    if (!left || !right || *left < 0 || *right < 0) return std::nullopt;
    if (opcode == clang::BO_Div && *right > 0) return *left / *right;
    if (opcode == clang::BO_Add) return *left + *right;
    if (opcode == clang::BO_Mul) return *left * *right;
    return std::nullopt;
  }
  // An index into an array of that length. What a host or data limit is left out: a proof cannot
  // tell.
  bool may_be_outside(const std::pair<const clang::Expr*, std::int64_t>& index) const {
    const auto most = largest(*index.first);
    const auto* variable = root_variable(index.first);
    return (most && *most >= index.second) || (variable && beside_.contains(variable));
  }
  void note_limit(std::optional<std::int64_t> limit) {
    if (limit && *limit > 1) limits_.insert(*limit);
  }

  const Unit& unit_;
  std::set<std::int64_t> lengths_, limits_;
  std::map<const clang::VarDecl*, std::int64_t> ends_;  // of loops, by their counters
  std::set<const clang::VarDecl*> beside_;              // counters beside those that loops test
  std::vector<std::pair<const clang::Expr*, std::int64_t>> indices_;
};

// The constants that an index multiplies with, and the constant ends of loops. A loop that runs
// further than a row, `x[8 * t + k]` with `k < 9`, reaches the next one.
class RowsOfLoops {
 public:
  explicit RowsOfLoops(const clang::ASTContext& ast) : ast_(ast) {}

  void note(const clang::ForStmt& loop) {
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
    if (!test || !test->isRelationalOp()) return;
    const auto end = constant_of(test->getRHS(), ast_);
    if (end) longest_ = std::max(longest_, *end + (test->getOpcode() == clang::BO_LE));
  }
  void note(const clang::ArraySubscriptExpr& access) {
    const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(access.getBase()->IgnoreParenImpCasts());
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(access.getIdx()->IgnoreParenImpCasts());
    if (!base || !is_writable_buffer(*base->getDecl()) || !sum || sum->getOpcode() != clang::BO_Add)
      return;
    for (const auto* part : {sum->getLHS(), sum->getRHS()}) {
      const auto* product = llvm::dyn_cast<clang::BinaryOperator>(part->IgnoreParenImpCasts());
      if (!product || product->getOpcode() != clang::BO_Mul) continue;
      for (const auto* factor : {product->getLHS(), product->getRHS()})
        if (const auto constant = constant_of(factor, ast_); constant && *constant > 1)
          shortest_ = std::min(shortest_, *constant);
    }
  }

  bool may_overlap() const { return longest_ > shortest_; }

 private:
  const clang::ASTContext& ast_;
  std::int64_t longest_ = 0, shortest_ = std::numeric_limits<std::int64_t>::max();
};

// How many statements a function has with those that it calls, which become part of it.
class BodySize : public clang::DynamicRecursiveASTVisitor {
 public:
  static constexpr unsigned most = 2500;

  explicit BodySize(unsigned depth = 0) : depth_(depth) {}
  bool VisitStmt(clang::Stmt*) override { return ++count < most; }
  bool VisitCallExpr(clang::CallExpr* call) override {
    constexpr unsigned deepest = 8;
    const auto* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = nullptr;
    if (!callee || depth_ == deepest || !callee->hasBody(definition)) return true;
    BodySize inner(depth_ + 1);
    inner.TraverseStmt(definition->getBody());
    count += inner.count;
    return count < most;
  }

  unsigned count = 0;

 private:
  unsigned depth_ = 0;
};

// What the body of a kernel says, in one walk. It ends where the kernel is too large to be proved.
class Body : public BodySize {
 public:
  explicit Body(const Unit& unit) : limits(unit), rows(unit.ast()) {}

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    accesses.note(*access);
    rows.note(*access);
    limits.note(*access);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    accesses.note(*name);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    limits.note(*variable);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    limits.note(*call);
    return BodySize::VisitCallExpr(call);
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    limits.note(*operation);
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    rows.note(*loop);
    limits.note(*loop);
    return true;
  }

  BufferAccesses accesses;
  LimitsOfData limits;
  RowsOfLoops rows;
};

}  // namespace

std::vector<ProofCandidate> kernels_worth_proving(const Unit& unit) {
  std::set<const clang::FunctionDecl*> cooperative;
  for (const auto& flow : cooperative_flows(unit)) cooperative.insert(&flow.function());
  std::vector<ProofCandidate> kernels;
  std::set<const clang::FunctionTemplateDecl*> templates;
  for (const auto& kernel : representative_kernels(unit)) {
    const auto* made_from = kernel.declaration->getPrimaryTemplate();
    if (made_from && !templates.insert(made_from).second) continue;
    Body body(unit);
    body.TraverseStmt(kernel.declaration->getBody());
    const bool is_too_large = body.count >= BodySize::most;
    if (is_too_large || cooperative.contains(kernel.declaration) ||
        body.accesses.may_meet(unit.ast()) || body.limits.may_leave() || body.rows.may_overlap())
      kernels.push_back({kernel, is_too_large});
  }
  return kernels;
}

}  // namespace msci
