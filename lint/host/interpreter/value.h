// The values of the abstract interpreter: what a variable of a host may hold.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lint/host/host.h"
#include "lint/host/syntax/syntax_tree.h"

namespace msci::host {

struct Object;
struct Variable;
struct Scope;

// Arithmetic on loaded data, and where it stands.
struct Work {
  Range range;
  std::string call;
};

// One value, or one of several if paths differ.
struct Value {
  enum class Kind { unknown, number, string, kernel, object, closure, address, one_of };
  Kind kind = Kind::unknown;
  double number = 0;
  std::string text;                          // of a string; of a kernel: its name, "" if unknown
  std::shared_ptr<Object> object;            // of an object; of a kernel: its arguments
  bool is_pointer = false;                   // to the object, rather than the object itself
  std::shared_ptr<Variable> variable;        // of an address: the variable that has it
  const Node* code = nullptr;                // of a closure: a lambda or a function
  std::shared_ptr<Scope> scope;              // of a closure: the scope around it
  std::vector<Value> choices;                // of one_of
  std::set<std::shared_ptr<Object>> loaded;  // the memory that the value is made from
  std::optional<Work> computed;              // the arithmetic that made it; none if it is copied
  std::string type;                          // of a cast pointer
};

// The memory or the value that is bound at an index.
struct Bound {
  HostBinding binding;
  std::vector<std::shared_ptr<Object>> memory;
};

// Anything with an identity: an object, an array, a buffer, an encoder, a library.
struct Object {
  enum class Role { object, buffer, encoder, library };
  Role role = Role::object;
  std::string name;   // of the first variable that holds it
  std::string owner;  // its class, if the host defines the class
  std::vector<Value> items;
  std::map<std::string, Value> fields;  // members, or the items of a map
  bool exact = true;                    // false: there may be further items
  std::string type;                     // of an element: "float"; "" if unknown

  // What an encoder, or a kernel of OpenCL, has been given for its next dispatch.
  Value pipeline;
  std::vector<Bound> bindings;
  bool bindings_known = true;
  std::size_t overlapping = 0;  // of its next dispatch (HostDispatch)

  // Which memory the value is, and where dispatches have bound it.
  std::size_t number = 0;            // of memory that was bound; 0 before
  std::set<BoundArgument> bound_to;  // by the dispatches so far; a copy has those of the original
  bool is_callers = false;           // belongs to a caller of the host
  bool read_back = false;            // holds, or held, the result of a kernel
  std::optional<Work> cpu_work;      // the last bulk computation that no kernel has used yet
  std::set<BoundArgument> cpu_work_reads;  // what the memory that it reads was bound to
};

// The type of memory that is cast to pointers of different types.
constexpr const char* contradictory_type = "?";

struct Variable {
  Value value;
  std::string type;
  bool constant = false;
  bool is_element = false;   // a reference to an element of value.object
  unsigned declared_at = 0;  // the number of open branches there
};

struct Scope {
  std::shared_ptr<Scope> parent;
  std::map<std::string, std::shared_ptr<Variable>> variables;
};

Value number_value(double number);
Value string_value(std::string text);
Value object_value(std::shared_ptr<Object> object, bool is_pointer = false);
Value closure_value(const Node& code, std::shared_ptr<Scope> scope);
Value pair_value(Value first, Value second);

// One of the two.
Value join(const Value& a, const Value& b);
// "+", "*="
bool is_arithmetic(std::string_view mark);

// The choices of one_of, or the value itself.
std::vector<Value> alternatives(const Value& value);
std::vector<std::shared_ptr<Object>> objects_of(const Value& value);
bool holds(const Value& value, Value::Kind kind);
std::optional<double> number_of(const Value& value);
// Known only if all alternatives agree.
std::optional<bool> truth_of(const Value& value);

// "std::vector<float>" → "float"; "const float*" → "float"; "Info[]" → "Info".
std::string element_type(std::string_view type);
// "NS::String::string" → "string"; "make<float>" → "make".
std::string last_name(std::string_view name);
// A member without the marks of its kind: "_x", "x_" and "m_x" → "x".
std::string field_name(std::string_view name);
// The size in bytes of a common type: "float", "uint32_t", "cl_mem".
std::optional<std::size_t> size_of_type(std::string_view type);

// What the interpreter knows at one point of a host: objects, variables, and the path to here.
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

// Reads and writes of memory: items of containers, and what is computed from what.

// The value that a pointer to a variable leads to; any other value itself.
Value target_of(const Value& value);
Value pointer_to(Value value);

// The items of a list, or the pairs of a map.
std::vector<Value> items_of(const Object& object);
// The items that may stand at this index or key.
Value item_of(const Object& object, const Value& at);
// The same for every object that `base` may be; the result counts as loaded from them.
Value load_item(const Value& base, const Value& at);
// Only the first of so many items are kept.
constexpr std::size_t most_items = 256;
void store_item(const State& state, Object& object, const Value& at, const Value& value);

// Notes that a value is loaded from this memory.
void load(Value& value, const std::shared_ptr<Object>& object);
// What a pointer cast says about the elements of the memory: "float*". Contradictory casts make
// the type unknown.
void learn_element_type(const Value& value, const std::string& type);

// The CPU computes what this memory holds from now on.
void compute(State& state, Object& object, Work work,
             const std::set<std::shared_ptr<Object>>& from);
// Copies data without arithmetic.
void copy(State& state, Object& object, const std::set<std::shared_ptr<Object>>& from);
// The first of these values that is memory.
Value first_memory(const std::vector<Value>& values);
// Copies between what two values point to.
void copy_between(State& state, const Value& to, const Value& from);
// Adds the memory's CPU work to the result. `remains`: no kernel uses the memory afterwards.
void report_cpu_work(State& state, const Object& object, bool remains);

}  // namespace msci::host
