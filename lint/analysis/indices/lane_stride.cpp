#include "lint/analysis/indices/lane_stride.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>

namespace msci {
namespace {

constexpr std::array lane_attributes = {"thread_position_in_grid", "thread_position_in_threadgroup",
                                        "thread_index_in_threadgroup", "thread_index_in_simdgroup"};

// Whether it is one more in the next thread of a simdgroup: the first component of a position.
bool counts_lanes(const Atom& atom, const ThreadFlow& flow) {
  const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(atom.variable);
  if (!parameter ||
      !(atom.text == "x" || (atom.text.empty() && parameter->getType()->isIntegerType())))
    return false;
  const auto attributes = flow.unit().attributes(*parameter);
  return std::any_of(attributes.begin(), attributes.end(), [](const Attribute& each) {
    return std::find(lane_attributes.begin(), lane_attributes.end(), each.name) !=
           lane_attributes.end();
  });
}

// Another component of a position, which is the same for the threads of a row.
bool counts_rows(const Atom& atom) {
  return atom.variable && llvm::isa<clang::ParmVarDecl>(atom.variable) &&
         (atom.text == "y" || atom.text == "z") && atom.position != Position::none;
}

bool is_same_in_simdgroup(const Atom& atom) {
  return atom.divergence != Divergence::thread || counts_rows(atom);
}

// Whether the variable belongs to the head of a loop around.
bool counts_rounds(const Atom& atom, const ThreadFlow& flow) {
  if (!atom.variable || atom.fixed || !atom.variable->getInit()) return false;
  for (const clang::Stmt* at = atom.variable->getInit(); at; at = flow.parent(at))
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(at))
      return loop->getInit() && flow.contains(loop->getInit(), atom.variable->getInit());
  return false;
}

// The length of each dimension of an array, or of what a pointer points to, but the outermost.
std::vector<std::int64_t> inner_lengths(const clang::VarDecl& memory,
                                        const clang::ASTContext& ast) {
  auto type = memory.getType();
  type =
      type->isPointerType() ? type->getPointeeType() : ast.getAsArrayType(type)->getElementType();
  std::vector<std::int64_t> lengths;
  while (const auto* array = ast.getAsConstantArrayType(type)) {
    lengths.push_back(static_cast<std::int64_t>(array->getSize().getZExtValue()));
    type = array->getElementType();
  }
  return lengths;
}

bool asks_for_few(const clang::Expr* condition, const ThreadFlow& flow) {
  condition = condition->IgnoreParenImpCasts();
  if (flow.divergence(condition) == Divergence::none) return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(condition)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const auto* value = variable ? flow.only_value(variable) : nullptr;
    return !value || asks_for_few(value, flow);
  }
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (!test) return true;
  if (test->isLogicalOp())
    return asks_for_few(test->getLHS(), flow) || asks_for_few(test->getRHS(), flow);
  const auto is_number = [&](const clang::Expr* side) {
    return index_form(side, flow).is_constant();
  };
  switch (test->getOpcode()) {
    case clang::BO_EQ:
      return true;
    case clang::BO_LT:
    case clang::BO_LE:
      return is_number(test->getRHS());
    case clang::BO_GT:
    case clang::BO_GE:
      return is_number(test->getLHS());
    default:
      return false;
  }
}

}  // namespace

std::optional<IndexForm> offset_form(const SharedAccess& access, const ThreadFlow& flow) {
  // What the [] of a record steps by is the record's own matter.
  const auto type = access.memory->getType();
  if (!type->isArrayType() && !type->isPointerType()) return std::nullopt;
  const auto lengths = inner_lengths(*access.memory, flow.unit().ast());
  if (access.indices.empty() || access.indices.size() != lengths.size() + 1) return std::nullopt;
  auto offset = access.indices.front();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    IndexForm length;
    length.terms[{}] = lengths[i];
    offset = offset * length + access.indices[i + 1];
  }
  return offset;
}

std::int64_t element_bytes(const SharedAccess& access, const ThreadFlow& flow) {
  auto& ast = flow.unit().ast();
  auto type = access.memory->getType();
  if (type->isPointerType()) type = type->getPointeeType();
  return ast.getTypeSizeInChars(ast.getBaseElementType(type)).getQuantity();
}

std::optional<IndexForm> lane_stride(const IndexForm& offset, const ThreadFlow& flow) {
  IndexForm stride;
  for (const auto& [product, count] : offset.terms) {
    const auto lanes = std::count_if(product.begin(), product.end(),
                                     [&](const Atom& atom) { return counts_lanes(atom, flow); });
    auto others = product;
    std::erase_if(others, [&](const Atom& atom) { return counts_lanes(atom, flow); });
    if (lanes > 1 || !std::all_of(others.begin(), others.end(), is_same_in_simdgroup))
      return std::nullopt;
    if (lanes == 0) continue;
    if ((stride.terms[others] += count) == 0) stride.terms.erase(others);
  }
  return stride;
}

std::optional<Atom> consecutive_axis(const IndexForm& offset, const ThreadFlow& flow) {
  // Of several, the one that is declared first: the terms have the order of pointers.
  std::optional<Atom> first;
  const auto place_of = [](const Atom& atom) {
    return atom.variable->getLocation().getRawEncoding();
  };
  for (const auto& [product, count] : offset.terms)
    if (product.size() == 1 && (count == 1 || count == -1) &&
        (counts_rows(product.front()) || counts_rounds(product.front(), flow)) &&
        (!first || place_of(product.front()) < place_of(*first)))
      first = product.front();
  return first;
}

bool is_for_few(const SharedAccess& access, const ThreadFlow& flow) {
  const auto& guards = flow.guards(access.when);
  return std::any_of(guards.begin(), guards.end(), [&](const Guard& guard) {
    return guard.taken && asks_for_few(guard.condition, flow);
  });
}

}  // namespace msci
