// The shape of a host's source, as far as it can be told without its headers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lint/metal/source.h"

namespace msci::host {

struct Node;
using NodePtr = std::shared_ptr<const Node>;

// An expression, a statement or a declaration. What the children are stands beside each kind.
struct Node {
  enum class Kind {
    // Expressions.
    name,     // text: "NS::String::string"
    number,   // text
    text,     // text: without quotes
    call,     // callee, arguments…
    member,   // base; text: the member
    index,    // base, index
    unary,    // operand; text: the operator
    postfix,  // operand; text: the operator
    binary,   // left, right; text: the operator
    assign,   // left, right; text: "=", "+="
    ternary,  // condition, then, else
    lambda,   // parameters (declarations)…, body
    list,     // elements…; type: of T{…} and T(…)
    message,  // receiver, arguments…; text: "setBuffer:offset:atIndex:"
    cast,     // operand; type
    create,   // arguments…; type: of new T
    size_of,  // text: of what
    // Statements.
    block,     // statements…
    when,      // condition, then[, else]
    loop,      // first, condition, step, body
    for_each,  // declaration, range, body
    until,     // body, condition: do … while
    cases,     // condition, body
    leave,     // [value]; text: "return", "break", "continue", "throw"
    variable,  // [initial value]; text: the name, or "a,b" for [a, b]; type
    nothing,
    // Declarations.
    function,    // parameters…, member initialisers (assign)…, body; text: "Runner::run"; type
    type,        // members…; text
    enumerator,  // [value]; text
  };
  Kind kind = Kind::nothing;
  std::string text;
  std::string type;
  std::vector<NodePtr> children;
  std::size_t parameters = 0;  // how many of a function's or a lambda's children are parameters
  Range range;
};

// The declarations of a source in order; namespaces are dissolved.
struct Tree {
  std::vector<NodePtr> declarations;
  bool complete = true;  // false: parts were too deep, or beyond our understanding
};

// Never fails: what it does not understand it leaves out.
Tree syntax_of(const Source& source);

}  // namespace msci::host
