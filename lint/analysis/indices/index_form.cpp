#include "lint/analysis/indices/index_form.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

// Deep chains of definitions and long products are not indices in practice.
constexpr int most_definitions_in_index = 12;
constexpr std::size_t most_terms = 32;
constexpr int most_parts = 512;  // of an expression: each is looked at with all that is below it

IndexForm atom_form(Atom atom) {
  IndexForm form;
  form.terms[{std::move(atom)}] = 1;
  return form;
}

void add_multiple(IndexForm& sum, const IndexForm& more, std::int64_t factor) {
  for (const auto& [product, count] : more.terms)
    if ((sum.terms[product] += factor * count) == 0) sum.terms.erase(product);
}

bool differs(const std::vector<Atom>& product) {
  return std::any_of(product.begin(), product.end(),
                     [](const Atom& atom) { return atom.divergence != Divergence::none; });
}

// Counts the parts of an expression down to nothing left.
bool is_longer(const clang::Stmt& value, int& left) {
  return --left < 0 || std::any_of(
                           value.child_begin(), value.child_end(),
                           [&](const auto* child) { return child && is_longer(*child, left); });
}

bool is_too_long(const clang::Expr& value) {
  int left = most_parts;
  return is_longer(value, left);
}

std::string profile(const clang::Expr& value, const clang::ASTContext& ast) {
  llvm::FoldingSetNodeID id;
  value.Profile(id, ast, /*Canonical=*/true);
  return std::to_string(id.ComputeHash());
}

class IndexReader {
 public:
  explicit IndexReader(const ThreadFlow& flow) : flow_(flow), ast_(flow.unit().ast()) {}

  // Of an expression with all its parts; one that is too long stays a thing of its own.
  IndexForm whole(const clang::Expr& value) {
    if (!is_too_long(value)) return read(&value);
    return atom_form({.text = fmt::format("{}", fmt::ptr(&value)), .fixed = false});
  }

 private:
  IndexForm read(const clang::Expr* value) {
    value = value->IgnoreParenImpCasts();
    if (const auto known = constant_of(value, ast_)) return constant_form(*known);
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(value);
        cast && cast->getType()->isIntegerType() && cast->getSubExpr()->getType()->isIntegerType())
      return read(cast->getSubExpr());
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) return sum(*binary);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) return variable(*name, "");
    if (const auto* element = llvm::dyn_cast<clang::ExtVectorElementExpr>(value);
        element && element->getNumElements() == 1)
      return component(*element, *element->getBase(), element->getAccessor().getName()[0]);
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(value);
        subscript && subscript->getBase()->getType()->isVectorType())
      if (const auto which = constant_of(subscript->getIdx(), ast_);
          which && *which >= 0 && *which < 4)
        return component(*subscript, *subscript->getBase(), "xyzw"[*which]);
    return opaque(*value);
  }

  IndexForm sum(const clang::BinaryOperator& binary) {
    const auto operation = binary.getOpcode();
    if (operation != clang::BO_Add && operation != clang::BO_Sub && operation != clang::BO_Mul &&
        operation != clang::BO_Shl)
      return opaque(binary);
    const auto left = read(binary.getLHS()), right = read(binary.getRHS());
    if (left.terms.size() * right.terms.size() > most_terms) return opaque(binary);
    if (operation == clang::BO_Add) return left + right;
    if (operation == clang::BO_Sub) return left - right;
    if (operation == clang::BO_Mul) return left * right;
    if (!right.is_constant() || right.constant() < 0 || right.constant() > 30)
      return opaque(binary);
    return left * constant_form(std::int64_t{1} << right.constant());
  }

  const clang::Expr* definition(const clang::VarDecl& variable) {
    const auto* value = flow_.only_value(&variable);
    return value && definitions_ < most_definitions_in_index ? value : nullptr;
  }

  IndexForm variable(const clang::DeclRefExpr& name, const std::string& component) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name.getDecl());
    if (!variable) return opaque(name);
    if (const auto* value = component.empty() ? definition(*variable) : nullptr) {
      const auto form = defined(*variable, *value);
      // What a loop loads anew each time has no form; the variable itself may stand for it.
      const auto atoms = form.atoms();
      const bool plain =
          atoms.size() != 1 || atoms.front().variable || atoms.front().position != Position::none;
      if (plain) return form;
    }
    return atom_form({variable, component, flow_.divergence(&name), flow_.position(variable),
                      flow_.is_fixed(variable) && !in_loop(*variable)});
  }

  // The form of a variable's only value, worked out once however often it is mentioned.
  const IndexForm& defined(const clang::VarDecl& variable, const clang::Expr& value) {
    const auto known = forms_.find(&variable);
    if (known != forms_.end()) return known->second;
    ++definitions_;
    auto form = whole(value);
    --definitions_;
    return forms_.emplace(&variable, std::move(form)).first->second;
  }

  // `p.x` or `p[0]`, of a vector.
  IndexForm component(const clang::Expr& element, const clang::Expr& vector, char letter) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(vector.IgnoreParenImpCasts());
    if (!name) return opaque(element);
    // `uint3 p = position;` is the position itself.
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const auto* value = variable ? flow_.only_value(variable) : nullptr;
    const auto* same =
        value ? llvm::dyn_cast<clang::DeclRefExpr>(value->IgnoreParenImpCasts()) : nullptr;
    for (const auto& [colour, position] : {std::pair{'r', 'x'}, {'g', 'y'}, {'b', 'z'}})
      if (letter == colour) letter = position;
    return this->variable(same ? *same : *name, std::string(1, letter));
  }

  // A variable of a loop's body holds something else in each round.
  bool in_loop(const clang::VarDecl& variable) const {
    const auto* init = variable.getInit();
    for (const clang::Stmt* at = init; at; at = flow_.parent(at))
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(at)) return true;
    return false;
  }

  IndexForm opaque(const clang::Expr& value) {
    return atom_form({nullptr, profile(value, ast_), flow_.divergence(&value), counted(value),
                      is_fixed(value), &value});
  }

  // `thread / 32` and `thread % 32`, also by bits, are what the attributes call the simdgroup's
  // index and the lane.
  Position counted(const clang::Expr& value) {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&value);
    const auto number = binary ? constant_of(binary->getRHS(), ast_) : std::nullopt;
    if (!number) return Position::none;
    const auto operation = binary->getOpcode();
    const bool group =
        (operation == clang::BO_Shr && number == 5) || (operation == clang::BO_Div && number == 32);
    const bool lane = (operation == clang::BO_And && number == 31) ||
                      (operation == clang::BO_Rem && number == 32);
    if (!group && !lane) return Position::none;
    const auto thread = read(binary->getLHS());
    const auto atoms = thread.atoms();
    if (thread.terms.size() != 1 || thread.terms.begin()->second != 1 || atoms.size() != 1 ||
        atoms.front().position != Position::in_threadgroup || !atoms.front().text.empty())
      return Position::none;
    return group ? Position::simdgroup : Position::lane;
  }

  bool is_fixed(const clang::Stmt& value) const {
    if (llvm::isa<clang::CallExpr, clang::ArraySubscriptExpr>(value)) return false;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&value))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
        return flow_.is_fixed(variable) && !in_loop(*variable);
    return std::all_of(value.child_begin(), value.child_end(),
                       [&](const clang::Stmt* child) { return !child || is_fixed(*child); });
  }

  const ThreadFlow& flow_;
  const clang::ASTContext& ast_;
  int definitions_ = 0;
  std::map<const clang::VarDecl*, IndexForm> forms_;
};

}  // namespace

IndexForm constant_form(std::int64_t value) {
  IndexForm form;
  if (value) form.terms[{}] = value;
  return form;
}

std::int64_t IndexForm::constant() const {
  const auto known = terms.find({});
  return known == terms.end() ? 0 : known->second;
}

IndexForm IndexForm::varying() const {
  IndexForm part;
  for (const auto& [product, count] : terms)
    if (differs(product)) part.terms[product] = count;
  return part;
}

IndexForm IndexForm::uniform() const {
  IndexForm part;
  for (const auto& [product, count] : terms)
    if (!product.empty() && !differs(product)) part.terms[product] = count;
  return part;
}

bool IndexForm::is_constant() const {
  return terms.empty() || (terms.size() == 1 && terms.begin()->first.empty());
}

bool IndexForm::is_fixed() const {
  const auto all = atoms();
  return std::all_of(all.begin(), all.end(), [](const Atom& atom) { return atom.fixed; });
}

std::vector<Atom> IndexForm::atoms() const {
  std::vector<Atom> all;
  for (const auto& [product, count] : terms) all.insert(all.end(), product.begin(), product.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

IndexForm operator+(IndexForm left, const IndexForm& right) {
  add_multiple(left, right, 1);
  return left;
}
IndexForm operator-(IndexForm left, const IndexForm& right) {
  add_multiple(left, right, -1);
  return left;
}
IndexForm operator*(const IndexForm& left, const IndexForm& right) {
  IndexForm product;
  for (const auto& [a, m] : left.terms)
    for (const auto& [b, n] : right.terms) {
      auto both = a;
      both.insert(both.end(), b.begin(), b.end());
      std::sort(both.begin(), both.end());
      if ((product.terms[both] += m * n) == 0) product.terms.erase(both);
    }
  return product;
}

IndexForm index_form(const clang::Expr* value, const ThreadFlow& flow) {
  return IndexReader(flow).whole(*value);
}

}  // namespace msci
