// What the variables of a host hold while it is followed, as far as that can be known.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lint/host/host.h"
#include "lint/host/syntax.h"

namespace msci::host {

struct Thing;
struct Variable;
struct Scope;

// Arithmetic on loaded data, and where.
struct Work {
  Range range;
  std::string call;
};

// One value, or one of several (`any`) where paths differ.
struct Value {
  enum class Kind { unknown, number, text, kernel, thing, closure, address, any };
  Kind kind = Kind::unknown;
  double number = 0;
  std::string text;                    // a text's; of a kernel its name, "" where unknown
  std::shared_ptr<Thing> thing;        // a thing; of a kernel its arguments
  bool points = false;                 // at the thing, rather than being it
  std::shared_ptr<Variable> variable;  // whose address it is
  const Node* code = nullptr;          // of a closure or a function
  std::shared_ptr<Scope> scope;        // around a closure
  std::vector<Value> any;
  std::set<std::shared_ptr<Thing>> loaded;  // the memory that went into it
  std::optional<Work> computed;             // how, if not by copying alone
  std::string type;                         // of what was cast
};

// A value that was set at an index.
struct Bound {
  HostBinding binding;
  std::vector<std::shared_ptr<Thing>> memory;
};

// What has an identity: an object, an array, a buffer, an encoder, a library.
struct Thing {
  enum class Role { object, array, buffer, encoder, library };
  Role role = Role::object;
  std::string name;   // of the variable that held it first
  std::string owner;  // its class, where that is the host's own
  std::vector<Value> items;
  std::map<std::string, Value> fields;  // members, and what a map holds
  bool exact = true;                    // false: there may be more items than those
  std::string type;                     // of an element: "float"; "" unknown

  // Of encoders, and of kernels in OpenCL.
  Value pipeline;
  std::vector<Bound> bindings;
  bool bindings_known = true;

  // Of memory.
  std::set<BoundArgument> bound;  // by the dispatches so far; of a copy, what the original was
  bool outside = false;           // belongs to whoever calls the host
  bool read_back = false;         // holds, or held, what a kernel computed
  std::optional<Work> pending;    // the last bulk computation, until a kernel takes the memory
  std::set<BoundArgument> pending_reads;
};

struct Variable {
  Value value;
  std::string type;
  bool constant = false;
  bool is_element = false;   // a reference to an element of value.thing
  unsigned declared_at = 0;  // how many open branches there were
};

struct Scope {
  std::shared_ptr<Scope> parent;
  std::map<std::string, std::shared_ptr<Variable>> variables;
};

Value number_value(double number);
Value text_value(std::string text);
Value thing_value(std::shared_ptr<Thing> thing, bool points = false);
Value pair_value(Value first, Value second);

// One of the two.
Value joined(const Value& a, const Value& b);
// The alternatives, or the value itself.
std::vector<Value> alternatives(const Value& value);
std::vector<std::shared_ptr<Thing>> things_of(const Value& value);
bool holds(const Value& value, Value::Kind kind);
// Known only where all alternatives agree.
std::optional<double> number_of(const Value& value);
std::optional<bool> truth_of(const Value& value);

// "std::vector<float>" → "float"; "const float*" → "float"; "Info[]" → "Info".
std::string element_type(std::string_view type);
// "NS::String::string" → "string"; "make<float>" → "make".
std::string last_name(std::string_view name);
// Bytes of a C++ type that every host spells alike.
std::optional<std::size_t> size_of_type(std::string_view type);

}  // namespace msci::host
