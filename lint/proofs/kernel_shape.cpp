#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/RecordLayout.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "lint/analysis/expressions.h"
#include "lint/proofs/suggested_proofs.h"

namespace msci {
namespace {

constexpr unsigned most_threads = 1024;

bool is_position_in_threadgroup(std::string_view attribute) {
  return attribute == "thread_position_in_threadgroup" || attribute == "thread_position_in_grid" ||
         attribute == "threads_per_threadgroup";
}

bool is_position_of_threadgroup(std::string_view attribute) {
  return attribute == "threadgroup_position_in_grid" || attribute == "thread_position_in_grid";
}

// Directly, or by numbering their threads.
bool numbers_simdgroups(std::string_view attribute) {
  return attribute == "simdgroup_index_in_threadgroup" ||
         attribute == "simdgroups_per_threadgroup" || attribute == "thread_index_in_threadgroup" ||
         is_position_in_threadgroup(attribute);
}

unsigned lanes_of(clang::QualType type) {
  const auto* vector = type.getCanonicalType()->getAs<clang::VectorType>();
  return vector ? std::min(3U, vector->getNumElements()) : 1;
}

std::vector<unsigned> sides_of(clang::QualType type, const clang::ASTContext& ast) {
  std::vector<unsigned> sides;
  while (const auto* array = ast.getAsConstantArrayType(type)) {
    sides.push_back(static_cast<unsigned>(array->getZExtSize()));
    type = array->getElementType();
  }
  return sides;
}

// Looks at the body of a kernel, and at what it names.
class ShapeVisitor : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit ShapeVisitor(const Unit& unit) : unit_(unit) {}

  bool VisitExtVectorElementExpr(clang::ExtVectorElementExpr* part) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part->getBase()->IgnoreParenImpCasts());
    if (!name) return true;
    parts_.insert(name);
    for (const char letter : part->getAccessor().getName())
      for (unsigned d = 0; d < 3; ++d)
        if (letter == "xyz"[d] || letter == "rgb"[d]) use(*name->getDecl(), d);
    return true;
  }

  // `position[0]`.
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* part) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part->getBase()->IgnoreParenImpCasts());
    const auto dimension = constant_of(part->getIdx(), unit_.ast());
    if (!name || !name->getType()->isVectorType() || !dimension || *dimension < 0 || *dimension > 2)
      return true;
    parts_.insert(name);
    use(*name->getDecl(), static_cast<unsigned>(*dimension));
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto& declaration = *name->getDecl();
    if (const auto* word = declaration.getIdentifier(); word && word->getName() == "mem_device")
      shape.orders_device = true;
    if (!parts_.contains(name) && lanes_of(declaration.getType()) > 1 && is_position(declaration))
      shape.is_vague = true;
    if (!parts_.contains(name))
      for (unsigned d = 0; d < lanes_of(declaration.getType()); ++d) use(declaration, d);
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration)) note(*variable);
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* callee = call->getDirectCallee();
    if (!callee || call->getNumArgs() == 0 || !callee->getIdentifier() ||
        callee->getName() != "simdgroup_barrier")
      return true;
    const auto flags = constant_of(call->getArg(0), unit_.ast());
    if (flags && *flags == 0) shape.has_idle_simdgroup_barrier = true;
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    note(*variable);
    return true;
  }

  KernelShape shape;

 private:
  bool is_position(const clang::ValueDecl& declaration) const {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&declaration);
    if (!parameter) return false;
    const auto& attributes = unit_.attributes(*parameter);
    return std::any_of(attributes.begin(), attributes.end(), [](const auto& attribute) {
      return is_position_in_threadgroup(attribute.name);
    });
  }

  void use(const clang::ValueDecl& declaration, unsigned dimension) {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&declaration);
    if (!parameter) return;
    for (const auto& attribute : unit_.attributes(*parameter)) {
      if (is_position_in_threadgroup(attribute.name)) shape.threads[dimension] = true;
      if (is_position_of_threadgroup(attribute.name)) shape.groups[dimension] = true;
      if (is_position_in_threadgroup(attribute.name) && !is_position_of_threadgroup(attribute.name))
        shape.in_threadgroup[dimension] = true;
      if (attribute.name == "thread_index_in_simdgroup") shape.has_lanes = true;
      if (numbers_simdgroups(attribute.name)) shape.has_simdgroups = true;
    }
  }

  void note(const clang::VarDecl& variable) {
    if (!seen_.insert(&variable).second) return;
    const auto& ast = unit_.ast();
    if (space_of(variable.getType()) == Space::threadgroup)
      if (auto sides = sides_of(variable.getType(), ast); !sides.empty())
        shape.arrays.push_back(std::move(sides));
    if (!variable.getType()->isIntegerType() || !variable.getInit()) return;
    if (!variable.getType().isConstQualified() && !variable.isConstexpr()) return;
    const auto value = constant_of(variable.getInit(), ast);
    if (value && *value > 1 && *value <= most_threads)
      shape.constants.insert(static_cast<unsigned>(*value));
  }

  const Unit& unit_;
  std::set<const clang::DeclRefExpr*> parts_;
  std::set<const clang::VarDecl*> seen_;
};

bool fill(std::vector<std::byte>& bytes, std::size_t at, const std::function<std::uint64_t()>& next,
          clang::QualType type, const clang::ASTContext& ast) {
  type = type.getCanonicalType();
  const auto size = static_cast<std::size_t>(ast.getTypeSizeInChars(type).getQuantity());
  const auto put = [&](const auto& value, std::size_t count) {
    std::memcpy(bytes.data() + at, &value, count);
    return true;
  };
  if (type->isRealFloatingType()) {
    const float one = 1;
    return size != sizeof one || put(one, sizeof one);
  }
  if (type->isBooleanType()) return put(std::uint8_t{1}, size);
  if (type->isIntegerType()) return put(next(), std::min(size, sizeof(std::uint64_t)));
  if (const auto* vector = type->getAs<clang::VectorType>()) {
    const auto part = size / std::bit_ceil(std::size_t{vector->getNumElements()});
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      if (!fill(bytes, at + i * part, next, vector->getElementType(), ast)) return false;
    return true;
  }
  if (const auto* array = ast.getAsConstantArrayType(type)) {
    const auto part = size / std::max<std::size_t>(1, array->getZExtSize());
    for (std::size_t i = 0; i < array->getZExtSize(); ++i)
      if (!fill(bytes, at + i * part, next, array->getElementType(), ast)) return false;
    return true;
  }
  const auto* record = type->getAsRecordDecl();
  if (!record || !record->isCompleteDefinition() || record->isUnion()) return false;
  const auto& layout = ast.getASTRecordLayout(record);
  for (const auto* field : record->fields()) {
    const auto offset = layout.getFieldOffset(field->getFieldIndex()) / 8;
    if (field->isBitField() || !fill(bytes, at + offset, next, field->getType(), ast)) return false;
  }
  return true;
}

}  // namespace

KernelShape shape_of(const Kernel& kernel, const Unit& unit) {
  ShapeVisitor visitor(unit);
  visitor.TraverseStmt(kernel.declaration->getBody());
  for (const auto* parameter : kernel.declaration->parameters())
    for (const auto& attribute : unit.attributes(*parameter))
      if (attribute.name == "simdgroup_index_in_threadgroup" ||
          attribute.name == "simdgroups_per_threadgroup")
        visitor.shape.has_several_simdgroups = true;
  return std::move(visitor.shape);
}

std::vector<std::byte> bytes_with(const std::function<std::uint64_t()>& next, clang::QualType type,
                                  const clang::ASTContext& ast) {
  constexpr std::size_t most_bytes = 256;
  const auto size = static_cast<std::size_t>(ast.getTypeSizeInChars(type).getQuantity());
  if (size == 0 || size > most_bytes) return {};
  std::vector<std::byte> bytes(size);
  if (!fill(bytes, 0, next, type, ast)) return {};
  return bytes;
}

}  // namespace msci
