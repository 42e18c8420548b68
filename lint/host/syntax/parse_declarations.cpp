#include <utility>

#include "lint/host/syntax/parser.h"

namespace msci::host {

using Kind = Node::Kind;

void Parser::alias() {
  const auto from = at_;
  skip_to_semicolon();
  if (token(from + 2).is("=") && at_ > from + 4)
    aliases_[token(from + 1).spelling] = spelling(from + 3, at_ - 1);
}

void Parser::variables(std::vector<NodePtr>& out, bool in_loop_head) {
  const auto begin = at_;
  const auto type = after_type(at_);
  if (!type) return;
  auto base = spelling(begin, *type);
  if (const auto alias = aliases_.find(base); alias != aliases_.end()) base = alias->second;
  at_ = *type;
  for (;;) {
    const auto from = at_;
    const auto name = after_pointers(at_);
    auto made = make_node(Kind::variable);
    made->type = base + spelling(at_, name);
    at_ = name;
    declarator(*made);
    initialiser(*made);
    out.push_back(finish(std::move(made), from));
    if (in_loop_head && (peek().is(":") || peek().is_name("in"))) return;
    if (!accept(",")) return;
  }
}

void Parser::declarator(Node& variable) {
  if (peek().is("[")) {  // auto [a, b]
    const auto after = after_bracket(at_);
    for (++at_; at_ + 1 < after; ++at_) variable.text += peek().spelling;
    at_ = after;
  } else if (peek().is("(") && peek(1).is("^")) {  // R (^name)(…)
    variable.text = peek(2).spelling;
    at_ = after_bracket(at_);
    if (peek().is("(")) at_ = after_bracket(at_);
  } else {
    variable.text = take().spelling;
  }
  while (peek().is("[")) {
    variable.type += "[]";
    at_ = after_bracket(at_);
  }
}

void Parser::initialiser(Node& variable) {
  if (accept("=")) {
    variable.children = {peek().is("{") ? braced() : assignment()};
  } else if (peek().is("(") || peek().is("{")) {
    const auto open = at_;
    auto list = make_node(Kind::init_list, peek().spelling);
    list->type = variable.type;
    list->children = bracketed();
    variable.children = {finish(std::move(list), open)};
  }
}

std::vector<NodePtr> Parser::parameter_list() {
  const auto after = after_bracket(at_);
  std::vector<NodePtr> all;
  ++at_;
  while (!ended() && at_ + 1 < after) {
    const auto from = at_;
    all.push_back(parameter(after - 1));
    if (!accept(",") && at_ == from) ++at_;
  }
  at_ = after;
  return all;
}

NodePtr Parser::parameter(std::size_t end) {
  const auto from = at_;
  auto made = make_node(Kind::variable);
  auto name = tokens_.size();
  auto type_end = at_;
  while (at_ < end && !peek().is(",") && !peek().is("=")) {
    if (peek().is("<")) {
      const auto after = after_angles(at_);
      at_ = after ? *after : at_ + 1;
      type_end = at_;
    } else if (peek().is("(") || peek().is("[") || peek().is("{")) {
      if (peek().is("(") && (peek(1).is("^") || peek(1).is("*"))) name = at_ + 2;
      at_ = after_bracket(at_);
    } else {
      if (peek().kind == Token::Kind::name && !is_specifier(peek()) && at_ > from) name = at_;
      ++at_;
      type_end = at_;
    }
  }
  if (name < at_ && name < end) {
    made->text = tokens_[name].spelling;
    made->type = spelling(from, name);
    if (token(name + 1).is("[")) made->type += "[]";
  } else {
    made->type = spelling(from, type_end);
  }
  if (accept("=")) made->children = {peek().is("{") ? braced() : assignment()};
  return finish(std::move(made), from);
}

void Parser::type_definition(std::vector<NodePtr>& out) {
  const auto from = at_;
  bool is_plain = peek().is_name("struct") || peek().is_name("class");
  const bool is_enum = take().is_name("enum");
  if (is_enum && !accept_name("class")) accept_name("struct");
  std::string name;
  while (!ended() && !peek().is("{") && !peek().is(":")) {
    if (peek().kind == Token::Kind::name && !peek().is_name("final") && !peek().is_name("alignas"))
      name = peek().spelling;
    is_plain = is_plain && (at_ == from + 1 || peek().is_name("final"));  // behind the name
    at_ = peek().is("(") || peek().is("[") ? after_bracket(at_) : at_ + 1;
  }
  is_plain = is_plain && peek().is("{");
  while (!ended() && !peek().is("{")) ++at_;
  const auto after = after_bracket(at_);
  auto made = make_node(Kind::type, name);
  if (is_plain && has_plain_members(at_ + 1, after, name)) made->type = plain_struct;
  ++at_;
  if (is_enum)
    enumerators(out, after);
  else
    declarations(made->children, name);
  at_ = after;
  out.push_back(finish(std::move(made), from));
  // struct {…} name = {…};
  if (peek().kind == Token::Kind::name) {
    auto variable = make_node(Kind::variable, take().spelling);
    variable->type = name;
    while (peek().is("[")) {
      variable->type += "[]";
      at_ = after_bracket(at_);
    }
    if (accept("=") || peek().is("{")) variable->children = {braced()};
    out.push_back(finish(std::move(variable), from));
  }
  skip_to_semicolon();
}

// Whether the members lie one behind the other, each at a multiple of its alignment: no bit-field,
// no virtual function, no attribute, no unnamed struct, no declarator in parentheses, and no macro
// that may declare further ones.
bool Parser::has_plain_members(std::size_t at, std::size_t after, const std::string& owner) const {
  // A name behind the brace may be a macro of an attribute: struct {…} PACKED;
  const auto& behind = token(after + 1);
  if (token(after).kind == Token::Kind::name && !behind.is("=") && !behind.is("{") &&
      !behind.is("["))
    return false;
  bool begins_member = true;
  for (; at + 1 < after; ++at) {
    const auto& each = token(at);
    const bool is_macro = begins_member && each.kind == Token::Kind::name &&
                          each.spelling != owner &&
                          (token(at + 1).is("(") || token(at + 1).is(";"));
    const auto& before = token(at - 1);
    const bool is_access =
        before.is_name("public") || before.is_name("protected") || before.is_name("private");
    const bool is_bit_field = each.is(":") && before.kind == Token::Kind::name && !is_access;
    const auto& next = token(at + 1);
    const bool is_unnamed =
        (each.is_name("struct") || each.is_name("class")) && (next.is("{") || next.is(":"));
    const bool is_in_parentheses =  // void (*name)(…)
        each.is("(") && (next.is("*") || next.is("&") || next.is("^"));
    if (is_macro || is_bit_field || is_unnamed || is_in_parentheses || each.is_name("virtual") ||
        each.is_name("alignas") || each.is_name("union") || each.is_name("__attribute__") ||
        each.is_name("template"))
      return false;
    begins_member = each.is(";") || each.is("}") || each.is("{");
    if (each.is("{") || each.is("(")) at = after_bracket(at) - 1;  // a function, or a value
    begins_member = begins_member || token(at).is("}");
  }
  return true;
}

void Parser::enumerators(std::vector<NodePtr>& out, std::size_t after) {
  while (!ended() && at_ + 1 < after) {
    const auto from = at_;
    auto made = make_node(Kind::enumerator, take().spelling);
    if (accept("=")) made->children = {assignment()};
    out.push_back(finish(std::move(made), from));
    if (!accept(",") && at_ == from) ++at_;
  }
}

void Parser::declarations(std::vector<NodePtr>& out, const std::string& owner) {
  const Nesting nesting(*this);
  if (nesting.too_deep()) return;
  while (!ended() && !peek().is("}")) {
    const auto before = at_;
    declaration(out, owner);
    if (at_ == before) ++at_;
  }
}

void Parser::declaration(std::vector<NodePtr>& out, const std::string& owner) {
  if (accept(";") || linkage(out, owner)) return;
  if (accept_name("template")) {
    if (const auto after = peek().is("<") ? after_angles(at_) : std::nullopt) at_ = *after;
    return;
  }
  if (peek().is_name("using")) return alias();
  if (peek().is_name("typedef") || peek().is_name("static_assert") || peek().is_name("friend"))
    return skip_to_semicolon();
  if ((peek().is_name("public") || peek().is_name("private") || peek().is_name("protected")) &&
      peek(1).is(":")) {
    at_ += 2;
    return;
  }
  if (peek().is("@")) return objective_c(out);
  if (at_type_definition()) return type_definition(out);
  if (function(out, owner)) return;
  const auto from = at_;
  if (at_variable()) variables(out);
  const bool is_read = at_ != from && peek().is(";");
  if (!is_read && !owner.empty()) out.push_back(empty(from));  // a member that we cannot read
  skip_to_semicolon();
}

bool Parser::linkage(std::vector<NodePtr>& out, const std::string& owner) {
  if (peek().is_name("inline") && peek(1).is_name("namespace")) ++at_;
  const bool is_namespace = peek().is_name("namespace");
  const bool is_extern = peek().is_name("extern") && peek(1).kind == Token::Kind::string;
  if (!is_namespace && !is_extern) return false;
  const auto from = at_;
  while (!ended() && !peek().is("{") && !peek().is(";") && at_ < from + 20 &&
         (is_namespace || at_ < from + 2))
    ++at_;
  if (accept("{")) {
    declarations(out, owner);
    accept("}");
  } else if (is_namespace) {
    skip_to_semicolon();
  }
  return true;
}

bool Parser::function(std::vector<NodePtr>& out, const std::string& owner) {
  const auto from = at_;
  const auto [list, name] = function_head();
  if (name.empty()) return false;
  const auto after = after_function_specifiers(after_bracket(list));
  if (!token(after).is("{") && !token(after).is(":")) {
    // A variable that is made with arguments reads like a prototype.
    const auto& argument = token(list + 1);
    const bool begins_value =
        argument.kind == Token::Kind::number || argument.kind == Token::Kind::string;
    if (token(after).is(";") && begins_value) return false;
    if (!token(after).is(";") && !token(after).is("=")) return false;
    at_ = after;
    skip_to_semicolon();
    return true;
  }
  const bool is_qualified = owner.empty() || name.find("::") != std::string::npos;
  auto made = make_node(Kind::function, is_qualified ? name : owner + "::" + name);
  made->type = spelling(from, list - 1);
  at_ = list;
  made->children = parameter_list();
  made->parameters = made->children.size();
  at_ = after;
  if (accept(":")) member_initialisers(made->children);
  made->children.push_back(peek().is("{") ? compound() : empty(from));
  out.push_back(finish(std::move(made), from));
  return true;
}

std::pair<std::size_t, std::string> Parser::function_head() const {
  auto at = at_;
  while (at < tokens_.size() - 1 && !token(at).is("(") && !token(at).is(";") &&
         !token(at).is("=") && !token(at).is("{") && !token(at).is("}") && !token(at).is("^")) {
    if (token(at).is_name("operator")) {
      for (++at; at < tokens_.size() - 1 && !token(at).is("(");) ++at;
      if (token(at + 1).is(")") && token(at + 2).is("(")) at += 2;
      return {at, token(at).is("(") ? "operator()" : ""};
    }
    if (token(at).is_name("__attribute__") || token(at).is_name("alignas")) {
      at = after_bracket(at + 1);
    } else if (token(at).is("[")) {
      at = after_bracket(at);
    } else {
      const auto after = token(at).is("<") ? after_angles(at) : std::nullopt;
      at = after ? *after : at + 1;
    }
  }
  return {at, token(at).is("(") ? function_name(at) : ""};
}

std::size_t Parser::after_function_specifiers(std::size_t at) const {
  while (token(at).kind == Token::Kind::name || token(at).is("->") || token(at).is("*") ||
         token(at).is("&") || token(at).is("&&") || token(at).is("::") || token(at).is("<") ||
         token(at).is("(")) {
    const auto angles = token(at).is("<") ? after_angles(at) : std::nullopt;
    at = angles ? *angles : token(at).is("(") ? after_bracket(at) : at + 1;
  }
  return at;
}

std::string Parser::function_name(std::size_t at) const {
  std::string name;
  for (auto from = at; from-- > 0;) {
    const auto& each = tokens_[from];
    const bool wanted = name.empty() || name.starts_with("::") ? each.kind == Token::Kind::name
                                                               : each.is("::") || each.is("~");
    if (!wanted) break;
    name = each.spelling + name;
    if (each.is("~")) break;
  }
  return name;
}

void Parser::member_initialisers(std::vector<NodePtr>& out) {
  while (!ended() && peek().kind == Token::Kind::name) {
    const auto from = at_;
    auto name = finish(make_node(Kind::name, take().spelling), from);
    if (peek().is("<"))
      if (const auto after = after_angles(at_)) at_ = *after;
    if (!peek().is("(") && !peek().is("{")) return;
    auto list = make_node(Kind::init_list);
    list->text = peek().spelling;
    list->children = bracketed();
    const auto value = finish(std::move(list), from);
    out.push_back(finish(make_node(Kind::assign, "=", {name, value}), from));
    if (!accept(",")) return;
  }
}

void Parser::objective_c(std::vector<NodePtr>& out) {
  ++at_;
  const auto word = take().spelling;
  if (word == "implementation") return implementation(out);
  const bool is_forward = word == "protocol" && (peek(1).is(";") || peek(1).is(","));
  if (is_forward || (word != "interface" && word != "protocol")) return skip_to_semicolon();
  while (!ended() && !(peek().is("@") && peek(1).is_name("end"))) ++at_;
  at_ += ended() ? 0 : 2;
}

void Parser::implementation(std::vector<NodePtr>& out) {
  const auto owner = take().spelling;
  if (peek().is("{")) at_ = after_bracket(at_);
  auto made = make_node(Kind::type, owner);
  while (!ended() && !(peek().is("@") && peek(1).is_name("end"))) {
    const auto before = at_;
    if (peek().is("-") || peek().is("+"))
      method(made->children, owner);
    else if (peek().is("@"))
      skip_to_semicolon();
    else
      declaration(out, "");
    if (at_ == before) ++at_;
  }
  at_ += ended() ? 0 : 2;
  out.push_back(made);
}

void Parser::method(std::vector<NodePtr>& out, const std::string& owner) {
  const auto from = at_++;
  auto made = make_node(Kind::function, owner + "::");
  if (peek().is("(")) {
    const auto after = after_bracket(at_);
    made->type = spelling(at_ + 1, after - 1);
    at_ = after;
  }
  while (!ended() && !peek().is("{") && !peek().is(";")) {
    if (peek().kind == Token::Kind::name) made->text += take().spelling;
    if (accept(":")) {
      made->text += ':';
      made->children.push_back(method_parameter());
    } else if (!peek().is("{") && !peek().is(";") && peek().kind != Token::Kind::name) {
      ++at_;
    }
  }
  made->parameters = made->children.size();
  if (!peek().is("{")) return skip_to_semicolon();
  made->children.push_back(compound());
  out.push_back(finish(std::move(made), from));
}

NodePtr Parser::method_parameter() {
  const auto from = at_;
  auto parameter = make_node(Kind::variable);
  if (peek().is("(")) {
    const auto after = after_bracket(at_);
    parameter->type = spelling(at_ + 1, after - 1);
    at_ = after;
  }
  parameter->text = take().spelling;
  return finish(std::move(parameter), from);
}

}  // namespace msci::host
