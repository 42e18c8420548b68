#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <fmt/format.h>

#include <set>

#include "compiler/pointers/pointers.h"

namespace msci {
namespace {

using clang::LangAS;

// Metal's `device`, and its `constant` (compiler/ir/spaces.h).
bool is_device_space(LangAS space) {
  return space == LangAS::sycl_global || space == LangAS::opencl_global ||
         space == LangAS::sycl_global_host || space == LangAS::opencl_global_host;
}

class Walk {
 public:
  explicit Walk(const Unit& unit) : unit_(unit) {}

  std::optional<std::string> value(clang::QualType type) {
    type = unit_.ast().getBaseElementType(type);
    if (type->isPointerType() || type->isReferenceType()) return pointer(type->getPointeeType());
    const auto* record = type->getAsCXXRecordDecl();
    return record ? members(*record) : std::nullopt;
  }

 private:
  std::optional<std::string> pointer(clang::QualType pointee) {
    if (pointee->isFunctionType()) return "holds a pointer to a function";
    if (!is_device_space(pointee.getAddressSpace()))
      return "holds a pointer that is neither to device nor to constant memory";
    return value(pointee);
  }

  std::optional<std::string> members(const clang::CXXRecordDecl& record) {
    if (!record.hasDefinition() || !seen_.insert(record.getCanonicalDecl()).second)
      return std::nullopt;
    for (const auto& base : record.getDefinition()->bases())
      if (auto reason = value(base.getType())) return reason;
    std::optional<long long> last;
    for (const auto* field : record.getDefinition()->fields()) {
      if (auto reason = value(field->getType()))
        return fmt::format("has the member '{}', which {}", field->getNameAsString(), *reason);
      const auto id = unit_.attribute(*field, "id");
      if (!id || !id->value) continue;
      if (last && *id->value <= *last)
        return fmt::format(
            "has the member '{}' with [[id({})]] behind [[id({})]]; order the members "
            "by their ids",
            field->getNameAsString(), *id->value, *last);
      last = *id->value;
    }
    return std::nullopt;
  }

  const Unit& unit_;
  std::set<const clang::CXXRecordDecl*> seen_;
};

}  // namespace

std::optional<std::string> find_unstorable(const Unit& unit, clang::QualType type) {
  return Walk(unit).value(type);
}

}  // namespace msci
