// A tolerant recursive-descent parser for C, C++ and Objective-C++.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lint/host/syntax/syntax_tree.h"
#include "lint/host/syntax/token_cursor.h"

namespace msci::host {

// Never fails: it leaves out what it does not understand.
Tree parse(const Source& source);

// The parser behind parse(). Each function takes the tokens of the construct that it is named
// after; the functions with a parameter `from` have taken its first token already.
class Parser : TokenCursor {
 public:
  explicit Parser(Tokens tokens) : TokenCursor(std::move(tokens.all)) {
    tree_.complete = tokens.complete;
  }
  Tree run() &&;

 private:
  // Counts the depth of nesting while it lives; what is nested too deeply is skipped.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool too_deep() const;

   private:
    Parser& parser_;
  };

  static std::shared_ptr<Node> make_node(Node::Kind kind, std::string text = {},
                                         std::vector<NodePtr> children = {});
  // Gives the node its range: from the token at `from` to the last one taken.
  NodePtr finish(std::shared_ptr<Node> made, std::size_t from) const;
  NodePtr empty(std::size_t from) const { return finish(make_node(Node::Kind::empty), from); }
  // An empty node in place of an expression that is nested too deeply.
  NodePtr skip_token(std::size_t from);

  // Expressions.
  NodePtr expression();
  NodePtr assignment();
  // Operators that bind at least this tightly.
  NodePtr binary(int precedence);
  NodePtr unary();
  NodePtr size_of(std::size_t from);
  NodePtr new_object(std::size_t from);
  // The elements between brackets, the opening one next.
  std::vector<NodePtr> bracketed();
  NodePtr bracketed_element();
  NodePtr braced();
  NodePtr primary();
  NodePtr objective_c_primary(std::size_t from);
  NodePtr parenthesised();
  NodePtr named();
  // static_cast<T>(…); null without template arguments.
  NodePtr named_cast(std::size_t from);
  // float(x), unsigned{n}; null if no type is here.
  NodePtr functional_cast(std::size_t from);
  NodePtr suffixes(NodePtr base, std::size_t from);
  // `.name` or `->name`; null if no name follows.
  NodePtr member(const NodePtr& base, std::size_t from);
  // [captures](…) {…} rather than [receiver message].
  bool at_lambda() const;
  NodePtr lambda();
  NodePtr block_literal();
  // The parameters and the body of a lambda or a block.
  NodePtr closure(std::size_t from);
  // [receiver first:argument second:argument]
  NodePtr message();

  // Statements.
  NodePtr compound();
  // One statement as a compound.
  NodePtr body();
  NodePtr condition();
  void statement(std::vector<NodePtr>& out);
  // A statement that begins with a keyword; false if none does.
  bool keyword_statement(std::vector<NodePtr>& out, std::size_t from);
  bool jump(std::vector<NodePtr>& out, std::size_t from);
  // A declaration inside of a function; false without one.
  bool local_declaration(std::vector<NodePtr>& out);
  // @autoreleasepool, @try, @synchronized, …
  void at_statement(std::vector<NodePtr>& out);
  NodePtr if_else(std::size_t from);
  NodePtr for_loop(std::size_t from);
  NodePtr while_loop(std::size_t from);
  NodePtr do_while(std::size_t from);
  NodePtr handler(std::size_t from);

  // Declarations.
  void alias();
  void variables(std::vector<NodePtr>& out, bool in_loop_head = false);
  void declarator(Node& variable);
  void initialiser(Node& variable);
  std::vector<NodePtr> parameter_list();
  // A parameter up to a comma or `end`: the last word before a default value is the name.
  NodePtr parameter(std::size_t end);
  void type_definition(std::vector<NodePtr>& out);
  bool has_plain_members(std::size_t at, std::size_t after, const std::string& owner) const;
  void enumerators(std::vector<NodePtr>& out, std::size_t after);
  // All up to the brace that closes the enclosing one.
  void declarations(std::vector<NodePtr>& out, const std::string& owner);
  void declaration(std::vector<NodePtr>& out, const std::string& owner);
  // A namespace or extern "C"; false if none begins here.
  bool linkage(std::vector<NodePtr>& out, const std::string& owner);
  // Takes a function with a body, or skips a prototype; false if neither begins here.
  bool function(std::vector<NodePtr>& out, const std::string& owner);
  // The index of a function's parameter list, and its name; an empty name if none begins here.
  std::pair<std::size_t, std::string> function_head() const;
  // The name in front of the parenthesis at `at`; "" without one.
  std::string function_name(std::size_t at) const;
  // The index after `const noexcept -> T` and the like.
  std::size_t after_function_specifiers(std::size_t at) const;
  void member_initialisers(std::vector<NodePtr>& out);
  // @implementation … @end. Other words after @ only declare.
  void objective_c(std::vector<NodePtr>& out);
  void implementation(std::vector<NodePtr>& out);
  // - (type)first:(type)name second:(type)name {…}
  void method(std::vector<NodePtr>& out, const std::string& owner);
  NodePtr method_parameter();

  unsigned depth_ = 0;
  std::map<std::string, std::string> aliases_;  // using name = type
  Tree tree_;
};

}  // namespace msci::host
