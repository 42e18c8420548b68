// What the interpreter knows at one point of a host: objects, variables, and the path to here.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lint/host/interpreter/value.h"

namespace msci::host {

class State {
 public:
  explicit State(Host& result) : host(result), globals(std::make_shared<Scope>()), scope(globals) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  // Clears all values, since objects can hold each other.
  ~State();

  std::shared_ptr<Object> make_object(Object::Role role = Object::Role::object);
  // All objects in the order of their making.
  const std::vector<std::shared_ptr<Object>>& objects() const { return objects_; }

  // The variable of this name that is visible here, or null.
  std::shared_ptr<Variable> find(const std::string& name) const;
  std::shared_ptr<Variable> declare(const std::string& name, Value value, std::string type = {});
  // On a path that may not be taken, the old value stays possible.
  void assign(Variable& variable, const Value& value) const;
  void assign_field(Object& object, const std::string& name, const Value& value) const;
  // Whether the code here may run more often, or less often, than it is interpreted.
  bool may_repeat() const { return open_branches > 0 || unknown_loops > 0; }

  Host& host;  // the result
  std::shared_ptr<Scope> globals;
  std::shared_ptr<Scope> scope;
  std::shared_ptr<Object> self;         // the object of the current member function, or null
  std::set<const Node*> library_calls;  // the calls that make a library of kernels
  bool uses_gpu = false;                // the current entry point does
  unsigned open_branches = 0;           // enclosing branches that may not be taken
  unsigned loops = 0;                   // enclosing loops
  unsigned unknown_loops = 0;           // enclosing loops whose count is unknown
  unsigned packs = 0;                   // enclosing functions with a parameter pack
  std::size_t overlaps = 0;             // groups of dispatches that may overlap
  std::size_t bound_memories = 0;       // that have a number

 private:
  std::vector<std::shared_ptr<Object>> objects_;
  std::vector<std::shared_ptr<Variable>> variables_;
};

// Counts an enclosing loop of unknown length while it lives.
class UnknownLoop {
 public:
  explicit UnknownLoop(State& state) : state_(state) { ++state.loops, ++state.unknown_loops; }
  ~UnknownLoop() { --state_.loops, --state_.unknown_loops; }
  UnknownLoop(const UnknownLoop&) = delete;
  UnknownLoop& operator=(const UnknownLoop&) = delete;

 private:
  State& state_;
};

// Counts an enclosing branch that may not be taken while it lives.
class OpenBranch {
 public:
  explicit OpenBranch(State& state) : state_(state) { ++state.open_branches; }
  ~OpenBranch() { --state_.open_branches; }
  OpenBranch(const OpenBranch&) = delete;
  OpenBranch& operator=(const OpenBranch&) = delete;

 private:
  State& state_;
};

// Enters a new scope while it lives.
class NestedScope {
 public:
  explicit NestedScope(State& state) : state_(state), outer_(state.scope) {
    state.scope = std::make_shared<Scope>(Scope{outer_, {}});
  }
  ~NestedScope() { state_.scope = outer_; }
  NestedScope(const NestedScope&) = delete;
  NestedScope& operator=(const NestedScope&) = delete;

 private:
  State& state_;
  std::shared_ptr<Scope> outer_;
};

}  // namespace msci::host
