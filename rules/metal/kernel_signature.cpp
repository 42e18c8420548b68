#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/text.h"
#include "frontend/attributes.h"
#include "frontend/clang_messages.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

using Parameter = clang::ParmVarDecl;

// The largest index of each kind of argument (Metal Shading Language specification, "Locating
// Buffer, Texture, and Sampler Arguments").
constexpr std::pair<std::string_view, std::int64_t> last_indices[] = {
    {"buffer", 30}, {"texture", 127}, {"sampler", 15}};
constexpr std::int64_t most_indices = 128;  // of one array; a longer one is out of bounds

// Types of the Metal headers that a host binds to a buffer's index, and that are passed by value.
constexpr std::array handles = {"acceleration_structure", "intersection_function_table", "tensor",
                                "visible_function_table"};

// Of a position or a size: 3 if it is a scalar or a vector, of one length in one kernel, and 1 if
// it is always a scalar. 0 for other attributes.
unsigned dimensions_of(const Attribute& attribute) {
  const auto* known = metal_attribute(attribute.name);
  return known ? known->dimensions : 0;
}

bool is_location(const Attribute& attribute) {
  const auto* known = metal_attribute(attribute.name);
  return known && known->kind == AttributeKind::location;
}

std::string type_name(clang::QualType type, const Unit& unit) {
  return to_metal_terms(type.getUnqualifiedType().getAsString(unit.ast().getPrintingPolicy()), "");
}

bool is_unsigned_word(clang::QualType type) {
  const auto* builtin = type.getCanonicalType()->getAs<clang::BuiltinType>();
  return builtin && (builtin->getKind() == clang::BuiltinType::UInt ||
                     builtin->getKind() == clang::BuiltinType::UShort);
}

// Elements of a scalar (1) or a vector; 0 for other types and for elements that count nothing.
unsigned dimensions(clang::QualType type) {
  if (const auto* vector = type.getCanonicalType()->getAs<clang::VectorType>())
    return is_unsigned_word(vector->getElementType()) ? vector->getNumElements() : 0;
  return is_unsigned_word(type) ? 1 : 0;
}

bool is_pointer_or_reference(clang::QualType type) {
  return type->isPointerType() || type->isReferenceType();
}

bool is_handle(clang::QualType type, const Unit& unit) {
  const auto* record = type->getAsCXXRecordDecl();
  return record && !unit.is_users(record->getLocation()) && record->getIdentifier() &&
         std::ranges::count(handles, std::string_view(record->getName())) > 0;
}

bool is_known(clang::QualType type) {
  return !type.isNull() && !type->isDependentType() && !type->containsErrors();
}

// The attribute that says what a parameter is: neither of the C++ ones, nor of access.
std::optional<Attribute> role(const Parameter& parameter, const Unit& unit) {
  for (auto& attribute : unit.attributes(parameter))
    if (attribute.name != "function_constant" && attribute.name != "raster_order_group")
      return std::move(attribute);
  return std::nullopt;
}

// Whether a value of this type could only come from a buffer: a number, a vector, or a struct of
// the user's that holds nothing else. Textures, samplers and tables are given places of their own.
bool is_plain_value(clang::QualType type, const Unit& unit) {
  if (type->isVectorType()) return true;
  const auto* record = type->getAsCXXRecordDecl();
  if (!record) return type->isScalarType() && !type->isPointerType();
  return unit.is_users(record->getLocation()) && record->hasDefinition() &&
         std::all_of(record->field_begin(), record->field_end(), [](const auto* field) {
           return field->getType()->isVectorType() || field->getType()->isArithmeticType();
         });
}

void check_type(const Parameter& parameter, const Unit& unit, Reporter& report) {
  const auto type = parameter.getType();
  const auto attribute = role(parameter, unit);
  if (!attribute) {
    if (is_plain_value(type, unit))
      report(parameter.getLocation(),
             fmt::format("invalid type '{}' for input declaration in a kernel function",
                         type_name(type, unit)));
    return;
  }
  if (attribute->name == "buffer" && !is_pointer_or_reference(type) && !is_handle(type, unit))
    report(parameter.getLocation(),
           fmt::format("invalid type '{}' for buffer declaration", type_name(type, unit)));
  const auto count = dimensions(type);
  const auto most = dimensions_of(*attribute);
  if (most > 0 && (count < 1 || count > most))
    report(parameter.getLocation(), fmt::format("type '{}' is not valid for attribute '{}'",
                                                type_name(type, unit), attribute->name));
}

// How many indices a parameter takes: an array of textures or samplers takes one for each, an
// array that lies in a buffer only the buffer's.
std::int64_t indices_of(const Parameter& parameter, const Attribute& location, const Unit& unit) {
  if (location.name == "buffer" && is_pointer_or_reference(parameter.getType())) return 1;
  const auto* record = parameter.getType().getNonReferenceType()->getAsCXXRecordDecl();
  const auto* array = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!array || array->getName() != "array" || unit.is_users(array->getLocation())) return 1;
  const auto& arguments = array->getTemplateArgs();
  if (arguments.size() != 2 || arguments[1].getKind() != clang::TemplateArgument::Integral)
    return 1;
  return arguments[1].getAsIntegral().getExtValue();
}

void check_index_range(const Attribute& attribute, std::int64_t last, Reporter& report) {
  const auto limit = std::ranges::find(last_indices, attribute.name,
                                       [](const auto& each) { return std::string(each.first); });
  if (limit == std::end(last_indices) || (*attribute.value >= 0 && last <= limit->second)) return;
  report(attribute.place,
         fmt::format("'{}' attribute parameter is out of bounds: must be between 0 and {}",
                     attribute.name, limit->second));
}

// Whether two parameters exist under different function constants, of which a pipeline sets one:
// they may share an index.
bool exclude_each_other(const Parameter& one, const Parameter& other, const Unit& unit) {
  const auto a = unit.attribute(one, "function_constant");
  const auto b = unit.attribute(other, "function_constant");
  return a && b && a->text != b->text;
}

void check_locations(const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
  std::map<std::pair<std::string, std::int64_t>, const Parameter*> taken;
  for (const auto* parameter : kernel.parameters()) {
    const auto attribute = role(*parameter, unit);
    if (!attribute || !is_location(*attribute) || !attribute->value) continue;
    const auto first = *attribute->value,
               last = first + indices_of(*parameter, *attribute, unit) - 1;
    check_index_range(*attribute, last, report);
    for (auto index = first; index <= std::min(last, first + most_indices); ++index) {
      const auto [place, is_free] = taken.try_emplace({attribute->name, index}, parameter);
      if (is_free || exclude_each_other(*place->second, *parameter, unit)) continue;
      report(
          parameter->getLocation(),
          fmt::format("cannot reserve '{}' resource location at index {}", attribute->name, index))
          .note(place->second->getLocation(), "taken here");
      break;
    }
  }
}

void check_dimensions(const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
  struct Input {
    const Parameter* parameter;
    std::string name;
    unsigned count;
  };
  std::vector<Input> inputs;
  for (const auto* parameter : kernel.parameters()) {
    const auto attribute = role(*parameter, unit);
    if (!attribute || dimensions_of(*attribute) < 2) continue;
    if (const auto count = dimensions(parameter->getType()))
      inputs.push_back({parameter, attribute->name, count});
  }
  const auto other = std::find_if(inputs.begin(), inputs.end(), [&](const Input& input) {
    return input.count != inputs.front().count;
  });
  if (other == inputs.end()) return;
  auto draft = report(kernel.getLocation(),
                      "expecting input declarations with either all scalar types or all vector "
                      "types with the same number of elements");
  for (const auto& input : {inputs.front(), *other})
    draft.note(input.parameter->getLocation(),
               fmt::format("declaration with attribute '{}' of type '{}' here", input.name,
                           type_name(input.parameter->getType(), unit)));
}

void check_signature(const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
  if (is_known(kernel.getReturnType()) && !kernel.getReturnType()->isVoidType())
    report(kernel.getLocation(), fmt::format("invalid return type '{}' for kernel function",
                                             type_name(kernel.getReturnType(), unit)));
  for (const auto* parameter : kernel.parameters())
    if (is_known(parameter->getType()) && !parameter->isInvalidDecl())
      check_type(*parameter, unit, report);
  check_locations(kernel, unit, report);
  check_dimensions(kernel, unit, report);
}

// The attribute that was probably meant; empty if none is similar.
std::string_view nearest_attribute(std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto kind : {AttributeKind::position, AttributeKind::location})
    for (const auto& each : metal_attributes())
      if (each.kind == kind) known.push_back(each.name);
  return nearest(name, known);
}

}  // namespace

extern constinit const Rule kernel_signature{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          if (!diagnostic.message.starts_with("unknown attribute ")) return DiagnosticMatch::none;
          const auto name = unit.text(diagnostic.place);
          if (const auto nearest = nearest_attribute(llvm::StringRef(name)); !nearest.empty())
            finding.fixes = {{{{diagnostic.place, std::string(nearest)}}, /*safe=*/false}};
          return DiagnosticMatch::finding;
        },
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto functions = functionDecl(hasAttr(clang::attr::Annotate)).bind("function");
          for (const auto& found : match(functions, unit)) {
            const auto& function = *found.getNodeAs<clang::FunctionDecl>("function");
            if (function.isTemplated() || !unit.attribute(function, "kernel")) continue;
            check_signature(function, unit, report);
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
