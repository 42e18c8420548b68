// The functions and types that a host defines, and the sizes of these types.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lint/host/syntax/syntax_tree.h"

namespace msci::host {

class SymbolTable {
 public:
  // Adds a function, or a type with its member functions.
  void add(const Node& declaration);

  // The functions with this last name, in order.
  const std::vector<const Node*>& functions(const std::string& name) const;
  bool has_type(const std::string& name) const { return types_.contains(name); }
  // The definition of a type, or null.
  const Node* type(const std::string& name) const;
  const std::map<std::string, const Node*>& types() const { return types_; }
  // Whether another type has the same last name.
  bool is_defined_twice(const Node& definition) const { return twice_.contains(definition.text); }
  // The type of a class's data member; "" without one.
  std::string member_type(const std::string& owner, const std::string& name) const;

  // main(), or null.
  const Node* main_function() const;
  // The functions that no other function uses, in order.
  std::vector<const Node*> unused_functions() const;

 private:
  std::map<std::string, std::vector<const Node*>> functions_;  // by last name
  std::map<std::string, const Node*> types_;
  std::set<std::string> twice_;
};

// Refers to the tree and to its symbols.
class TypeLayouts {
 public:
  TypeLayouts(const Tree& tree, const SymbolTable& symbols) : tree_(tree), symbols_(symbols) {}

  // sizeof(T); nothing unless all that decides it is known: bases, arrays, bit-fields, alignas,
  // packing, unnamed members, members that the parser cannot read, preprocessor directives and
  // second definitions make a struct unknown.
  std::optional<std::size_t> bytes_of(std::string_view type) const;

 private:
  struct Layout {
    std::size_t bytes = 0;
    std::size_t alignment = 1;
  };
  std::optional<Layout> layout_of(std::string_view type, unsigned depth) const;
  static std::optional<Layout> layout_of_vector(std::string_view type);
  std::optional<Layout> layout_of_struct(const Node& definition, unsigned depth) const;

  const Tree& tree_;
  const SymbolTable& symbols_;
};

// "Runner::run" → "Runner"; "" for a free function.
std::string owner_of(const Node& function);

// template <typename... T> void f(T... all)
bool takes_pack(const Node& function);

}  // namespace msci::host
