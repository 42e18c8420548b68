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

}  // namespace msci::host
