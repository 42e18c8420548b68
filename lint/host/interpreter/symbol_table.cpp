#include "lint/host/interpreter/symbol_table.h"

#include <algorithm>

#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

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
  types_[declaration.text] = &declaration;
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

std::vector<const Node*> SymbolTable::entry_points() const {
  if (const auto& mains = functions("main"); !mains.empty()) return {mains.front()};
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

std::string owner_of(const Node& function) {
  const auto at = function.text.rfind("::");
  return at == std::string::npos ? "" : last_name(function.text.substr(0, at));
}

bool takes_pack(const Node& function) {
  return function.parameters > 0 &&
         function.children[function.parameters - 1]->type.find("...") != std::string::npos;
}

}  // namespace msci::host
