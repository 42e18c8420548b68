// The functions and types that a host defines.
#pragma once

#include <map>
#include <set>
#include <string>
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
  // The type of a class's data member; "" without one.
  std::string member_type(const std::string& owner, const std::string& name) const;

  // main(); without a main(), the functions that no other function uses.
  std::vector<const Node*> entry_points() const;

 private:
  std::map<std::string, std::vector<const Node*>> functions_;  // by last name
  std::map<std::string, const Node*> types_;
};

// "Runner::run" → "Runner"; "" for a free function.
std::string owner_of(const Node& function);

// template <typename... T> void f(T... all)
bool takes_pack(const Node& function);

}  // namespace msci::host
