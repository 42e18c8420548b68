#include "lint/analysis/flow/thread_flow.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Analysis/Analyses/Dominators.h>

#include <algorithm>
#include <limits>

#include "lint/analysis/flow/barriers_in.h"

namespace msci {
namespace {

// Of Metal's mem_flags.
constexpr std::int64_t mem_device = 1, mem_threadgroup = 2;

// The flags that a barrier has whichever way a choice goes.
std::optional<std::int64_t> certain_flags(const clang::Expr* flags, clang::ASTContext& ast) {
  if (const auto known = constant_of(flags, ast)) return known;
  const auto* value = flags->IgnoreParenImpCasts();
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
    const auto one = certain_flags(choice->getTrueExpr(), ast);
    const auto other = certain_flags(choice->getFalseExpr(), ast);
    return one && other ? std::optional(*one & *other) : std::nullopt;
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value);
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable || !variable->getType().isConstQualified() || !variable->getInit())
    return std::nullopt;
  return certain_flags(variable->getInit(), ast);
}

// Real code has fewer branches. What decides about a block grows with the number of its
// predecessors, and all of it with their square.
constexpr unsigned most_blocks = 4096;

Position position_of(const clang::ParmVarDecl& parameter, const Unit& unit) {
  for (const auto& attribute : unit.attributes(parameter))
    if (const auto* known = metal_attribute(attribute.name);
        known && known->numbers != Position::none)
      return known->numbers;
  return Position::none;
}

Divergence divergence_of(Position position) {
  if (position == Position::none || position == Position::threadgroup) return Divergence::none;
  return position == Position::simdgroup ? Divergence::simdgroup : Divergence::thread;
}

// `p` of `p.x`.
const clang::Expr* without_component(const clang::Expr& value) {
  const auto* plain = value.IgnoreParenImpCasts();
  const auto* element = llvm::dyn_cast<clang::ExtVectorElementExpr>(plain);
  return element ? element->getBase()->IgnoreParenImpCasts() : plain;
}

// What a statement does only to get somewhere else: `return`, or a block of nothing but it.
const clang::Stmt* exit_in(const clang::Stmt* statement) {
  if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement))
    statement = block->size() ? block->body_back() : nullptr;
  if (!statement) return nullptr;
  return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(statement) ? statement
                                                                                        : nullptr;
}

}  // namespace

std::string_view metal_function(const clang::CallExpr& call, const Unit& unit) {
  const auto* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier() || unit.is_users(callee->getLocation())) return {};
  const auto name = callee->getName();
  return {name.data(), name.size()};
}

const clang::VarDecl* root_variable(const clang::Expr* value) {
  while (value) {
    value = value->IgnoreParenCasts();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value))
      return llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value))
      value = member->getBase();
    else if (const auto* element = llvm::dyn_cast<clang::ExtVectorElementExpr>(value))
      value = element->getBase();
    else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(value))
      value = subscript->getBase();
    else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(value);
             call && call->getOperator() == clang::OO_Subscript)
      value = call->getArg(0);
    else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(value);
             unary &&
             (unary->getOpcode() == clang::UO_Deref || unary->getOpcode() == clang::UO_AddrOf))
      value = unary->getSubExpr();
    else
      return nullptr;
  }
  return nullptr;
}

std::optional<ThreadFlow> ThreadFlow::of(const clang::FunctionDecl& function, const Unit& unit,
                                         const ArgumentFlows& bindings) {
  ThreadFlow flow;
  flow.unit_ = &unit;
  flow.function_ = &function;
  clang::CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  flow.graph_ = clang::CFG::buildCFG(&function, function.getBody(), &unit.ast(), options);
  if (!flow.graph_ || flow.graph_->size() > most_blocks) return std::nullopt;
  for (const auto* parameter : function.parameters()) {
    const auto position = position_of(*parameter, unit);
    const auto bound = bindings.find(parameter);
    flow.positions_[parameter] = bound == bindings.end() ? position : bound->second.position;
    flow.divergences_[{parameter, nullptr}] =
        bound == bindings.end() ? divergence_of(position) : bound->second.divergence;
  }
  flow.guards_.emplace_back();
  flow.walk(function.getBody(), nullptr, 0);
  for (const auto& each : flow.assignments_)
    if (each.statement && !each.in_shared_memory) flow.changed_.insert(each.variable);
  for (const auto* block : *flow.graph_)
    for (std::size_t i = 0; i < block->size(); ++i)
      if (const auto statement = (*block)[i].getAs<clang::CFGStmt>())
        flow.places_[statement->getStmt()] = {block, i};
  clang::ControlDependencyCalculator control(flow.graph_.get());
  for (auto* block : *flow.graph_) {
    auto& conditions = flow.deciding_[block->getBlockID()];
    for (auto* decider : control.getControlDependencies(block))
      if (const auto* condition = llvm::dyn_cast_or_null<clang::Expr>(
              static_cast<const clang::CFGBlock*>(decider)->getTerminatorCondition()))
        conditions.push_back(condition);
  }
  flow.spread();
  return flow;
}

void ThreadFlow::walk(const clang::Stmt* statement, const clang::Stmt* parent, std::size_t guards) {
  if (!statement) return;
  nodes_[statement] = {parent, statements_.size(), 0, guards};
  statements_.push_back(statement);
  walk_parts(statement, guards);
  nodes_[statement].end = statements_.size();
}

void ThreadFlow::walk_parts(const clang::Stmt* statement, std::size_t guards) {
  const auto under = [&](const clang::Expr* condition, bool taken, const clang::Stmt* part) {
    if (!part) return;
    if (!condition) return walk(part, statement, guards);  // for (;;)
    auto more = guards_[guards];
    more.push_back({condition, taken});
    guards_.push_back(std::move(more));
    walk(part, statement, guards_.size() - 1);
  };
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) note_call(*call);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    for (const auto* exit : {exit_in(branch->getThen()), exit_in(branch->getElse())})
      if (exit) exits_[branch->getCond()] = exit;
    walk(branch->getInit(), statement, guards);
    walk(branch->getConditionVariableDeclStmt(), statement, guards);
    walk(branch->getCond(), statement, guards);
    under(branch->getCond(), true, branch->getThen());
    return under(branch->getCond(), false, branch->getElse());
  }
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
    note_counters(loop->getInit(), *loop);
    walk(loop->getInit(), statement, guards);
    walk(loop->getCond(), statement, guards);
    under(loop->getCond(), true, loop->getBody());
    return under(loop->getCond(), true, loop->getInc());
  }
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) {
    walk(loop->getCond(), statement, guards);
    return under(loop->getCond(), true, loop->getBody());
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(statement)) {
    walk(choice->getCond(), statement, guards);
    under(choice->getCond(), true, choice->getTrueExpr());
    return under(choice->getCond(), false, choice->getFalseExpr());
  }
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(statement);
      both && both->isLogicalOp()) {
    walk(both->getLHS(), statement, guards);
    return under(both->getLHS(), both->getOpcode() == clang::BO_LAnd, both->getRHS());
  }
  if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
    for (const auto* each : declarations->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) {
        declared_[variable] = statement;
        if (variable->getInit()) assignments_.push_back({variable, variable->getInit(), nullptr});
      }
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
      assignment && assignment->isAssignmentOp())
    note_assignment(*assignment->getLHS(), assignment->getRHS(), *statement);
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(statement);
      step && step->isIncrementDecrementOp())
    note_assignment(*step->getSubExpr(), nullptr, *statement);
  for (const auto* child : statement->children()) walk(child, statement, guards);
}

void ThreadFlow::note_assignment(const clang::Expr& target, const clang::Expr* value,
                                 const clang::Stmt& statement) {
  if (const auto* variable = root_variable(&target))
    assignments_.push_back(
        {variable, value, &statement, space_of(target.getType()) != Space::thread});
}

// `for (i = 4, j = t; …)`
void ThreadFlow::note_counters(const clang::Stmt* start, const clang::ForStmt& loop) {
  const auto* set = llvm::dyn_cast_or_null<clang::BinaryOperator>(start);
  if (!set) return;
  if (set->getOpcode() == clang::BO_Comma) {
    note_counters(set->getLHS()->IgnoreParens(), loop);
    note_counters(set->getRHS()->IgnoreParens(), loop);
  } else if (set->getOpcode() == clang::BO_Assign) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens());
    if (const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr)
      counting_loops_[variable].push_back(&loop);
  }
}

// The innermost loop around a place that set the variable before.
const clang::ForStmt* ThreadFlow::counting_loop(const clang::VarDecl* variable,
                                                const clang::Stmt* at) const {
  const auto loops = counting_loops_.find(variable);
  if (loops == counting_loops_.end()) return nullptr;
  const clang::ForStmt* innermost = nullptr;  // an inner loop comes after the one around it
  for (const auto* loop : loops->second)
    if (contains(loop, at) && !contains(loop->getInit(), at)) innermost = loop;
  return innermost;
}

void ThreadFlow::note_call(const clang::CallExpr& call) {
  calls_.push_back(&call);
  const auto name = metal_function(call, *unit_);
  const bool threadgroup = name == "threadgroup_barrier";
  if (threadgroup || name == "simdgroup_barrier") {
    const auto flags = certain_flags(call.getArg(0), unit_->ast());
    barriers_.push_back(
        {&call, threadgroup, !flags || *flags & mem_threadgroup, !flags || *flags & mem_device});
  }
  const auto* callee = call.getDirectCallee();
  if (!callee) return;
  if (unit_->is_users(callee->getLocation()) && callee->hasBody() &&
      has_barrier(*callee, Among::threadgroup, *unit_))
    barrier_calls_.push_back(&call);
  // An object handed over to be changed holds what the call makes of all its arguments.
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const auto* argument = call.getArg(i);
    const bool addressed = argument->getType()->isPointerType() &&
                           !argument->getType()->getPointeeType().isConstQualified();
    const bool changed =
        addressed || (argument->isLValue() && i < callee->getNumParams() &&
                      callee->getParamDecl(i)->getType()->isReferenceType() &&
                      !callee->getParamDecl(i)->getType()->getPointeeType().isConstQualified());
    if (!changed) continue;
    const auto* variable = root_variable(argument);
    const auto type = addressed ? argument->getType()->getPointeeType() : argument->getType();
    if (variable && space_of(variable->getType()) == Space::thread)
      assignments_.push_back({variable, &call, &call, space_of(type) != Space::thread});
  }
}

Position ThreadFlow::position(const clang::ValueDecl* declaration) const {
  const auto known = positions_.find(declaration);
  if (known != positions_.end()) return known->second;
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(declaration);
  const auto* value = variable ? only_value(variable) : nullptr;
  const auto* name =
      value ? llvm::dyn_cast<clang::DeclRefExpr>(without_component(*value)) : nullptr;
  return name && name->getDecl() != declaration ? position(name->getDecl()) : Position::none;
}

bool ThreadFlow::is_fixed(const clang::VarDecl* variable) const {
  return !changed_.contains(variable);
}

const clang::Expr* ThreadFlow::only_value(const clang::VarDecl* variable) const {
  const auto* function = variable->getParentFunctionOrMethod();
  if (function && function != function_) return nullptr;  // what happens to it there is not known
  return variable->getInit() && is_fixed(variable) ? variable->getInit() : nullptr;
}

const std::vector<Guard>& ThreadFlow::guards(const clang::Stmt* statement) const {
  const auto* known = node(statement);
  return guards_[known ? known->guards : 0];
}

const clang::Expr* ThreadFlow::divergent_condition(const clang::Stmt* statement,
                                                   Divergence least) const {
  const auto at = place(statement);
  if (!at) return nullptr;
  const clang::Expr* first = nullptr;
  for (const auto* condition : deciding_.at(at->block->getBlockID()))
    if (divergence(condition) >= least &&
        (!first || condition->getBeginLoc() < first->getBeginLoc()))
      first = condition;
  return first;
}

const std::vector<const clang::Expr*>& ThreadFlow::deciding(const clang::Stmt* statement) const {
  static const std::vector<const clang::Expr*> none;
  const auto at = place(statement);
  return at ? deciding_.at(at->block->getBlockID()) : none;
}

const clang::Stmt* ThreadFlow::exit_under(const clang::Expr* condition) const {
  for (const clang::Stmt* at = condition; at; at = parent(at)) {
    const auto exit = exits_.find(at);
    if (exit != exits_.end()) return exit->second;
  }
  return nullptr;
}

const ThreadFlow::Node* ThreadFlow::node(const clang::Stmt* statement) const {
  const auto known = nodes_.find(statement);
  return known == nodes_.end() ? nullptr : &known->second;
}

const clang::Stmt* ThreadFlow::parent(const clang::Stmt* statement) const {
  const auto* known = node(statement);
  return known ? known->parent : nullptr;
}

bool ThreadFlow::contains(const clang::Stmt* outer, const clang::Stmt* inner) const {
  if (outer == inner) return inner;
  const auto* whole = node(outer);
  const auto* part = node(inner);
  return whole && part && whole->number <= part->number && part->number < whole->end;
}

std::optional<ProgramPoint> ThreadFlow::place(const clang::Stmt* statement) const {
  for (; statement; statement = parent(statement))
    if (const auto known = places_.find(statement); known != places_.end()) return known->second;
  return std::nullopt;
}

bool ThreadFlow::reaches(const clang::Stmt* from, const clang::Stmt* to,
                         const std::set<const clang::Stmt*>& fences) const {
  const auto start = from ? place(from) : std::optional(ProgramPoint{&graph_->getEntry(), 0});
  const auto goal = place(to);
  if (!start || !goal) return false;
  llvm::SmallDenseMap<const clang::CFGBlock*, llvm::SmallVector<std::size_t, 2>> fenced;
  for (const auto* fence : fences)
    if (const auto known = places_.find(fence); known != places_.end())
      fenced[known->second.block].push_back(known->second.index);
  // What comes first in a block from an index on. A place may be both, and is the goal then.
  enum class End { goal, fence, block };
  const auto walk_block = [&](const clang::CFGBlock* block, std::size_t index) {
    auto end = End::block;
    auto first = std::numeric_limits<std::size_t>::max();
    if (block == goal->block && index <= goal->index) {
      end = End::goal;
      first = goal->index;
    }
    if (const auto known = fenced.find(block); known != fenced.end())
      for (const auto fence : known->second)
        if (fence >= index && fence < first) {
          end = End::fence;
          first = fence;
        }
    return end;
  };
  std::vector<const clang::CFGBlock*> waiting;
  llvm::SmallPtrSet<const clang::CFGBlock*, 32> seen;
  const auto follow = [&](const clang::CFGBlock* block) {
    for (const clang::CFGBlock* next : block->succs())
      if (next && seen.insert(next).second) waiting.push_back(next);
  };
  auto end = walk_block(start->block, start->index + 1);
  if (end == End::goal) return true;
  if (end == End::block) follow(start->block);
  while (!waiting.empty()) {
    const auto* block = waiting.back();
    waiting.pop_back();
    end = walk_block(block, 0);
    if (end == End::goal) return true;
    if (end == End::block) follow(block);
  }
  return false;
}

namespace {

// The thread position, or the component of one, that an argument is, if it is nothing else.
Position position_of(const clang::Expr& argument, const ThreadFlow& flow) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(without_component(argument));
  return name ? flow.position(name->getDecl()) : Position::none;
}

}  // namespace

ArgumentFlows arguments_of(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                           const ThreadFlow& flow) {
  ArgumentFlows arguments;
  for (unsigned i = 0; i < std::min(call.getNumArgs(), callee.getNumParams()); ++i)
    arguments[callee.getParamDecl(i)] = {flow.divergence(call.getArg(i)),
                                         position_of(*call.getArg(i), flow)};
  return arguments;
}

const ThreadFlow* thread_flow(const clang::FunctionDecl& function, const Unit& unit) {
  const auto& flow = unit.cache().get<std::optional<ThreadFlow>>(
      &function, [&] { return ThreadFlow::of(function, unit); });
  return flow ? &*flow : nullptr;
}

}  // namespace msci
