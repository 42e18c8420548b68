#include <algorithm>
#include <array>

#include "lint/host/syntax/parser.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

// People write shorter chains of operators and of suffixes.
constexpr unsigned longest_chain = 200;

struct Operator {
  std::string_view mark;
  int precedence;
};
constexpr std::array operators = {
    Operator{"||", 3}, Operator{"&&", 4},  Operator{"|", 5},   Operator{"^", 6},  Operator{"&", 7},
    Operator{"==", 8}, Operator{"!=", 8},  Operator{"<", 9},   Operator{">", 9},  Operator{"<=", 9},
    Operator{">=", 9}, Operator{"<<", 10}, Operator{">>", 10}, Operator{"+", 11}, Operator{"-", 11},
    Operator{"*", 12}, Operator{"/", 12},  Operator{"%", 12}};
constexpr std::array<std::string_view, 11> assignments = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

bool is_assignment(std::string_view mark) {
  return std::find(assignments.begin(), assignments.end(), mark) != assignments.end();
}

}  // namespace

NodePtr Parser::expression() {
  const auto from = at_;
  auto left = assignment();
  while (peek().is(",")) {
    ++at_;
    left = finish(make_node(Kind::binary, ",", {left, assignment()}), from);
  }
  return left;
}

NodePtr Parser::assignment() {
  const Nesting nesting(*this);
  const auto from = at_;
  if (nesting.too_deep()) return skip_token(from);
  auto left = binary(3);
  if (accept("?")) {
    auto then = peek().is(":") ? left : expression();
    accept(":");
    return finish(make_node(Kind::conditional, "", {left, then, assignment()}), from);
  }
  if (peek().kind == Token::Kind::punctuator && is_assignment(peek().spelling)) {
    const auto mark = take().spelling;
    return finish(make_node(Kind::assign, mark, {left, assignment()}), from);
  }
  return left;
}

NodePtr Parser::binary(int precedence) {
  const Nesting nesting(*this);
  const auto from = at_;
  if (nesting.too_deep()) return skip_token(from);
  auto left = unary();
  for (unsigned links = 0;; ++links) {
    const auto found = std::find_if(operators.begin(), operators.end(),
                                    [&](const Operator& each) { return peek().is(each.mark); });
    if (found == operators.end() || found->precedence < precedence) return left;
    const auto mark = take().spelling;
    auto right = binary(found->precedence + 1);
    // The operands of a longer chain are parsed, but its links are not kept.
    if (links < longest_chain)
      left = finish(make_node(Kind::binary, mark, {left, right}), from);
    else
      tree_.complete = false;
  }
}

NodePtr Parser::unary() {
  const Nesting nesting(*this);
  const auto from = at_;
  if (nesting.too_deep()) return skip_token(from);
  for (std::string_view mark : {"!", "~", "-", "+", "*", "&", "++", "--"})
    if (accept(mark)) return finish(make_node(Kind::unary, std::string(mark), {unary()}), from);
  if (accept_name("sizeof")) return size_of(from);
  if (accept_name("co_await") || accept_name("throw")) return unary();
  if (accept_name("delete")) {
    if (peek().is("[")) at_ = after_bracket(at_);
    return finish(make_node(Kind::unary, "delete", {unary()}), from);
  }
  if (accept_name("new")) return new_object(from);
  if (peek().is("(")) {
    const auto after = after_bracket(at_);
    if (is_cast(at_ + 1, after - 1, after)) {
      auto made = make_node(Kind::cast);
      made->type = spelling(at_ + 1, after - 1);
      at_ = after;
      made->children = {unary()};
      return finish(std::move(made), from);
    }
  }
  return suffixes(primary(), from);
}

NodePtr Parser::size_of(std::size_t from) {
  if (peek().is("(")) {
    const auto after = after_bracket(at_);
    auto made = make_node(Kind::size_of, spelling(at_ + 1, after - 1));
    at_ = after;
    return finish(std::move(made), from);
  }
  const auto begin = at_;
  unary();
  return finish(make_node(Kind::size_of, spelling(begin, at_)), from);
}

NodePtr Parser::new_object(std::size_t from) {
  auto made = make_node(Kind::new_object);
  if (const auto type = after_type(at_)) {
    made->type = spelling(at_, *type);
    at_ = after_pointers(*type);
  }
  if (peek().is("[")) {
    made->type += "[]";
    at_ = after_bracket(at_);
  }
  if (peek().is("(") || peek().is("{")) made->children = bracketed();
  return finish(std::move(made), from);
}

std::vector<NodePtr> Parser::bracketed() {
  const auto after = after_bracket(at_);
  const auto close = closing(take());
  std::vector<NodePtr> all;
  while (!ended() && at_ < after && !peek().is(close)) {
    const auto before = at_;
    auto element = bracketed_element();
    if (accept(":"))  // @{key : value}
      element = finish(make_node(Kind::init_list, "", {element, assignment()}), before);
    all.push_back(std::move(element));
    if (!accept(",") && at_ == before) ++at_;
  }
  at_ = std::max(after, at_);
  return all;
}

NodePtr Parser::bracketed_element() {
  if (peek().is("{")) return braced();
  const bool is_designated = peek().is(".") && peek(1).kind == Token::Kind::name && peek(2).is("=");
  if (!is_designated) return assignment();
  // {.member = value}
  const auto from = at_++;
  auto name = finish(make_node(Kind::name, take().spelling), from + 1);
  ++at_;
  auto value = peek().is("{") ? braced() : assignment();
  return finish(make_node(Kind::assign, "=", {name, value}), from);
}

NodePtr Parser::braced() {
  const auto from = at_;
  auto made = make_node(Kind::init_list);
  made->children = bracketed();
  return finish(std::move(made), from);
}

NodePtr Parser::primary() {
  const auto from = at_;
  const auto& first = peek();
  if (first.kind == Token::Kind::number)
    return finish(make_node(Kind::number, take().spelling), from);
  if (first.kind == Token::Kind::string) {
    std::string text;
    while (peek().kind == Token::Kind::string) text += take().spelling;
    return finish(make_node(Kind::string, std::move(text)), from);
  }
  if (first.kind == Token::Kind::name || first.is("::")) return named();
  if (first.is("(")) return parenthesised();
  if (first.is("[")) return at_lambda() ? lambda() : message();
  if (first.is("^")) return block_literal();
  if (first.is("{")) return braced();
  if (first.kind == Token::Kind::punctuator && first.spelling.starts_with('@'))
    return objective_c_primary(from);
  // The caller takes what closes or ends something.
  if (!first.is(")") && !first.is("]") && !first.is("}") && !first.is(";") && !first.is(",") &&
      !first.is(":") && !ended())
    ++at_;
  return empty(from);
}

NodePtr Parser::objective_c_primary(std::size_t from) {
  if (peek().is("@[") || peek().is("@{")) return braced();
  if (peek().is("@(")) {
    auto all = bracketed();
    return all.empty() ? empty(from) : all.front();
  }
  ++at_;
  if (!accept_name("selector")) return primary();
  if (peek().is("(")) at_ = after_bracket(at_);
  return empty(from);
}

NodePtr Parser::parenthesised() {
  const auto from = at_;
  const auto after = after_bracket(at_);
  ++at_;
  auto inner = peek().is(")") ? empty(from) : expression();
  at_ = std::max(at_, after);
  return inner;
}

NodePtr Parser::named() {
  const auto from = at_;
  if (peek().spelling.ends_with("_cast") && peek(1).is("<"))
    if (auto made = named_cast(from)) return made;
  if (is_builtin_type(peek()))
    if (auto made = functional_cast(from)) return made;
  auto after = after_name(at_);
  // a < b does not open a template argument list.
  if (token(after - 1).is(">") || token(after - 1).is(">>")) {
    const auto& next = token(after);
    if (!next.is("(") && !next.is("{") && !next.is("::")) after = after_plain_name();
  }
  std::string text = spelling(at_, after);
  at_ = after;
  if (!peek().is("{") || text.empty()) return finish(make_node(Kind::name, std::move(text)), from);
  auto made = make_node(Kind::init_list);
  made->type = text;
  made->children = bracketed();
  return finish(std::move(made), from);
}

NodePtr Parser::named_cast(std::size_t from) {
  const auto after = after_angles(at_ + 1);
  if (!after) return nullptr;
  auto made = make_node(Kind::cast);
  made->type = spelling(at_ + 2, *after - 1);
  at_ = *after;
  made->children = {peek().is("(") ? parenthesised() : unary()};
  return finish(std::move(made), from);
}

NodePtr Parser::functional_cast(std::size_t from) {
  const auto type = after_type(at_);
  if (!type) return nullptr;
  auto made = make_node(Kind::cast);
  made->type = spelling(at_, *type);
  at_ = *type;
  if (!peek().is("(") && !peek().is("{")) return empty(from);
  auto all = bracketed();
  made->children = {all.empty() ? empty(from) : all.front()};
  return finish(std::move(made), from);
}

NodePtr Parser::suffixes(NodePtr base, std::size_t from) {
  for (unsigned links = 0; links < 4 * longest_chain; ++links) {
    if (peek().is("(")) {
      std::vector<NodePtr> all{base};
      auto arguments = bracketed();
      all.insert(all.end(), arguments.begin(), arguments.end());
      base = finish(make_node(Kind::call, "", std::move(all)), from);
    } else if (peek().is("[")) {
      auto all = bracketed();
      auto position = all.empty() ? empty(from) : all.front();
      base = finish(make_node(Kind::index, "", {base, position}), from);
    } else if (accept(".") || accept("->")) {
      auto made = member(base, from);
      if (!made) return base;
      base = std::move(made);
    } else if (peek().is("++") || peek().is("--")) {
      base = finish(make_node(Kind::postfix, take().spelling, {base}), from);
    } else {
      return base;
    }
  }
  tree_.complete = false;
  return base;
}

NodePtr Parser::member(const NodePtr& base, std::size_t from) {
  accept_name("template");
  accept("~");
  if (peek().kind != Token::Kind::name) return nullptr;
  const auto after = after_name(at_);
  const bool has_arguments = token(after - 1).is(">") && token(after).is("(");
  auto name = peek().spelling;
  at_ = has_arguments ? after : at_ + 1;
  return finish(make_node(Kind::member, std::move(name), {base}), from);
}

bool Parser::at_lambda() const {
  const auto after = after_bracket(at_);
  const auto& next = token(after);
  if (!next.is("(") && !next.is("{") && !next.is_name("mutable")) return false;
  const auto& first = peek(1);
  if (first.is("]")) return true;
  if (first.is("[")) return false;
  for (auto at = at_ + 1; at + 2 < after; ++at)
    if (token(at).kind == Token::Kind::name && token(at + 1).kind == Token::Kind::name)
      return false;
  return true;
}

NodePtr Parser::lambda() {
  const auto from = at_;
  at_ = after_bracket(at_);
  if (peek().is("<"))
    if (const auto after = after_angles(at_)) at_ = *after;
  return closure(from);
}

NodePtr Parser::block_literal() {
  const auto from = at_++;
  while (!ended() && !peek().is("(") && !peek().is("{") && !peek().is(";")) ++at_;
  return closure(from);
}

NodePtr Parser::closure(std::size_t from) {
  auto made = make_node(Kind::lambda);
  if (peek().is("(")) made->children = parameter_list();
  made->parameters = made->children.size();
  while (!ended() && !peek().is("{") && !peek().is(";") && !peek().is(")")) ++at_;
  made->children.push_back(peek().is("{") ? compound() : empty(from));
  return finish(std::move(made), from);
}

NodePtr Parser::message() {
  const auto from = at_;
  const auto after = after_bracket(at_);
  ++at_;
  std::vector<NodePtr> all{unary()};
  std::string selector;
  while (!ended() && at_ + 1 < after) {
    const auto before = at_;
    if (peek().kind == Token::Kind::name) selector += take().spelling;
    if (accept(":")) {
      selector += ':';
      all.push_back(assignment());
      while (accept(",")) all.push_back(assignment());
    }
    if (at_ == before) ++at_;
  }
  at_ = std::max(at_, after);
  return finish(make_node(Kind::message, std::move(selector), std::move(all)), from);
}

}  // namespace msci::host
