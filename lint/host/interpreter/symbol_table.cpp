#include <algorithm>

#include "base/scalar.h"
#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

constexpr unsigned deepest_struct = 8;
constexpr std::size_t pointer_bytes = 8;

// Whether the class has the member, and not each of its objects.
bool is_static(const Node& member) {
  return member.type.starts_with("static") || member.type.starts_with("constexpr") ||
         member.type.starts_with("inline");
}

std::size_t next_multiple(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// Inserts the last names of all functions, members and types that the code uses.
void insert_used_names(const Node& node, std::set<std::string>& names) {
  if (node.kind == Kind::name || node.kind == Kind::member) names.insert(last_name(node.text));
  if (node.kind == Kind::message) names.insert(node.text);
  const bool makes = node.kind == Kind::variable || node.kind == Kind::init_list ||
                     node.kind == Kind::new_object || node.kind == Kind::cast;
  if (makes) {
    names.insert(last_name(node.type));
    names.insert(element_type(node.type));
  }
  for (const auto& child : node.children) insert_used_names(*child, names);
}

}  // namespace

void SymbolTable::add(const Node& declaration) {
  if (declaration.kind == Kind::function)
    functions_[last_name(declaration.text)].push_back(&declaration);
  if (declaration.kind != Kind::type) return;
  if (!types_.insert_or_assign(declaration.text, &declaration).second)
    twice_.insert(declaration.text);
  for (const auto& member : declaration.children) add(*member);
}

const std::vector<const Node*>& SymbolTable::functions(const std::string& name) const {
  static const std::vector<const Node*> none;
  const auto found = functions_.find(name);
  return found == functions_.end() ? none : found->second;
}

const Node* SymbolTable::type(const std::string& name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? nullptr : found->second;
}

std::string SymbolTable::member_type(const std::string& owner, const std::string& name) const {
  if (const auto* definition = type(owner))
    for (const auto& member : definition->children)
      if (member->kind == Kind::variable && member->text == name) return member->type;
  return {};
}

const Node* SymbolTable::main_function() const {
  const auto& mains = functions("main");
  return mains.empty() ? nullptr : mains.front();
}

std::vector<const Node*> SymbolTable::unused_functions() const {
  std::set<std::string> used;
  for (const auto& [name, all] : functions_)
    for (const auto* function : all) {
      std::set<std::string> names;
      for (const auto& child : function->children) insert_used_names(*child, names);
      names.erase(name);  // a recursive call does not count as a use
      used.merge(names);
    }
  std::vector<const Node*> unused;
  for (const auto& [name, all] : functions_)
    for (const auto* function : all)
      if (!used.contains(name) && !name.starts_with('~')) unused.push_back(function);
  std::sort(unused.begin(), unused.end(),
            [](const Node* a, const Node* b) { return a->range.begin < b->range.begin; });
  return unused;
}

std::optional<std::size_t> TypeLayouts::bytes_of(std::string_view type) const {
  const auto layout = layout_of(type.substr(0, type.find('&')), 0);
  return layout ? std::optional(layout->bytes) : std::nullopt;
}

std::vector<HostMember> TypeLayouts::members_of(std::string_view type) const {
  const auto layout = layout_of(type.substr(0, type.find('&')), 0);
  return layout ? layout->members : std::vector<HostMember>{};
}

std::optional<TypeLayouts::Layout> TypeLayouts::layout_of(std::string_view type,
                                                          unsigned depth) const {
  if (depth > deepest_struct || type.find_first_of("[<") != std::string_view::npos)
    return std::nullopt;
  if (type.find_first_of("*&") != std::string_view::npos)
    return Layout{pointer_bytes, pointer_bytes};
  const auto name = element_type(type);
  if (const auto bytes = size_of_type(name)) return Layout{*bytes, *bytes};
  if (const auto vector = layout_of_vector(name)) return vector;
  const auto* definition = symbols_.type(last_name(name));
  return definition ? layout_of_struct(*definition, depth) : std::nullopt;
}

// "simd_float3", "simd::float3" and "vector_float3" are Metal's float3. Packed vectors are aligned
// as their elements are.
std::optional<TypeLayouts::Layout> TypeLayouts::layout_of_vector(std::string_view type) {
  for (const std::string_view prefix : {"simd_", "simd::", "vector_"}) {
    if (!type.starts_with(prefix)) continue;
    const auto vector = type.substr(prefix.size());
    const auto bytes = value_bytes(vector);
    if (!bytes) return std::nullopt;
    return Layout{*bytes, vector.starts_with("packed_") ? scalar_of(vector)->bytes : *bytes};
  }
  return std::nullopt;
}

std::optional<TypeLayouts::Layout> TypeLayouts::layout_of_struct(const Node& definition,
                                                                 unsigned depth) const {
  const auto has_directive = [&](unsigned line) {
    return line >= definition.range.begin.line && line <= definition.range.end.line;
  };
  if (definition.type != plain_struct || tree_.is_packed || symbols_.is_defined_twice(definition) ||
      std::ranges::any_of(tree_.directives, has_directive))
    return std::nullopt;
  Layout whole;
  for (const auto& member : definition.children) {
    if (member->kind == Node::Kind::empty) return std::nullopt;
    if (member->kind != Node::Kind::variable || is_static(*member)) continue;
    const auto layout = layout_of(member->type, depth + 1);
    if (!layout) return std::nullopt;
    const auto offset = next_multiple(whole.bytes, layout->alignment);
    whole.members.push_back({last_name(member->text), offset, layout->bytes});
    whole.bytes = offset + layout->bytes;
    whole.alignment = std::max(whole.alignment, layout->alignment);
  }
  if (whole.bytes == 0) return std::nullopt;
  whole.bytes = next_multiple(whole.bytes, whole.alignment);
  return whole;
}

std::string owner_of(const Node& function) {
  const auto at = function.text.rfind("::");
  return at == std::string::npos ? "" : last_name(function.text.substr(0, at));
}

bool takes_pack(const Node& function) {
  return function.parameters > 0 &&
         function.children[function.parameters - 1]->type.find("...") != std::string::npos;
}

}  // namespace msci::host
