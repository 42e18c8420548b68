#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "base/text.h"
#include "compiler/frontend/attributes.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/functions/signatures.h"
#include "lint/analysis/matchers.h"
#include "lint/analysis/written_space.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

using Parameter = clang::ParmVarDecl;

constexpr std::int64_t most_indices = 128;  // of one array; a longer one is out of bounds

// Of a position or a size: 3 if it is a scalar or a vector, of one length in one kernel, and 1 if
// it is always a scalar. 0 for other attributes.
unsigned dimensions_of(const Attribute& attribute) {
  const auto* known = metal_attribute(attribute.name);
  return known ? known->dimensions : 0;
}

// The attribute that says what a parameter is: neither of the C++ ones, nor of access.
std::optional<Attribute> role(const Parameter& parameter, const Unit& unit) {
  for (auto& attribute : unit.attributes(parameter))
    if (attribute.name != "function_constant" && attribute.name != "raster_order_group")
      return std::move(attribute);
  return std::nullopt;
}

// Classes of the headers whose objects lie in buffers, by the beginnings of their names.
constexpr std::string_view values[] = {"matrix", "$packed", "$mask", "atomic"};

// Whether a value of this type could only come from a buffer: a number, a vector, a matrix, or a
// struct of the user's that holds nothing else. Textures, samplers and tables are given places of
// their own.
bool is_plain_value(clang::QualType type, const Unit& unit) {
  if (type->isVectorType()) return true;
  const auto* record = type->getAsCXXRecordDecl();
  if (!record) return type->isScalarType() && !type->isPointerType();
  if (!unit.is_users(record->getLocation())) {
    const auto element = bound_of(type, unit).element;
    if (element != type) return is_plain_value(element, unit);
    return std::ranges::any_of(
        values, [&](std::string_view name) { return is_metal_class(type, name, unit); });
  }
  return record->hasDefinition() &&
         std::all_of(record->field_begin(), record->field_end(), [](const auto* field) {
           return field->getType()->isVectorType() || field->getType()->isArithmeticType();
         });
}

// What a host gives to a parameter that has no attribute: the location of that kind is the lowest
// free one.
std::string_view location_of(const Parameter& parameter, const Unit& unit) {
  const auto type = parameter.getType();
  const auto bound = bound_of(type, unit).element;
  if (is_metal_class(bound, "texture", unit) || is_metal_class(bound, "depth", unit))
    return "texture";
  if (is_metal_class(bound, "sampler", unit)) return "sampler";
  if (!is_pointer_or_reference(type)) return {};
  const auto space = space_of(type->getPointeeType());
  if (space == Space::threadgroup) return "threadgroup";
  return space == Space::thread ? std::string_view() : "buffer";
}

// Whether a pointer, or a reference to a value, is written.
bool is_memory(clang::QualType type, const Unit& unit) {
  return type->isPointerType() ||
         (type->isReferenceType() && is_plain_value(type->getPointeeType(), unit));
}

// Classes of the headers that some stages have for their inputs: the first that a name begins with.
struct InputClass {
  std::string_view beginning;
  unsigned stages;
};
constexpr InputClass input_classes[] = {
    {"mesh_grid_properties", attribute_columns::object},
    {"mesh", attribute_columns::mesh},
    {"imageblock", attribute_columns::kernel | attribute_columns::fragment},
};

bool is_of_other_stages(clang::QualType type, FunctionStage stage, const Unit& unit) {
  const auto* row = std::ranges::find_if(input_classes, [&](const InputClass& each) {
    return is_metal_class(type, each.beginning, unit);
  });
  return row != std::end(input_classes) && (row->stages & bit_of(stage)) == 0;
}

// Classes of the headers that no stage hands on, by the beginnings of their names.
constexpr std::string_view no_values[] = {"texture", "depth", "sampler", "matrix"};

// What no stage hands on: memory, textures, samplers and matrices.
bool is_no_value(clang::QualType type, const Unit& unit) {
  if (is_pointer_or_reference(type)) return true;
  return std::ranges::any_of(
      no_values, [&](std::string_view name) { return is_metal_class(type, name, unit); });
}

// What a stage hands on comes in as a struct of values.
void check_stage_in(const Parameter& parameter, const Unit& unit, Reporter& report) {
  const auto* record = parameter.getType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || !unit.is_users(record->getLocation())) return;
  for (const auto* field : record->fields())
    if (is_no_value(field->getType(), unit)) {
      report(parameter.getLocation(), fmt::format("type '{}' is not valid for attribute 'stage_in'",
                                                  type_name(parameter.getType(), unit)))
          .note(field->getLocation(), fmt::format("invalid type '{}' for input declaration",
                                                  type_name(field->getType(), unit)));
      return;
    }
}

void check_input(const Parameter& parameter, FunctionStage stage, const Unit& unit,
                 Reporter& report) {
  const auto type = parameter.getType();
  if (const auto attribute = role(parameter, unit)) {
    if (attribute->name == "stage_in") check_stage_in(parameter, unit, report);
    return;
  }
  const bool is_value = stage == FunctionStage::kernel
                            ? is_plain_value(type, unit)
                            : type->isVectorType() || type->isArithmeticType();
  if (is_value || is_of_other_stages(type, stage, unit))
    report(parameter.getLocation(), fmt::format("invalid type '{}' for input declaration in a {} "
                                                "function",
                                                type_name(type, unit), stage_name(stage)));
  else if (stage == FunctionStage::kernel && is_memory(type, unit) &&
           space_of(type->getPointeeType()) == Space::thread && !has_generic_space(unit.version()))
    report(parameter.getLocation(),
           fmt::format("invalid address space qualification for buffer pointee type '{}'",
                       pointee_name(type, unit)));
}

// How many indices a parameter takes: an array of textures or samplers takes one for each, an
// array that lies in a buffer only the buffer's.
std::int64_t indices_of(const Parameter& parameter, std::string_view location, const Unit& unit) {
  if (location == "buffer" && is_pointer_or_reference(parameter.getType())) return 1;
  return bound_of(parameter.getType(), unit).count;
}

// Whether two parameters exist under different function constants, of which a pipeline sets one:
// they may share an index.
bool exclude_each_other(const Parameter& one, const Parameter& other, const Unit& unit) {
  const auto a = unit.attribute(one, "function_constant");
  const auto b = unit.attribute(other, "function_constant");
  return a && b && a->text != b->text;
}

using Taken = std::map<std::pair<std::string, std::int64_t>, const Parameter*>;

void check_location(const Parameter& parameter, const Attribute& attribute, Taken& taken,
                    const Unit& unit, Reporter& report) {
  const auto* known = metal_attribute(attribute.name);
  if (!known || known->kind != AttributeKind::location || !attribute.value) return;
  const auto first = *attribute.value,
             last = first + indices_of(parameter, attribute.name, unit) - 1;
  // metal.invalid_attribute says so of the first one.
  if (first >= 0 && first <= known->last && last > known->last)
    report(attribute.place,
           fmt::format("'{}' attribute parameter is out of bounds: must be between 0 and {}",
                       attribute.name, known->last));
  for (auto index = first; index <= std::min(last, first + most_indices); ++index) {
    const auto [place, is_free] = taken.try_emplace({attribute.name, index}, &parameter);
    if (is_free || exclude_each_other(*place->second, parameter, unit)) continue;
    report(parameter.getLocation(),
           fmt::format("cannot reserve '{}' resource location at index {}", attribute.name, index))
        .note(place->second->getLocation(), "taken here");
    break;
  }
}

// Parameters without an index take the lowest free ones, in order.
void check_numbering(const clang::FunctionDecl& function, Taken& taken, const Unit& unit,
                     Reporter& report) {
  for (const auto* parameter : function.parameters()) {
    const auto location =
        role(*parameter, unit) ? std::string_view() : location_of(*parameter, unit);
    if (location.empty() || unit.attribute(*parameter, "function_constant")) continue;
    const auto last = metal_attribute(location)->last;
    std::int64_t index = 0;
    while (index <= last && !taken.try_emplace({std::string(location), index}, parameter).second)
      ++index;
    if (index > last)
      report(parameter->getLocation(), fmt::format("no '{}' resource location available for '{}'",
                                                   location, parameter->getNameAsString()));
  }
}

void check_locations(const clang::FunctionDecl& function, const Unit& unit, Reporter& report) {
  Taken taken;
  for (const auto* parameter : function.parameters())
    if (const auto attribute = role(*parameter, unit))
      check_location(*parameter, *attribute, taken, unit, report);
  check_numbering(function, taken, unit, report);
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

// Attributes of members that a stage cannot hand on.
constexpr std::string_view not_of_vertices[] = {"color", "depth", "stencil", "sample_mask"};
constexpr std::string_view not_of_fragments[] = {"position", "point_size", "clip_distance"};

// A member of the result that the stage cannot hand on, or null.
const clang::FieldDecl* refused_output(clang::QualType result, FunctionStage stage,
                                       const Unit& unit) {
  const auto* record = result->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || !unit.is_users(record->getLocation())) return nullptr;
  std::span<const std::string_view> refused = not_of_fragments;
  if (stage == FunctionStage::vertex) refused = not_of_vertices;
  for (const auto* field : record->fields()) {
    if (is_no_value(field->getType(), unit)) return field;
    for (const auto& attribute : unit.attributes(*field))
      if (std::ranges::count(refused, attribute.name) > 0) return field;
  }
  return nullptr;
}

// Whether a stage can give a value of this type. What a vertex function gives alone is a position.
bool is_result(clang::QualType type, FunctionStage stage, const Unit& unit) {
  if (type->isVoidType()) return true;
  if (stage != FunctionStage::vertex && stage != FunctionStage::fragment) return false;
  if (is_no_value(type, unit)) return false;
  const bool is_number = type->isArithmeticType() || type->isVectorType();
  return stage == FunctionStage::fragment || !is_number ||
         suits(type, *metal_attribute("position"), unit);
}

void check_result(const clang::FunctionDecl& function, FunctionStage stage, const Unit& unit,
                  Reporter& report) {
  const auto result = function.getReturnType();
  if (!is_known(result)) return;
  const bool fits = is_result(result, stage, unit);
  const auto* member = fits ? refused_output(result, stage, unit) : nullptr;
  if (fits && !member) return;
  auto draft =
      report(function.getLocation(), fmt::format("invalid return type '{}' for {} function",
                                                 type_name(result, unit), stage_name(stage)));
  if (!member) return;
  const auto attributes = unit.attributes(*member);
  draft.note(member->getLocation(),
             attributes.empty() ? fmt::format("invalid type '{}' for output declaration",
                                              type_name(member->getType(), unit))
                                : fmt::format("invalid '{}' attribute for output declaration",
                                              attributes.front().name));
}

// A test before the function runs takes no depth of the function's.
void check_early_tests(const clang::FunctionDecl& function, const Unit& unit, Reporter& report) {
  if (!unit.attribute(function, "early_fragment_tests")) return;
  const auto* record = function.getReturnType()->getAsCXXRecordDecl();
  bool gives_depth = unit.attribute(function, "depth").has_value();
  if (record && record->hasDefinition())
    for (const auto* field : record->fields())
      gives_depth |= unit.attribute(*field, "depth").has_value();
  if (gives_depth)
    report(function.getLocation(),
           "'early_fragment_tests' attribute is not compatible with a result that has 'depth'");
}

void check_signature(const clang::FunctionDecl& function, FunctionStage stage, const Unit& unit,
                     Reporter& report) {
  check_result(function, stage, unit, report);
  check_early_tests(function, unit, report);
  for (const auto* parameter : function.parameters())
    if (is_known(parameter->getType()) && !parameter->isInvalidDecl())
      check_input(*parameter, stage, unit, report);
  check_locations(function, unit, report);
  if (stage == FunctionStage::kernel) check_dimensions(function, unit, report);
}

// What a host dispatches or draws with, nothing else calls.
void check_calls(const Unit& unit, Reporter& report) {
  const auto calls =
      callExpr(callee(functionDecl(hasAttr(clang::attr::Annotate)).bind("callee"))).bind("call");
  for (const auto& found : match(calls, unit)) {
    const auto& callee = *found.getNodeAs<clang::FunctionDecl>("callee");
    const auto stage = stage_of(callee, unit);
    if (stage != FunctionStage::none && stage != FunctionStage::intersection)
      report(found.getNodeAs<clang::CallExpr>("call")->getBeginLoc(),
             fmt::format("call to {} function '{}'", stage_name(stage), callee.getNameAsString()));
  }
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
            const auto stage = stage_of(function, unit);
            if (function.isTemplated() || stage == FunctionStage::none ||
                stage == FunctionStage::intersection)
              continue;
            check_signature(function, stage, unit, report);
          }
          check_calls(unit, report);
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
