// A tolerant recursive-descent parser for C, C++ and Objective-C++.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"
#include "lint/host/syntax/syntax_tree.h"

namespace msci::host {

// The tokens of a host's source (C++, Objective-C++ or C) with its own macros expanded.
struct Token {
  enum class Kind { name, number, string, punctuator, end };
  Kind kind = Kind::end;
  std::string spelling;  // of a string: its value
  Range range;           // of a token from a macro: where the macro is used
  bool is(std::string_view mark) const { return kind == Kind::punctuator && spelling == mark; }
  bool is_name(std::string_view name) const { return kind == Kind::name && spelling == name; }
};

// The tokens of one source.
struct Tokens {
  std::vector<Token> all;  // ends in one token of kind `end`
  bool complete = true;    // false: some macros are not expanded, or there are too many tokens
};

// Never fails and reads no other file. Of `#if` … `#else` … it takes the first part whose condition
// is not `0`.
Tokens lex(const Source& source);

// A position in a list of tokens, with lookahead for the ends of brackets, names and types.

// "const", "static", "struct", "__strong": a word that can stand in front of a type.
bool is_specifier(const Token& token);
// "int", "auto"
bool is_builtin_type(const Token& token);
// "return", "new": a word that begins no type.
bool is_statement_keyword(const Token& token);

class TokenCursor {
 protected:
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const { return token(at_ + ahead); }
  // The last token, of kind `end`, stands for all that follow it.
  const Token& token(std::size_t at) const { return tokens_[std::min(at, tokens_.size() - 1)]; }
  bool ended() const { return peek().kind == Token::Kind::end; }
  Token take() { return ended() ? tokens_.back() : tokens_[at_++]; }
  bool accept(std::string_view mark);
  bool accept_name(std::string_view name);
  // Takes all up to the next semicolon outside brackets, and the semicolon.
  void skip_to_semicolon();

  // The bracket that closes this one; "" if it opens none.
  static std::string_view closing(const Token& open);
  // The index after the bracket that closes the one at `from`; the end without one.
  std::size_t after_bracket(std::size_t from) const;
  // The index after the template arguments that begin at `from`; none if they are a comparison.
  std::optional<std::size_t> after_angles(std::size_t from) const;
  // The index after the type that begins at `from`, without the pointers that follow it.
  std::optional<std::size_t> after_type(std::size_t from) const;
  // The index after a::b<c>::d.
  std::size_t after_name(std::size_t at) const;
  // The index after a::b, which stands here.
  std::size_t after_plain_name() const;
  std::size_t after_pointers(std::size_t at) const;
  // The text of the tokens [from, to), with spaces between words only.
  std::string spelling(std::size_t from, std::size_t to) const;

  // Whether the declaration of a variable begins here.
  bool at_variable() const;
  // Whether the definition of a class or an enumeration begins here.
  bool at_type_definition() const;
  // Whether a name or a literal stands at this index.
  bool begins_operand(std::size_t at) const;
  // Whether the tokens in the parentheses [begin, end] are the type of a cast of what comes after.
  bool is_cast(std::size_t begin, std::size_t end, std::size_t after) const;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

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

// The values of C++ literals.

// "sax\x70y" → saxpy: the value of a string literal with its quotes and prefix, in UTF-8. Takes raw
// strings, and literals without an end.
std::string decode_string(std::string_view literal);

// 'a' → 97; 0 for an empty literal.
unsigned decode_character(std::string_view literal);

}  // namespace msci::host
