#include <algorithm>

#include "lint/host/syntax/parser.h"

namespace msci::host {

using Kind = Node::Kind;

NodePtr Parser::compound() {
  const auto from = at_;
  const auto after = after_bracket(at_);
  auto made = make_node(Kind::compound);
  accept("{");
  while (!ended() && at_ + 1 < after) {
    const auto before = at_;
    statement(made->children);
    if (at_ == before) ++at_;
  }
  at_ = std::max(at_, after);
  return finish(std::move(made), from);
}

NodePtr Parser::body() {
  const auto from = at_;
  if (peek().is("{")) return compound();
  auto made = make_node(Kind::compound);
  statement(made->children);
  return finish(std::move(made), from);
}

NodePtr Parser::condition() {
  const auto after = peek().is("(") ? after_bracket(at_) : at_;
  const auto from = at_;
  if (!accept("(")) return empty(from);
  std::vector<NodePtr> parts;
  while (!ended() && at_ + 1 < after) {
    const auto before = at_;
    if (at_variable())
      variables(parts);
    else
      parts.push_back(expression());
    accept(";");
    if (at_ == before) ++at_;
  }
  at_ = std::max(at_, after);
  if (parts.size() == 1) return parts.front();
  return finish(make_node(Kind::compound, "", std::move(parts)), from);
}

void Parser::statement(std::vector<NodePtr>& out) {
  const Nesting nesting(*this);
  const auto from = at_;
  if (nesting.too_deep()) return skip_to_semicolon();
  if (accept(";")) return;
  if (peek().is("{")) return out.push_back(compound());
  if (peek().is("@")) return at_statement(out);
  if (keyword_statement(out, from) || jump(out, from) || local_declaration(out)) return;
  out.push_back(expression());
  skip_to_semicolon();
}

bool Parser::keyword_statement(std::vector<NodePtr>& out, std::size_t from) {
  if (accept_name("if")) {
    out.push_back(if_else(from));
  } else if (accept_name("for")) {
    out.push_back(for_loop(from));
  } else if (accept_name("while")) {
    out.push_back(while_loop(from));
  } else if (accept_name("do")) {
    out.push_back(do_while(from));
  } else if (accept_name("switch")) {
    auto test = condition();
    out.push_back(finish(make_node(Kind::switch_case, "", {test, body()}), from));
  } else if (accept_name("case") || accept_name("default")) {
    while (!ended() && !peek().is(":") && !peek().is(";") && !peek().is("}")) ++at_;
    accept(":");
  } else if (accept_name("try")) {
    out.push_back(body());
  } else if (accept_name("catch")) {
    out.push_back(handler(from));
  } else {
    return false;
  }
  return true;
}

bool Parser::jump(std::vector<NodePtr>& out, std::size_t from) {
  for (std::string_view word : {"return", "break", "continue", "throw", "goto", "co_return"}) {
    if (!accept_name(word)) continue;
    auto made = make_node(Kind::jump, std::string(word == "goto" ? "break" : word));
    if (!peek().is(";")) made->children = {peek().is("{") ? braced() : expression()};
    skip_to_semicolon();
    out.push_back(finish(std::move(made), from));
    return true;
  }
  return false;
}

bool Parser::local_declaration(std::vector<NodePtr>& out) {
  if (peek().is_name("using")) {
    alias();
  } else if (peek().is_name("typedef") || peek().is_name("static_assert")) {
    skip_to_semicolon();
  } else if (at_type_definition()) {
    type_definition(out);
  } else if (at_variable()) {
    variables(out);
    skip_to_semicolon();
  } else {
    return false;
  }
  return true;
}

void Parser::at_statement(std::vector<NodePtr>& out) {
  const auto from = at_++;
  const auto word = take().spelling;
  if (word == "catch") return out.push_back(handler(from));
  if (word == "synchronized" && peek().is("(")) at_ = after_bracket(at_);
  if (word == "autoreleasepool" || word == "try" || word == "finally" || word == "synchronized")
    return out.push_back(body());
  if (word == "available") at_ = from + 1;
  skip_to_semicolon();
}

NodePtr Parser::if_else(std::size_t from) {
  accept_name("constexpr");
  std::vector<NodePtr> all{condition()};
  all.push_back(body());
  if (accept_name("else")) all.push_back(body());
  return finish(make_node(Kind::if_else, "", std::move(all)), from);
}

NodePtr Parser::for_loop(std::size_t from) {
  const auto after = peek().is("(") ? after_bracket(at_) : at_;
  accept("(");
  std::vector<NodePtr> first;
  if (at_variable()) {
    const auto begin = at_;
    variables(first, /*in_loop_head=*/true);
    if (accept(":") || accept_name("in")) {
      auto range = peek().is("{") ? braced() : expression();
      at_ = std::max(at_, after);
      auto bound = first.empty() ? finish(make_node(Kind::variable), begin) : first.back();
      return finish(make_node(Kind::range_for, "", {bound, range, body()}), from);
    }
  } else if (!peek().is(";")) {
    first.push_back(expression());
  }
  accept(";");
  auto test = peek().is(";") ? empty(at_) : expression();
  accept(";");
  auto step = peek().is(")") ? empty(at_) : expression();
  at_ = std::max(at_, after);
  auto begin = finish(make_node(Kind::compound, "", std::move(first)), from);
  return finish(make_node(Kind::for_loop, "", {begin, test, step, body()}), from);
}

NodePtr Parser::while_loop(std::size_t from) {
  auto test = condition();
  const auto none = empty(from);
  return finish(make_node(Kind::for_loop, "", {none, test, none, body()}), from);
}

NodePtr Parser::do_while(std::size_t from) {
  auto repeated = body();
  accept_name("while");
  auto test = condition();
  accept(";");
  return finish(make_node(Kind::do_while, "", {repeated, test}), from);
}

// A handler may run or not, like a branch on an unknown condition.
NodePtr Parser::handler(std::size_t from) {
  if (peek().is("(")) at_ = after_bracket(at_);
  const auto none = empty(from);
  return finish(make_node(Kind::if_else, "", {none, body()}), from);
}

}  // namespace msci::host
