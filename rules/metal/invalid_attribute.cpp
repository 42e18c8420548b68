#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <fmt/format.h>

#include <map>
#include <vector>

#include "compiler/frontend/attributes.h"
#include "lint/analysis/functions/signatures.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;
namespace columns = attribute_columns;

// A declaration with an attribute of the table.
struct Subject {
  const clang::Decl& declaration;
  unsigned kind = 0;  // one of the subjects; 0 for what no attribute is for
  FunctionStage stage = FunctionStage::none;
};

// What stands inside of a template is known in its instances.
std::optional<Subject> subject_of(const clang::Decl& declaration, const Unit& unit) {
  if (declaration.isTemplated() || declaration.isInvalidDecl()) return std::nullopt;
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
    return Subject{declaration, columns::functions, stage_of(*function, unit)};
  if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&declaration)) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    return Subject{declaration, columns::inputs,
                   function ? stage_of(*function, unit) : FunctionStage::none};
  }
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration))
    return Subject{declaration, variable->isLocalVarDecl() ? 0 : columns::inputs};
  if (llvm::isa<clang::FieldDecl>(declaration)) return Subject{declaration, columns::members};
  if (llvm::isa<clang::RecordDecl>(declaration)) return Subject{declaration, 0};
  return std::nullopt;
}

std::string_view subjects_in_words(unsigned subjects) {
  if (subjects == columns::functions) return "functions";
  if (subjects == columns::members) return "non-static data members";
  return "parameters and global builtin variables";
}

// "macos-metal2.3", as Apple's compiler calls the versions before metal3.0.
std::string standard(unsigned version) {
  const auto name = spelling_of(LanguageVersion{version});
  return version < 300 ? "macos-" + name : name;
}

// Whether the argument of an attribute is an integer, or is not known yet.
bool is_integer(const clang::Expr& argument) {
  return argument.isTypeDependent() || argument.getType()->isIntegralOrEnumerationType();
}

// The one attribute of a value that may have more than one: a size.
constexpr std::string_view takes_three = "required_threads_per_threadgroup";

bool takes_one(const MetalAttribute& attribute) {
  return attribute.form == AttributeForm::value || attribute.form == AttributeForm::text ||
         attribute.type == AttributeType::constant;
}

// `patch(quad, 16)`: a patch has up to 32 control points.
std::string fault_of_patch(llvm::StringRef words) {
  constexpr unsigned most = 32;
  unsigned points = 0;
  const auto count = words.split(',').second.trim();
  if (count.getAsInteger(0, points) || points <= most) return {};
  return fmt::format("'patch' attribute parameter is out of bounds: must be between 0 and {}",
                     most);
}

// What is wrong with an attribute as it is written, whatever it stands on; empty if nothing is.
std::string fault_of_words(const Attribute& attribute, const clang::AnnotateAttr& written,
                           const MetalAttribute& known, LanguageVersion version) {
  const auto count = written.args_size();
  if (version.number < known.since)
    return fmt::format("'{}' attribute requires Metal language standard {} or higher", known.name,
                       standard(known.since));
  if (known.form == AttributeForm::flag && count > 0)
    return fmt::format("'{}' attribute takes no arguments", known.name);
  if (takes_one(known) && (count == 0 || (count > 1 && known.name != takes_three)))
    return fmt::format("'{}' attribute takes one argument", known.name);
  if (known.form == AttributeForm::text && attribute.value)
    return fmt::format("'{}' attribute requires a string", known.name);
  if (known.form == AttributeForm::value && !is_integer(**written.args_begin()))
    return fmt::format("'{}' attribute requires an integer constant", known.name);
  if (known.name == "patch") return fault_of_patch(attribute.text);
  if (known.last != columns::none && attribute.value &&
      (*attribute.value < 0 || *attribute.value > known.last))
    return fmt::format("'{}' attribute parameter is out of bounds: must be between 0 and {}",
                       known.name, known.last);
  if (known.form == AttributeForm::value && attribute.value && *attribute.value < 0)
    return fmt::format("'{}' attribute parameter is out of bounds: must not be negative",
                       known.name);
  return {};
}

std::string fault_of_place(const Subject& subject, const MetalAttribute& known) {
  if ((known.subjects & subject.kind) == 0 && known.subjects != columns::anything)
    return fmt::format("'{}' attribute only applies to {}", known.name,
                       subjects_in_words(known.subjects));
  if (subject.stage == FunctionStage::none || (known.stages & bit_of(subject.stage)) != 0)
    return {};
  if (subject.kind == columns::functions && known.subjects == columns::functions)
    return fmt::format("'{}' attribute only applies to fragment functions", known.name);
  if (subject.kind == columns::inputs)
    return fmt::format("invalid '{}' attribute for input declaration in a {} function", known.name,
                       stage_name(subject.stage));
  return {};
}

constexpr unsigned first_with_wide_buffers = 230;

// A buffer of integers of 64 bits.
bool is_wide_buffer(clang::QualType type) {
  if (!is_pointer_or_reference(type)) return false;
  auto element = type->getPointeeType().getCanonicalType();
  while (const auto* array = element->getAsArrayTypeUnsafe())
    element = array->getElementType().getCanonicalType();
  if (const auto* vector = element->getAs<clang::VectorType>()) element = vector->getElementType();
  const auto* number = element->getAs<clang::BuiltinType>();
  return number && (number->getKind() == clang::BuiltinType::Long ||
                    number->getKind() == clang::BuiltinType::ULong);
}

std::string fault_of_type(const Subject& subject, const MetalAttribute& known, const Unit& unit) {
  const auto* declared = llvm::dyn_cast<clang::DeclaratorDecl>(&subject.declaration);
  if (!declared || subject.kind == columns::functions || !is_known(declared->getType())) return {};
  const auto type = declared->getType();
  // The members of an argument buffer are bound otherwise, and a parameter may depend on a
  // constant.
  if (subject.kind == columns::members && known.kind == AttributeKind::location) return {};
  if (known.type == AttributeType::constant && !llvm::isa<clang::VarDecl>(declared)) return {};
  if (known.type == AttributeType::constant && llvm::isa<clang::ParmVarDecl>(declared)) return {};
  if (known.type == AttributeType::buffer && is_in_wrong_space(type))
    return fmt::format("invalid address space qualification for buffer pointee type '{}'",
                       pointee_name(type, unit));
  const bool is_too_wide = known.type == AttributeType::buffer && is_wide_buffer(type) &&
                           unit.version().number < first_with_wide_buffers;
  if (!is_too_wide && suits(type, known, unit)) return {};
  return fmt::format("type '{}' is not valid for attribute '{}'", type_name(type, unit),
                     known.name);
}

void check_attributes(const Subject& subject, const Unit& unit, Reporter& report) {
  std::map<AttributeGroup, const MetalAttribute*> groups;
  std::size_t place = 0;
  const auto attributes = unit.attributes(subject.declaration);
  for (const auto* written : subject.declaration.specific_attrs<clang::AnnotateAttr>()) {
    const auto& attribute = attributes[place++];
    const auto* known = metal_attribute(attribute.name);
    if (!known || written->isInherited()) continue;
    // `kernel` behind a record without its ';': the compiler says what is missing.
    if (known->excludes == AttributeGroup::stage &&
        llvm::isa<clang::RecordDecl>(subject.declaration))
      continue;
    auto fault = fault_of_words(attribute, *written, *known, unit.version());
    if (fault.empty()) fault = fault_of_place(subject, *known);
    if (!fault.empty()) {
      report(attribute.place, std::move(fault));
      continue;
    }
    if (fault = fault_of_type(subject, *known, unit); !fault.empty())
      report(subject.declaration.getLocation(), std::move(fault));
    if (known->excludes == AttributeGroup::nothing) continue;
    const auto [first, is_first] = groups.try_emplace(known->excludes, known);
    if (!is_first && first->second != known)
      report(attribute.place, fmt::format("'{}' and '{}' attributes are not compatible",
                                          first->second->name, known->name));
  }
}

// Two inputs of one meaning. One author says that Apple refuses them; of what another stage hands
// on, the specification says so.
void check_once(const clang::FunctionDecl& function, const Unit& unit, Reporter& report) {
  std::map<std::string, const clang::ParmVarDecl*> taken;
  for (const auto* parameter : function.parameters())
    for (const auto& attribute : unit.attributes(*parameter)) {
      const auto* known = metal_attribute(attribute.name);
      if (!known || known->excludes != AttributeGroup::role ||
          known->kind == AttributeKind::location)
        continue;
      const auto [first, is_first] = taken.try_emplace(attribute.name, parameter);
      if (is_first || first->second == parameter) continue;
      report(attribute.place,
             fmt::format("declaration with attribute '{}' already specified", attribute.name))
          .note(first->second->getLocation(), "previous declaration here")
          .severity(attribute.name == "stage_in" ? Severity::error : Severity::warning);
    }
}

}  // namespace

extern constinit const Rule invalid_attribute{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto annotated = decl(hasAttr(clang::attr::Annotate)).bind("declaration");
          for (const auto& found : match(annotated, unit)) {
            const auto& declaration = *found.getNodeAs<clang::Decl>("declaration");
            const auto subject = subject_of(declaration, unit);
            if (!subject) continue;
            check_attributes(*subject, unit, report);
            if (subject->stage != FunctionStage::none && subject->kind == columns::functions)
              check_once(llvm::cast<clang::FunctionDecl>(declaration), unit, report);
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
