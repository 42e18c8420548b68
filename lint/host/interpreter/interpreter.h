// An abstract interpreter: runs a host on values that may be unknown, and notes what it does with
// kernels.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lint/host/host.h"
#include "lint/host/interpreter/value.h"
#include "lint/host/syntax/syntax_tree.h"

namespace msci::host {

// A call of a function or a method, with its arguments evaluated.
struct Call {
  std::string name;  // the function's, or of a method the name that metal-cpp gives it
  const Node* node = nullptr;
  std::optional<Value> receiver;
  NodePtr receiver_node;
  std::vector<Value> arguments;
  std::vector<NodePtr> nodes;  // of the arguments

  // Null if there are fewer arguments.
  const Value* argument(std::size_t index) const {
    return index < arguments.size() ? &arguments[index] : nullptr;
  }
};

// The functions and types that a host defines, and the sizes of these types.
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
  // The members of a struct whose size is known; none of other types.
  std::vector<HostMember> members_of(std::string_view type) const;

 private:
  struct Layout {
    std::size_t bytes = 0;
    std::size_t alignment = 1;
    std::vector<HostMember> members = {};
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

// Fills in what `host` does; `tree` is the syntax of its source.
void interpret(const Tree& tree, Host& host);

// The interpreter behind interpret(). Models of library functions (known_functions.h) use its
// public part.
class Interpreter {
 public:
  Interpreter(const Tree& tree, Host& host)
      : tree_(tree), state_(host), layouts_(tree_, symbols_) {}
  void run();

  State& state() { return state_; }
  const SymbolTable& symbols() const { return symbols_; }
  const TypeLayouts& layouts() const { return layouts_; }

  // Assigns to a place; `mark` is "=", "+=", …
  void store(const NodePtr& place, const Value& value, const std::string& mark, const Range& range);
  // The objects that a place holds. If nothing is known of the place, it gets a new container.
  std::vector<std::shared_ptr<Object>> containers(const NodePtr& place);
  // An object of one of the host's own types.
  Value construct(const std::string& type, const std::vector<Value>& arguments,
                  const std::vector<NodePtr>& nodes);
  Value call_closure(const Value& closure, std::vector<Value> arguments);
  // Runs an argument that is a closure with the arguments that follow it, as std::thread would.
  void run_closures(const Call& call, std::size_t index);

 private:
  // Whether the next statement runs.
  enum class Flow { next, leaves };

  // Counts how deeply statements and expressions nest, over all calls: our own stack is limited.
  class Nesting {
   public:
    explicit Nesting(Interpreter& interpreter);
    ~Nesting() { --interpreter_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Interpreter& interpreter_;
  };

  // Entry points.
  void declare_enumerators(const Node& type);
  void interpret_entry_point(const Node& function);
  void interpret_callbacks(const std::vector<const Node*>& unused);
  // The parts that were not interpreted could change every result.
  void discard_results();
  // Says where other code may fetch or dispatch kernels (reach.cpp).
  void find_gaps();
  // Kernels that are not known may be dispatched from here on.
  void leave_open(const Range& range);
  bool out_of_steps();
  void use_up_steps();

  // Statements.
  Flow execute(const NodePtr& node);
  Flow compound(const Node& node);
  Flow if_else(const Node& node);
  Flow switch_case(const Node& node);
  Flow for_loop(const Node& node);
  Flow range_for(const Node& node);
  Flow jump(const Node& node);
  Value condition(const NodePtr& node);
  // How often a counted loop runs, if that is known and small. Does not change the counter.
  std::optional<unsigned> known_iterations(const NodePtr& test, const NodePtr& step);
  // Interprets the parts twice: the second iteration sees what the first one left.
  Flow unknown_loop(const std::vector<NodePtr>& parts, const NodePtr& test, const NodePtr& body);
  void unknown_range_for(const Node& node, const std::vector<std::shared_ptr<Object>>& objects,
                         const std::vector<Value>& items);
  // The numbers that change between iterations become unknown.
  void forget_changed(const NodePtr& node);
  // The number that this variable holds becomes unknown.
  void forget(const NodePtr& node);

  // Declarations.
  Value enumerator(const Node& node);
  void declare_from(const Node& node);
  // T& x = y: another name for y. T& x = y[i]: an element.
  bool declare_reference(const Node& node, const Value& value);
  Value initial_value(const Node& node);
  Value default_value(const Node& node);
  // The element of one iteration: `T x`, `T& x` or `auto [a, b]`.
  void bind_element(const Node& declaration, const Value& item,
                    const std::shared_ptr<Object>& memory);
  void bind_parts(const Node& declaration, const Value& item);
  Value part_of(const std::vector<std::shared_ptr<Object>>& objects, std::size_t place) const;
  // A container that is declared from another one holds a copy.
  Value own_copy(const Value& value, const std::string& type);
  // A braced list as a value of this type: members get their names, maps their keys.
  Value coerced(Value value, const std::string& type);

  // Construction.
  // The object on which the functions of a class run if the host makes none.
  std::shared_ptr<Object> shared_instance(const std::string& owner);
  std::shared_ptr<Object> make_instance(const std::string& owner);
  // A value of which only the type is known. `from_caller`: it comes from outside of the host.
  Value value_of_type(const std::string& type, const std::string& name, bool from_caller = true);
  Value kernel_of_unknown_name();
  // T x(arguments), T{arguments}, new T(arguments).
  Value constructed(const std::string& type, const Node& node);
  Value constructed_own(const std::string& type, const Node& node);
  // std::vector<float> x(n), x(first, last), new float[n]
  Value array(const std::string& type, const Call& call);
  void initialise_member(const Node& initialiser);

  // Expressions.
  Value evaluate(const NodePtr& node);
  Value named(const Node& node);
  Value closure(const Node& node);
  Value init_list(const Node& node);
  Value size_of(const std::string& text);
  Value cast(const Node& node);
  Value conditional(const Node& node);
  Value member(const Node& node);
  Value unary(const Node& node);
  Value address(const NodePtr& operand);
  // ++x, x--
  Value changed(const NodePtr& operand, double by, bool before);
  Value binary(const Node& node);
  Value logical(const Node& node, const Value& left);
  Value assignment(const Node& node);

  // Stores.
  void store_named(const std::string& text, const Value& value, const std::string& mark,
                   const Range& range);
  void store_member(const Node& place, const Value& value, const std::string& mark,
                    const Range& range);
  void store_through(const Value& pointer, const Value& value, const std::string& mark,
                     const Range& range);
  // `one`: the index is a literal, so that a loop does not walk over the memory.
  void store_element(Object& object, const Value& at, const Value& value, const std::string& mark,
                     const Range& range, bool one);

  // Calls.
  Value call(const NodePtr& node);
  Value message(const NodePtr& node);
  // The host's own function that fits a call, or null.
  const Node* own_function(const Call& call) const;
  Value call_own(const Node& function, const Call& call);
  // Runs a function or a closure; `around` is the scope that it is defined in.
  Value invoke(const Node& function, std::vector<Value> arguments,
               const std::vector<NodePtr>& nodes, std::shared_ptr<Object> self,
               std::shared_ptr<Scope> around);
  void run_body(const Node& function);
  void bind_parameters(const Node& function, const std::vector<Value>& arguments,
                       const std::vector<NodePtr>& nodes, const std::shared_ptr<Scope>& inside);
  Value argument_for(const Node& function, std::size_t index, const std::vector<Value>& arguments);
  // Stores what a function left in references to members.
  void return_references(const Node& function, const std::vector<NodePtr>& nodes,
                         const Scope& inside);
  // A function of a library.
  Value call_library(const Call& call);
  // A function that we do not know: it may do anything with its arguments.
  Value call_unknown(const Call& call);
  void forget_addressed(const Call& call);
  // Unknown code has this value from now on.
  void escape(const Value& value);
  // `seen`: variables whose address escaped already; a variable can hold its own address.
  void escape(const Value& value, std::set<const Variable*>& seen);

  const Tree& tree_;
  State state_;
  SymbolTable symbols_;
  TypeLayouts layouts_;
  std::map<std::string, std::shared_ptr<Object>> instances_;  // by class
  std::vector<std::shared_ptr<Object>> given_away_;  // of the host's own classes, to unknown code
  std::set<std::string> in_making_;                  // classes whose members are being made
  std::set<const Node*> ran_;                        // functions and lambdas
  std::vector<const Node*> stack_;                   // functions that are running
  std::vector<std::optional<Value>> results_;        // what they returned so far
  double next_enumerator_ = 0;
  const Node* last_enumerator_ = nullptr;
  unsigned depth_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace msci::host
