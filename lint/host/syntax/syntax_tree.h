// The syntax of a host's source, as far as it shows without the host's headers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/source.h"

namespace msci::host {

struct Node;
using NodePtr = std::shared_ptr<const Node>;

// An expression, a statement or a declaration. The comment beside each kind lists the children.
struct Node {
  enum class Kind {
    // Expressions.
    name,         // text: "NS::String::string"
    number,       // text
    string,       // text: the value
    call,         // callee, arguments…
    member,       // base; text: the member
    index,        // base, index
    unary,        // operand; text: the operator
    postfix,      // operand; text: the operator
    binary,       // left, right; text: the operator
    assign,       // left, right; text: "=", "+="
    conditional,  // condition, then, else
    lambda,       // parameters (declarations)…, body; also an Objective-C block
    init_list,    // elements…; type: of T{…} and T(…); text: the bracket of a variable's T x(…)
    message,      // receiver, arguments…; text: "setBuffer:offset:atIndex:"
    cast,         // operand; type
    new_object,   // arguments…; type: of new T
    size_of,      // text: of what
    // Statements.
    compound,     // statements…
    if_else,      // condition, then[, else]
    for_loop,     // first, condition, step, body; also while
    range_for,    // declaration, range, body
    do_while,     // body, condition
    switch_case,  // condition, body
    jump,         // [value]; text: "return", "break", "continue", "throw"
    variable,     // [initial value]; text: the name, or "a,b" for [a, b]; type
    empty,
    // Declarations.
    function,    // parameters…, member initialisers (assign)…, body; text: "Runner::run"; type
    type,        // members…; text; type: plain_struct, or empty
    enumerator,  // [value]; text
  };
  Kind kind = Kind::empty;
  std::string text;
  std::string type;
  std::vector<NodePtr> children;
  std::size_t parameters = 0;  // how many children of a function or a lambda are parameters
  Range range;
};

// The type of a definition whose members alone decide its layout.
constexpr const char* plain_struct = "struct";

// The declarations of a source in order. Those of a namespace stand among the others.
struct Tree {
  std::vector<NodePtr> declarations;
  bool complete = true;  // false: some parts are nested too deeply or use unsupported syntax
  std::vector<unsigned> directives = {};  // the lines of the preprocessor
  bool is_packed = false;                 // whether `#pragma pack` changes the layout of structs
};

}  // namespace msci::host
