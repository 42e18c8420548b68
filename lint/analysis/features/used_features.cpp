#include "lint/analysis/features/used_features.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <map>
#include <optional>
#include <set>

#include "compiler/frontend/function_constants.h"
#include "lint/analysis/representatives.h"

namespace msci {
namespace {

constexpr std::int64_t read_write = 3;  // access::read_write
constexpr int deepest = 8;              // of types in types, and of constants made from constants

// Knows which conditions function constants decide.
class FunctionConstants {
 public:
  explicit FunctionConstants(const Unit& unit) {
    for (const auto* each : function_constants(unit)) known_[each] = true;
  }

  bool decide(const clang::Stmt* condition, int depth = 0) {
    if (!condition || depth > deepest) return false;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(condition))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
        return is_made_from_one(*variable, depth);
    return llvm::any_of(condition->children(),
                        [&](const clang::Stmt* part) { return decide(part, depth); });
  }

 private:
  // `constant bool wide = is_function_constant_defined(q) ? q : false;`
  bool is_made_from_one(const clang::VarDecl& variable, int depth) {
    const auto [known, is_new] = known_.try_emplace(&variable, false);
    if (is_new && variable.isFileVarDecl()) {
      const bool is_made = decide(variable.getInit(), depth + 1);
      return known_[&variable] = is_made;
    }
    return known->second;
  }

  std::map<const clang::VarDecl*, bool> known_;
};

std::string name_of(const clang::NamedDecl& declaration) {
  return declaration.getIdentifier() ? declaration.getName().str() : std::string();
}

// A type without what leads to it (pointers, references, arrays, vectors, other names), and the
// user's other names for it.
struct BareType {
  clang::QualType type;
  std::vector<clang::SourceLocation> names;
};

BareType bare(clang::QualType type, const Unit& unit) {
  BareType bare;
  while (!type.isNull()) {
    if (const auto* name = llvm::dyn_cast<clang::TypedefType>(type))
      if (unit.is_users(name->getDecl()->getLocation()))
        bare.names.push_back(name->getDecl()->getLocation());
    const auto whole = type;
    type = type.getSingleStepDesugaredType(unit.ast());
    if (type != whole) continue;
    if (type->isPointerType() || type->isReferenceType())
      type = type->getPointeeType();
    else if (const auto* array = llvm::dyn_cast<clang::ArrayType>(type))
      type = array->getElementType();
    else if (const auto* vector = llvm::dyn_cast<clang::VectorType>(type))
      type = vector->getElementType();
    else
      break;
  }
  bare.type = type;
  return bare;
}

// The uses in one function, and the functions that it calls.
class Finder : public clang::DynamicRecursiveASTVisitor {
 public:
  Finder(const Unit& unit, FunctionConstants& constants)
      : unit_(unit), constants_(constants), conditions_(unit) {}

  void look(const clang::FunctionDecl& function) {
    first_.clear();
    for (auto* parameter : function.parameters())
      if (!condition_of(unit_, *parameter)) look_at(parameter->getType(), parameter->getLocation());
    if (is_coherent(function)) add(Feature::coherent_memory, "coherent", function.getLocation());
    TraverseStmt(function.getBody());
  }

  bool TraverseIfStmt(clang::IfStmt* choice) override {
    return constants_.decide(choice->getCond()) ||
           clang::DynamicRecursiveASTVisitor::TraverseIfStmt(choice);
  }
  bool TraverseSwitchStmt(clang::SwitchStmt* choice) override {
    return constants_.decide(choice->getCond()) ||
           clang::DynamicRecursiveASTVisitor::TraverseSwitchStmt(choice);
  }
  bool TraverseConditionalOperator(clang::ConditionalOperator* choice) override {
    return constants_.decide(choice->getCond()) ||
           clang::DynamicRecursiveASTVisitor::TraverseConditionalOperator(choice);
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    if (const auto* callee = call->getDirectCallee()) look_at(*callee, call->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    called.push_back(made->getConstructor());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    look_at(variable->getType(), variable->getLocation());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (!llvm::isa<clang::FunctionDecl>(name->getDecl()))
      look_at(name->getType(), name->getLocation());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* sum) override {
    const auto* type = sum->getType().getCanonicalType()->getAs<clang::BuiltinType>();
    const auto kind = type ? type->getKind() : clang::BuiltinType::Void;
    if (sum->getOpcode() != clang::BO_Assign &&
        (kind == clang::BuiltinType::Long || kind == clang::BuiltinType::ULong))
      add(Feature::wide_integers, std::string(row_of(Feature::wide_integers).text),
          sum->getOperatorLoc());
    return true;
  }

  std::vector<FeatureUse> uses;
  std::vector<const clang::FunctionDecl*> called;

 private:
  // The token pass leaves nothing of the word, so the text of the parameters tells.
  bool is_coherent(const clang::FunctionDecl& function) const {
    const auto head = unit_.locate({function.getBeginLoc(), function.getBody()->getBeginLoc()});
    return head.is_known() && unit_.text(head).find("coherent") != std::string_view::npos;
  }

  void look_at(const clang::FunctionDecl& callee, clang::SourceLocation where) {
    if (unit_.is_users(callee.getLocation())) return called.push_back(&callee);
    const auto name = name_of(callee);
    if (const auto feature = feature_named(name)) return add(*feature, name, where);
    const auto* member = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
    if (member && name.starts_with("atomic_")) add(Feature::texture_atomics, name, where);
  }

  void look_at(clang::QualType whole, clang::SourceLocation where, int depth = 0) {
    const auto [type, names] = bare(whole, unit_);
    if (type.isNull() || type->isDependentType() || depth > deepest ||
        llvm::any_of(names, [&](clang::SourceLocation name) { return is_asked_for(name); }))
      return;
    if (type->isBFloat16Type()) return add(Feature::bfloat, "bfloat", where);
    const auto* tag = type->getAsTagDecl();
    if (!tag || unit_.is_users(tag->getLocation())) return;
    const auto name = name_of(*tag);
    if (const auto feature = feature_named(name)) return add(*feature, name, where);
    const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag);
    if (!special) return;
    for (const auto& argument : special->getTemplateArgs().asArray())
      if (argument.getKind() == clang::TemplateArgument::Type)
        look_at(argument.getAsType(), where, depth + 1);
      else if (argument.getKind() == clang::TemplateArgument::Integral &&
               name.starts_with("texture") && argument.getAsIntegral() == read_write)
        add(Feature::read_write_textures, name, where);
  }

  // Whether the source asks for a version before it comes here, or before it defines the macro that
  // leads here.
  bool is_asked_for(clang::SourceLocation where) {
    const auto spelled = unit_.ast().getSourceManager().getSpellingLoc(where);
    for (const auto location : {where, spelled})
      if (const auto place = unit_.locate(location); place.is_known() && conditions_.cover(place))
        return true;
    return false;
  }

  void add(Feature feature, std::string name, clang::SourceLocation where) {
    if (first_.contains(feature) || is_asked_for(where)) return;
    auto place = unit_.locate(where);
    if (!place.is_known()) return;
    first_.insert(feature);
    uses.push_back({feature, std::move(name), std::move(place)});
  }

  const Unit& unit_;
  FunctionConstants& constants_;
  VersionConditions conditions_;
  std::set<Feature> first_;  // that the function uses
};

}  // namespace

std::vector<FeatureUse> used_features(const Unit& unit) {
  FunctionConstants constants(unit);
  Finder finder(unit, constants);
  for (const auto& kernel : representative_kernels(unit))
    finder.called.push_back(kernel.declaration);
  std::set<const clang::FunctionDecl*> known;
  while (!finder.called.empty()) {
    const auto* function = finder.called.back()->getDefinition();
    finder.called.pop_back();
    if (function && function->hasBody() && unit.is_users(function->getLocation()) &&
        is_representative(*function, unit) && known.insert(function).second)
      finder.look(*function);
  }
  return std::move(finder.uses);
}

}  // namespace msci
