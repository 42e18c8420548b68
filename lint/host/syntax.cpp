#include "lint/host/syntax.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "lint/host/token.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

// Deeper nesting, and longer chains of operators, than people write.
constexpr unsigned deepest = 200;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 30> specifiers = {"const",
                                                         "static",
                                                         "constexpr",
                                                         "constinit",
                                                         "inline",
                                                         "volatile",
                                                         "extern",
                                                         "mutable",
                                                         "thread_local",
                                                         "register",
                                                         "typename",
                                                         "struct",
                                                         "class",
                                                         "enum",
                                                         "union",
                                                         "__strong",
                                                         "__weak",
                                                         "__block",
                                                         "__unsafe_unretained",
                                                         "__autoreleasing",
                                                         "virtual",
                                                         "explicit",
                                                         "friend",
                                                         "_Nonnull",
                                                         "_Nullable",
                                                         "consteval",
                                                         "__restrict",
                                                         "restrict",
                                                         "__bridge",
                                                         "__unused"};

constexpr std::array<std::string_view, 14> builtin_words = {
    "void",   "bool",   "char",     "short", "int",     "long",    "float",
    "double", "signed", "unsigned", "auto",  "wchar_t", "char8_t", "__fp16"};

constexpr std::array<std::string_view, 22> statement_words = {
    "return", "if",      "else",   "for",      "while",    "do",       "switch", "case",
    "break",  "goto",    "delete", "continue", "throw",    "try",      "catch",  "new",
    "using",  "typedef", "sizeof", "default",  "operator", "co_return"};

struct Operator {
  std::string_view mark;
  int strength;
};
constexpr std::array operators = {
    Operator{"||", 3}, Operator{"&&", 4},  Operator{"|", 5},   Operator{"^", 6},  Operator{"&", 7},
    Operator{"==", 8}, Operator{"!=", 8},  Operator{"<", 9},   Operator{">", 9},  Operator{"<=", 9},
    Operator{">=", 9}, Operator{"<<", 10}, Operator{">>", 10}, Operator{"+", 11}, Operator{"-", 11},
    Operator{"*", 12}, Operator{"/", 12},  Operator{"%", 12}};
constexpr std::array<std::string_view, 11> assignments = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

std::shared_ptr<Node> node(Kind kind, std::string text = {}, std::vector<NodePtr> children = {}) {
  auto made = std::make_shared<Node>();
  made->kind = kind;
  made->text = std::move(text);
  made->children = std::move(children);
  return made;
}

class Parser {
 public:
  explicit Parser(Tokens tokens) : tokens_(std::move(tokens.all)) {
    tree_.complete = tokens.complete;
  }

  Tree run() {
    declarations(tree_.declarations, "");
    return std::move(tree_);
  }

 private:
  // Counts how deep we are; what lies too deep is skipped.
  struct Deeper {
    explicit Deeper(Parser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Deeper() { --parser_.depth_; }
    bool too_deep() const {
      if (parser_.depth_ > deepest) parser_.tree_.complete = false;
      return parser_.depth_ > deepest;
    }
    Parser& parser_;
  };

  // Tokens.
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& token(std::size_t at) const { return tokens_[std::min(at, tokens_.size() - 1)]; }
  bool ended() const { return peek().kind == Token::Kind::end; }
  Token take() { return ended() ? tokens_.back() : tokens_[at_++]; }
  bool accept(std::string_view mark) {
    if (!peek().is(mark)) return false;
    ++at_;
    return true;
  }
  bool accept_name(std::string_view name) {
    if (!peek().named(name)) return false;
    ++at_;
    return true;
  }

  NodePtr finish(std::shared_ptr<Node> made, std::size_t from) const {
    made->range = {token(from).range.begin, token(at_ > from ? at_ - 1 : from).range.end};
    return made;
  }

  static std::string_view closing(const Token& open) {
    if (open.is("(") || open.is("@(")) return ")";
    if (open.is("[") || open.is("@[")) return "]";
    if (open.is("{") || open.is("@{")) return "}";
    return "";
  }

  // Behind the bracket that closes the one at `from`; the end where there is none.
  std::size_t behind_bracket(std::size_t from) const {
    std::vector<std::string_view> open;
    for (auto at = from; at < tokens_.size() - 1; ++at) {
      const auto& each = tokens_[at];
      if (const auto close = closing(each); !close.empty())
        open.push_back(close);
      else if (each.is(")") || each.is("]") || each.is("}")) {
        while (!open.empty() && !each.is(open.back())) open.pop_back();
        if (!open.empty()) open.pop_back();
        if (open.empty()) return at + 1;
      }
    }
    return tokens_.size() - 1;
  }

  void skip_to_semicolon() {
    while (!ended() && !peek().is(";") && !peek().is("}"))
      at_ = closing(peek()).empty() ? at_ + 1 : behind_bracket(at_);
    accept(";");
  }

  // Behind the template arguments that begin at `from`, where these are some.
  std::optional<std::size_t> behind_angles(std::size_t from) const {
    unsigned open = 0;
    for (auto at = from; at < tokens_.size() - 1 && at < from + 200; ++at) {
      const auto& each = tokens_[at];
      if (each.is("<")) {
        ++open;
      } else if (each.is(">") && --open == 0) {
        return at + 1;
      } else if (each.is(">>")) {
        if (open <= 2) return open == 2 ? std::optional(at + 1) : std::nullopt;
        open -= 2;
      } else if (each.is("(") || each.is("[")) {
        at = behind_bracket(at) - 1;
      } else if (each.kind == Token::Kind::mark && !each.is(">") && !each.is("::") &&
                 !each.is(",") && !each.is("*") && !each.is("&") && !each.is("...") &&
                 !each.is("&&")) {
        return std::nullopt;
      } else if (each.kind == Token::Kind::text) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::string spelling(std::size_t from, std::size_t to) const {
    std::string all;
    for (auto at = from; at < to; ++at) {
      const bool words =
          !all.empty() && tokens_[at].kind == Token::Kind::name &&
          (std::isalnum(static_cast<unsigned char>(all.back())) || all.back() == '_');
      if (words) all += ' ';
      all += tokens_[at].spelling;
    }
    return all;
  }

  // Behind the type that begins at `from`, without the pointers that follow it.
  std::optional<std::size_t> behind_type(std::size_t from) const {
    auto at = from;
    bool named = false;
    for (;;) {
      const auto& each = token(at);
      if (each.kind == Token::Kind::name && is_one_of(each.spelling, specifiers)) {
        ++at;
      } else if (each.named("alignas") || each.named("__attribute__") || each.named("decltype")) {
        named = named || each.named("decltype");
        at = behind_bracket(at + 1);
      } else if (each.is("[") && token(at + 1).is("[") && !named) {
        at = behind_bracket(at);
      } else if (each.kind == Token::Kind::name && is_one_of(each.spelling, builtin_words)) {
        named = true;
        ++at;
      } else if ((each.kind == Token::Kind::name || each.is("::")) && !named) {
        if (is_one_of(each.spelling, statement_words)) return std::nullopt;
        at = behind_name(at);
        named = true;
      } else {
        break;
      }
    }
    return named ? std::optional(at) : std::nullopt;
  }

  // a::b<c>::d
  std::size_t behind_name(std::size_t at) const {
    if (token(at).is("::")) ++at;
    for (;;) {
      ++at;
      if (token(at).is("<"))
        if (const auto behind = behind_angles(at)) at = *behind;
      if (!token(at).is("::") || token(at + 1).kind != Token::Kind::name) return at;
      ++at;
    }
  }

  std::size_t behind_pointers(std::size_t at) const {
    while (token(at).is("*") || token(at).is("&") || token(at).is("&&") ||
           (token(at).kind == Token::Kind::name && is_one_of(token(at).spelling, specifiers)))
      ++at;
    return at;
  }

  // Whether a declaration of a variable begins here.
  bool at_variable() const {
    if (peek().kind != Token::Kind::name && !peek().is("::") &&
        !(peek().is("[") && peek(1).is("[")))
      return false;
    const auto type = behind_type(at_);
    if (!type) return false;
    const auto name = behind_pointers(*type);
    if (token(name).is("[") && token(*type - 1).named("auto")) return true;
    if (token(name).is("[") && name > *type && token(*type - 1).named("auto")) return true;
    // A block: R (^name)(…).
    if (token(name).is("(") && token(name + 1).is("^")) return true;
    if (token(name).kind != Token::Kind::name || is_one_of(token(name).spelling, statement_words))
      return false;
    const auto& next = token(name + 1);
    return next.is("=") || next.is(";") || next.is(",") || next.is("(") || next.is("{") ||
           next.is("[") || next.is(":") || next.is(")") || next.named("in");
  }

  // Expressions.
  NodePtr expression() {
    const auto from = at_;
    auto left = assignment();
    while (peek().is(",")) {
      ++at_;
      left = finish(node(Kind::binary, ",", {left, assignment()}), from);
    }
    return left;
  }

  NodePtr assignment() {
    const Deeper deeper(*this);
    const auto from = at_;
    if (deeper.too_deep()) return at_ += ended() ? 0 : 1, finish(node(Kind::nothing), from);
    auto left = binary(3);
    if (accept("?")) {
      auto then = peek().is(":") ? left : expression();
      accept(":");
      return finish(node(Kind::ternary, "", {left, then, assignment()}), from);
    }
    if (peek().kind == Token::Kind::mark && is_one_of(peek().spelling, assignments)) {
      const auto mark = take().spelling;
      return finish(node(Kind::assign, mark, {left, assignment()}), from);
    }
    return left;
  }

  NodePtr binary(int least) {
    const Deeper deeper(*this);
    const auto from = at_;
    if (deeper.too_deep()) return at_ += ended() ? 0 : 1, finish(node(Kind::nothing), from);
    auto left = unary();
    for (unsigned links = 0;; ++links) {
      const auto found = std::find_if(operators.begin(), operators.end(),
                                      [&](const Operator& each) { return peek().is(each.mark); });
      if (found == operators.end() || found->strength < least) return left;
      const auto mark = take().spelling;
      auto right = binary(found->strength + 1);
      // A longer chain is evaluated for what stands in it, but its links are not kept.
      if (links < deepest)
        left = finish(node(Kind::binary, mark, {left, right}), from);
      else
        tree_.complete = false;
    }
  }

  NodePtr unary() {
    const Deeper deeper(*this);
    const auto from = at_;
    if (deeper.too_deep()) return at_ += ended() ? 0 : 1, finish(node(Kind::nothing), from);
    for (std::string_view mark : {"!", "~", "-", "+", "*", "&", "++", "--"})
      if (accept(mark)) return finish(node(Kind::unary, std::string(mark), {unary()}), from);
    if (accept_name("sizeof")) return size_of(from);
    if (accept_name("co_await") || accept_name("throw")) return unary();
    if (accept_name("delete")) {
      if (peek().is("[")) at_ = behind_bracket(at_);
      return finish(node(Kind::unary, "delete", {unary()}), from);
    }
    if (accept_name("new")) return create(from);
    if (peek().is("(")) {
      const auto behind = behind_bracket(at_);
      if (is_cast(at_ + 1, behind - 1, behind)) {
        auto made = node(Kind::cast);
        made->type = spelling(at_ + 1, behind - 1);
        at_ = behind;
        made->children = {unary()};
        return finish(std::move(made), from);
      }
    }
    return suffixes(primary(), from);
  }

  bool begins_operand(std::size_t at) const {
    const auto& each = token(at);
    return each.kind == Token::Kind::name || each.kind == Token::Kind::number ||
           each.kind == Token::Kind::text;
  }

  // Whether the tokens in these parentheses are the type of a cast.
  bool is_cast(std::size_t begin, std::size_t end, std::size_t behind) const {
    if (begin >= end) return false;
    const auto type = behind_type(begin);
    if (!type || behind_pointers(*type) != end) return false;
    const bool next = begins_operand(behind) || token(behind).is("(") || token(behind).is("[") ||
                      token(behind).is("@(") || token(behind).is("*") || token(behind).is("&") ||
                      token(behind).is("-") || token(behind).is("{") || token(behind).is("@[");
    if (!next) return false;
    const auto& first = token(begin);
    if (token(end - 1).is("*") || token(end - 1).is("&")) return true;
    if (is_one_of(first.spelling, specifiers) || is_one_of(first.spelling, builtin_words))
      return true;
    const auto& last = token(end - 1).spelling;
    return begins_operand(behind) || (last.size() > 2 && last.ends_with("_t")) ||
           (token(behind).is("(") && last.starts_with("cl_")) || last == "NSUInteger";
  }

  NodePtr size_of(std::size_t from) {
    if (peek().is("(")) {
      const auto behind = behind_bracket(at_);
      auto made = node(Kind::size_of, spelling(at_ + 1, behind - 1));
      at_ = behind;
      return finish(std::move(made), from);
    }
    const auto begin = at_;
    unary();
    return finish(node(Kind::size_of, spelling(begin, at_)), from);
  }

  NodePtr create(std::size_t from) {
    auto made = node(Kind::create);
    if (const auto type = behind_type(at_)) {
      made->type = spelling(at_, *type);
      at_ = behind_pointers(*type);
    }
    if (peek().is("[")) {
      made->type += "[]";
      at_ = behind_bracket(at_);
    }
    if (peek().is("(") || peek().is("{")) made->children = bracketed();
    return finish(std::move(made), from);
  }

  // Elements between brackets, the opening one next.
  std::vector<NodePtr> bracketed() {
    const auto behind = behind_bracket(at_);
    const auto close = closing(take());
    std::vector<NodePtr> all;
    while (!ended() && at_ < behind && !peek().is(close)) {
      const auto before = at_;
      if (peek().is("{")) {
        all.push_back(braced());
      } else if (peek().is(".") && peek(1).kind == Token::Kind::name && peek(2).is("=")) {
        // {.member = value}
        const auto from = at_++;
        auto name = finish(node(Kind::name, take().spelling), from + 1);
        ++at_;
        auto value = peek().is("{") ? braced() : assignment();
        all.push_back(finish(node(Kind::assign, "=", {name, value}), from));
      } else {
        all.push_back(assignment());
      }
      if (peek().is(":")) {  // @{key : value}
        ++at_;
        auto pair = node(Kind::list, "", {all.back(), assignment()});
        all.back() = finish(std::move(pair), before);
      }
      if (!accept(",") && at_ == before) ++at_;
    }
    at_ = std::max(behind, at_);
    return all;
  }

  NodePtr braced() {
    const auto from = at_;
    auto made = node(Kind::list);
    made->children = bracketed();
    return finish(std::move(made), from);
  }

  NodePtr primary() {
    const auto from = at_;
    const auto& first = peek();
    if (first.kind == Token::Kind::number) return finish(node(Kind::number, take().spelling), from);
    if (first.kind == Token::Kind::text) {
      std::string text;
      while (peek().kind == Token::Kind::text) text += take().spelling;
      return finish(node(Kind::text, std::move(text)), from);
    }
    if (first.kind == Token::Kind::name || first.is("::")) return named();
    if (first.is("(")) return parenthesised();
    if (first.is("[")) return is_lambda() ? lambda() : message();
    if (first.is("^")) return block_literal();
    if (first.is("{") || first.is("@[") || first.is("@{")) return braced();
    if (first.is("@(")) {
      auto all = bracketed();
      return all.empty() ? finish(node(Kind::nothing), from) : all.front();
    }
    if (first.is("@") && peek(1).named("selector")) {
      at_ += 2;
      if (peek().is("(")) at_ = behind_bracket(at_);
      return finish(node(Kind::nothing), from);
    }
    if (first.is("@")) return ++at_, primary();
    // Whatever closes something is its caller's.
    if (!first.is(")") && !first.is("]") && !first.is("}") && !first.is(";") && !first.is(",") &&
        !first.is(":") && !ended())
      ++at_;
    return finish(node(Kind::nothing), from);
  }

  NodePtr parenthesised() {
    const auto from = at_;
    const auto behind = behind_bracket(at_);
    ++at_;
    auto inner = peek().is(")") ? finish(node(Kind::nothing), from) : expression();
    at_ = std::max(at_, behind);
    return inner;
  }

  NodePtr named() {
    const auto from = at_;
    const auto& word = peek().spelling;
    if (word.ends_with("_cast") && peek(1).is("<")) {
      if (const auto behind = behind_angles(at_ + 1)) {
        auto made = node(Kind::cast);
        made->type = spelling(at_ + 2, *behind - 1);
        at_ = *behind;
        made->children = {peek().is("(") ? parenthesised() : unary()};
        return finish(std::move(made), from);
      }
    }
    // A built-in type: float(x), unsigned{n}.
    if (is_one_of(word, builtin_words)) {
      if (const auto type = behind_type(at_)) {
        auto made = node(Kind::cast);
        made->type = spelling(at_, *type);
        at_ = *type;
        if (!peek().is("(") && !peek().is("{")) return finish(node(Kind::nothing), from);
        auto all = bracketed();
        made->children = {all.empty() ? finish(node(Kind::nothing), from) : all.front()};
        return finish(std::move(made), from);
      }
    }
    auto behind = behind_name(at_);
    // a < b is no template argument list.
    if (token(behind - 1).is(">") || token(behind - 1).is(">>")) {
      const auto& next = token(behind);
      if (!next.is("(") && !next.is("{") && !next.is("::")) behind = plain_name();
    }
    std::string text = spelling(at_, behind);
    at_ = behind;
    if (peek().is("{") && !text.empty()) {
      auto made = node(Kind::list);
      made->type = text;
      made->children = bracketed();
      return finish(std::move(made), from);
    }
    return finish(node(Kind::name, std::move(text)), from);
  }

  std::size_t plain_name() const {
    auto at = at_;
    if (token(at).is("::")) ++at;
    ++at;
    while (token(at).is("::") && token(at + 1).kind == Token::Kind::name) at += 2;
    return at;
  }

  NodePtr suffixes(NodePtr base, std::size_t from) {
    for (unsigned links = 0; links < 4 * deepest; ++links) {
      if (peek().is("(")) {
        std::vector<NodePtr> all{base};
        auto arguments = bracketed();
        all.insert(all.end(), arguments.begin(), arguments.end());
        base = finish(node(Kind::call, "", std::move(all)), from);
      } else if (peek().is("[")) {
        auto all = bracketed();
        auto position = all.empty() ? finish(node(Kind::nothing), from) : all.front();
        base = finish(node(Kind::index, "", {base, position}), from);
      } else if (peek().is(".") || peek().is("->")) {
        ++at_;
        accept_name("template");
        accept("~");
        if (peek().kind != Token::Kind::name) return base;
        const auto behind = behind_name(at_);
        const bool angles = token(behind - 1).is(">") && token(behind).is("(");
        auto name = peek().spelling;
        at_ = angles ? behind : at_ + 1;
        base = finish(node(Kind::member, std::move(name), {base}), from);
      } else if (peek().is("++") || peek().is("--")) {
        base = finish(node(Kind::postfix, take().spelling, {base}), from);
      } else {
        return base;
      }
    }
    tree_.complete = false;
    return base;
  }

  // [captures](…) {…} rather than [receiver message].
  bool is_lambda() const {
    const auto behind = behind_bracket(at_);
    const auto& next = token(behind);
    if (!next.is("(") && !next.is("{") && !next.named("mutable")) return false;
    const auto& first = peek(1);
    if (first.is("]")) return true;
    if (first.is("[")) return false;
    for (auto at = at_ + 1; at + 2 < behind; ++at)
      if (token(at).kind == Token::Kind::name && token(at + 1).kind == Token::Kind::name)
        return false;
    return true;
  }

  NodePtr lambda() {
    const auto from = at_;
    at_ = behind_bracket(at_);
    if (peek().is("<"))
      if (const auto behind = behind_angles(at_)) at_ = *behind;
    return closure(from);
  }

  NodePtr block_literal() {
    const auto from = at_++;
    while (!ended() && !peek().is("(") && !peek().is("{") && !peek().is(";")) ++at_;
    return closure(from);
  }

  NodePtr closure(std::size_t from) {
    auto made = node(Kind::lambda);
    if (peek().is("(")) made->children = parameter_list();
    made->parameters = made->children.size();
    while (!ended() && !peek().is("{") && !peek().is(";") && !peek().is(")")) ++at_;
    made->children.push_back(peek().is("{") ? block() : finish(node(Kind::nothing), from));
    return finish(std::move(made), from);
  }

  // [receiver first:argument second:argument]
  NodePtr message() {
    const auto from = at_;
    const auto behind = behind_bracket(at_);
    ++at_;
    std::vector<NodePtr> all{unary()};
    std::string selector;
    while (!ended() && at_ + 1 < behind) {
      const auto before = at_;
      if (peek().kind == Token::Kind::name) selector += take().spelling;
      if (accept(":")) {
        selector += ':';
        all.push_back(assignment());
        while (accept(",")) all.push_back(assignment());
      }
      if (at_ == before) ++at_;
    }
    at_ = std::max(at_, behind);
    return finish(node(Kind::message, std::move(selector), std::move(all)), from);
  }

  // Statements.
  NodePtr block() {
    const auto from = at_;
    const auto behind = behind_bracket(at_);
    auto made = node(Kind::block);
    accept("{");
    while (!ended() && at_ + 1 < behind) {
      const auto before = at_;
      statement(made->children);
      if (at_ == before) ++at_;
    }
    at_ = std::max(at_, behind);
    return finish(std::move(made), from);
  }

  NodePtr one_statement() {
    const auto from = at_;
    if (peek().is("{")) return block();
    auto made = node(Kind::block);
    statement(made->children);
    return finish(std::move(made), from);
  }

  NodePtr condition() {
    const auto behind = peek().is("(") ? behind_bracket(at_) : at_;
    const auto from = at_;
    if (!accept("(")) return finish(node(Kind::nothing), from);
    std::vector<NodePtr> parts;
    while (!ended() && at_ + 1 < behind) {
      const auto before = at_;
      if (at_variable())
        variables(parts);
      else
        parts.push_back(expression());
      accept(";");
      if (at_ == before) ++at_;
    }
    at_ = std::max(at_, behind);
    if (parts.size() == 1) return parts.front();
    return finish(node(Kind::block, "", std::move(parts)), from);
  }

  void statement(std::vector<NodePtr>& out) {
    const Deeper deeper(*this);
    const auto from = at_;
    if (deeper.too_deep()) return skip_to_semicolon();
    if (accept(";")) return;
    if (peek().is("{")) return out.push_back(block());
    if (peek().is("@")) return at_statement(out);
    if (accept_name("if")) return out.push_back(when(from));
    if (accept_name("for")) return out.push_back(loop(from));
    if (accept_name("while")) {
      auto test = condition();
      auto none = finish(node(Kind::nothing), from);
      out.push_back(finish(node(Kind::loop, "", {none, test, none, one_statement()}), from));
      return;
    }
    if (accept_name("do")) {
      auto body = one_statement();
      accept_name("while");
      auto test = condition();
      accept(";");
      return out.push_back(finish(node(Kind::until, "", {body, test}), from));
    }
    if (accept_name("switch")) {
      auto test = condition();
      return out.push_back(finish(node(Kind::cases, "", {test, one_statement()}), from));
    }
    if (accept_name("case") || accept_name("default")) {
      while (!ended() && !peek().is(":") && !peek().is(";") && !peek().is("}")) ++at_;
      accept(":");
      return;
    }
    if (accept_name("try")) return out.push_back(one_statement());
    if (accept_name("catch")) {
      if (peek().is("(")) at_ = behind_bracket(at_);
      auto none = finish(node(Kind::nothing), from);
      return out.push_back(finish(node(Kind::when, "", {none, one_statement()}), from));
    }
    for (std::string_view word : {"return", "break", "continue", "throw", "goto", "co_return"})
      if (accept_name(word)) {
        auto made = node(Kind::leave, std::string(word == "goto" ? "break" : word));
        if (!peek().is(";")) made->children = {peek().is("{") ? braced() : expression()};
        skip_to_semicolon();
        return out.push_back(finish(std::move(made), from));
      }
    if (peek().named("using")) return alias();
    if (peek().named("typedef") || peek().named("static_assert")) return skip_to_semicolon();
    if ((peek().named("struct") || peek().named("class") || peek().named("enum") ||
         peek().named("union")) &&
        defines_type())
      return type_definition(out);
    if (at_variable()) {
      variables(out);
      return skip_to_semicolon();
    }
    out.push_back(expression());
    skip_to_semicolon();
  }

  void at_statement(std::vector<NodePtr>& out) {
    const auto from = at_++;
    const auto word = take().spelling;
    if (word == "autoreleasepool" || word == "try" || word == "finally")
      return out.push_back(one_statement());
    if (word == "synchronized") {
      if (peek().is("(")) at_ = behind_bracket(at_);
      return out.push_back(one_statement());
    }
    if (word == "catch") {
      if (peek().is("(")) at_ = behind_bracket(at_);
      auto none = finish(node(Kind::nothing), from);
      return out.push_back(finish(node(Kind::when, "", {none, one_statement()}), from));
    }
    if (word == "available") at_ = from + 1;
    skip_to_semicolon();
  }

  NodePtr when(std::size_t from) {
    accept_name("constexpr");
    std::vector<NodePtr> all{condition()};
    all.push_back(one_statement());
    if (accept_name("else")) all.push_back(one_statement());
    return finish(node(Kind::when, "", std::move(all)), from);
  }

  NodePtr loop(std::size_t from) {
    const auto behind = peek().is("(") ? behind_bracket(at_) : at_;
    accept("(");
    std::vector<NodePtr> first;
    if (at_variable()) {
      const auto begin = at_;
      variables(first, /*in_loop_head=*/true);
      if (accept(":") || accept_name("in")) {
        auto range = peek().is("{") ? braced() : expression();
        at_ = std::max(at_, behind);
        auto bound = first.empty() ? finish(node(Kind::variable), begin) : first.back();
        return finish(node(Kind::for_each, "", {bound, range, one_statement()}), from);
      }
    } else if (!peek().is(";")) {
      first.push_back(expression());
    }
    accept(";");
    auto test = peek().is(";") ? finish(node(Kind::nothing), at_) : expression();
    accept(";");
    auto step = peek().is(")") ? finish(node(Kind::nothing), at_) : expression();
    at_ = std::max(at_, behind);
    auto begin = finish(node(Kind::block, "", std::move(first)), from);
    auto body = one_statement();
    return finish(node(Kind::loop, "", {begin, test, step, body}), from);
  }

  // Declarations.
  void alias() {
    const auto from = at_;
    skip_to_semicolon();
    if (token(from + 2).is("=") && at_ > from + 4)
      aliases_[token(from + 1).spelling] = spelling(from + 3, at_ - 1);
  }

  void variables(std::vector<NodePtr>& out, bool in_loop_head = false) {
    const auto begin = at_;
    const auto type = behind_type(at_);
    if (!type) return;
    auto base = spelling(begin, *type);
    if (const auto alias = aliases_.find(base); alias != aliases_.end()) base = alias->second;
    at_ = *type;
    for (;;) {
      const auto from = at_;
      const auto name = behind_pointers(at_);
      auto made = node(Kind::variable);
      made->type = base + spelling(at_, name);
      at_ = name;
      if (peek().is("[")) {  // auto [a, b]
        const auto behind = behind_bracket(at_);
        for (++at_; at_ + 1 < behind; ++at_) made->text += peek().spelling;
        at_ = behind;
      } else if (peek().is("(") && peek(1).is("^")) {  // R (^name)(…)
        made->text = peek(2).spelling;
        at_ = behind_bracket(at_);
        if (peek().is("(")) at_ = behind_bracket(at_);
      } else {
        made->text = take().spelling;
      }
      while (peek().is("[")) {
        made->type += "[]";
        at_ = behind_bracket(at_);
      }
      if (accept("=")) {
        made->children = {peek().is("{") ? braced() : assignment()};
      } else if (peek().is("(") || peek().is("{")) {
        const auto open = at_;
        auto list = node(Kind::list);
        list->type = made->type;
        list->text = peek().spelling;
        list->children = bracketed();
        made->children = {finish(std::move(list), open)};
      }
      out.push_back(finish(std::move(made), from));
      if (in_loop_head && (peek().is(":") || peek().named("in"))) return;
      if (!accept(",")) return;
    }
  }

  std::vector<NodePtr> parameter_list() {
    const auto behind = behind_bracket(at_);
    std::vector<NodePtr> all;
    ++at_;
    while (!ended() && at_ + 1 < behind) {
      const auto from = at_;
      all.push_back(parameter(behind - 1));
      if (!accept(",") && at_ == from) ++at_;
    }
    at_ = behind;
    return all;
  }

  // Up to a comma or `end`: the last word before a default value is the name.
  NodePtr parameter(std::size_t end) {
    const auto from = at_;
    auto made = node(Kind::variable);
    auto name = tokens_.size();
    auto type_end = at_;
    while (at_ < end && !peek().is(",") && !peek().is("=")) {
      if (peek().is("<")) {
        const auto behind = behind_angles(at_);
        at_ = behind ? *behind : at_ + 1;
        type_end = at_;
      } else if (peek().is("(") || peek().is("[") || peek().is("{")) {
        if (peek().is("(") && (peek(1).is("^") || peek(1).is("*"))) name = at_ + 2;
        at_ = behind_bracket(at_);
      } else {
        if (peek().kind == Token::Kind::name && !is_one_of(peek().spelling, specifiers) &&
            at_ > from)
          name = at_;
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

  bool defines_type() const {
    for (auto at = at_ + 1; at < tokens_.size() && at < at_ + 60; ++at) {
      if (token(at).is("{")) return true;
      if (token(at).is(";") || token(at).is("(") || token(at).is("=") || token(at).is("*"))
        return false;
    }
    return false;
  }

  void type_definition(std::vector<NodePtr>& out) {
    const auto from = at_;
    const bool is_enum = take().named("enum");
    if (is_enum && !accept_name("class")) accept_name("struct");
    std::string name;
    while (!ended() && !peek().is("{") && !peek().is(":")) {
      if (peek().kind == Token::Kind::name && !peek().named("final") && !peek().named("alignas"))
        name = peek().spelling;
      at_ = peek().is("(") || peek().is("[") ? behind_bracket(at_) : at_ + 1;
    }
    while (!ended() && !peek().is("{")) ++at_;
    const auto behind = behind_bracket(at_);
    auto made = node(Kind::type, name);
    ++at_;
    if (is_enum)
      enumerators(out, behind);
    else
      declarations(made->children, name);
    at_ = behind;
    out.push_back(finish(std::move(made), from));
    // struct {…} name = {…};
    if (peek().kind == Token::Kind::name) {
      auto variable = node(Kind::variable, take().spelling);
      variable->type = name;
      while (peek().is("[")) {
        variable->type += "[]";
        at_ = behind_bracket(at_);
      }
      if (accept("=") || peek().is("{")) variable->children = {braced()};
      out.push_back(finish(std::move(variable), from));
    }
    skip_to_semicolon();
  }

  void enumerators(std::vector<NodePtr>& out, std::size_t behind) {
    while (!ended() && at_ + 1 < behind) {
      const auto from = at_;
      auto made = node(Kind::enumerator, take().spelling);
      if (accept("=")) made->children = {assignment()};
      out.push_back(finish(std::move(made), from));
      if (!accept(",") && at_ == from) ++at_;
    }
  }

  // Until the brace that closes what we are in.
  void declarations(std::vector<NodePtr>& out, const std::string& owner) {
    const Deeper deeper(*this);
    if (deeper.too_deep()) return;
    while (!ended() && !peek().is("}")) {
      const auto before = at_;
      declaration(out, owner);
      if (at_ == before) ++at_;
    }
  }

  void declaration(std::vector<NodePtr>& out, const std::string& owner) {
    if (accept(";")) return;
    if (peek().named("inline") && peek(1).named("namespace")) ++at_;
    const bool is_namespace = peek().named("namespace");
    const bool is_extern = peek().named("extern") && peek(1).kind == Token::Kind::text;
    if (is_namespace || is_extern) {
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
      return;
    }
    if (accept_name("template")) {
      if (const auto behind = peek().is("<") ? behind_angles(at_) : std::nullopt) at_ = *behind;
      return;
    }
    if (peek().named("using")) return alias();
    if (peek().named("typedef") || peek().named("static_assert") || peek().named("friend"))
      return skip_to_semicolon();
    if ((peek().named("public") || peek().named("private") || peek().named("protected")) &&
        peek(1).is(":")) {
      at_ += 2;
      return;
    }
    if (peek().is("@")) return objective_c(out);
    if ((peek().named("struct") || peek().named("class") || peek().named("enum") ||
         peek().named("union")) &&
        defines_type())
      return type_definition(out);
    if (function(out, owner)) return;
    if (at_variable()) {
      variables(out);
      return skip_to_semicolon();
    }
    skip_to_semicolon();
  }

  // The name that stands before the parenthesis at `at`; "" where there is none.
  std::string function_name(std::size_t at) const {
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

  // A function with a body, or a prototype, which is skipped. Where it is neither, nothing moves.
  bool function(std::vector<NodePtr>& out, const std::string& owner) {
    const auto from = at_;
    auto at = at_;
    bool is_operator = false;
    while (at < tokens_.size() - 1 && !token(at).is("(") && !token(at).is(";") &&
           !token(at).is("=") && !token(at).is("{") && !token(at).is("}") && !token(at).is("^")) {
      if (token(at).named("operator")) {
        is_operator = true;
        for (++at; at < tokens_.size() - 1 && !token(at).is("(");) ++at;
        if (token(at + 1).is(")") && token(at + 2).is("(")) at += 2;
        break;
      }
      if (token(at).named("__attribute__") || token(at).named("alignas")) {
        at = behind_bracket(at + 1);
      } else if (token(at).is("[")) {
        at = behind_bracket(at);
      } else {
        const auto behind = token(at).is("<") ? behind_angles(at) : std::nullopt;
        at = behind ? *behind : at + 1;
      }
    }
    if (!token(at).is("(")) return false;
    const auto name = is_operator ? std::string("operator()") : function_name(at);
    if (name.empty()) return false;
    auto after = behind_bracket(at);
    while (token(after).kind == Token::Kind::name || token(after).is("->") ||
           token(after).is("*") || token(after).is("&") || token(after).is("&&") ||
           token(after).is("::") || token(after).is("<") || token(after).is("(")) {
      const auto angles = token(after).is("<") ? behind_angles(after) : std::nullopt;
      after = angles ? *angles : token(after).is("(") ? behind_bracket(after) : after + 1;
    }
    if (!token(after).is("{") && !token(after).is(":")) {
      // A variable that is made with arguments reads like a prototype.
      if (token(after).is(";") && begins_value(at + 1)) return false;
      if (!token(after).is(";") && !token(after).is("=")) return false;
      at_ = after;
      skip_to_semicolon();
      return true;
    }
    auto made =
        node(Kind::function,
             owner.empty() || name.find("::") != std::string::npos ? name : owner + "::" + name);
    made->type = spelling(from, at - 1);
    at_ = at;
    made->children = parameter_list();
    made->parameters = made->children.size();
    at_ = after;
    if (accept(":")) member_initialisers(made->children);
    made->children.push_back(peek().is("{") ? block() : finish(node(Kind::nothing), from));
    out.push_back(finish(std::move(made), from));
    return true;
  }

  bool begins_value(std::size_t at) const {
    return token(at).kind == Token::Kind::number || token(at).kind == Token::Kind::text;
  }

  void member_initialisers(std::vector<NodePtr>& out) {
    while (!ended() && peek().kind == Token::Kind::name) {
      const auto from = at_;
      auto name = finish(node(Kind::name, take().spelling), from);
      if (peek().is("<"))
        if (const auto behind = behind_angles(at_)) at_ = *behind;
      if (!peek().is("(") && !peek().is("{")) return;
      auto list = node(Kind::list);
      list->text = peek().spelling;
      list->children = bracketed();
      const auto value = finish(std::move(list), from);
      out.push_back(finish(node(Kind::assign, "=", {name, value}), from));
      if (!accept(",")) return;
    }
  }

  // @implementation … @end; all else that begins with @ here only declares.
  void objective_c(std::vector<NodePtr>& out) {
    ++at_;
    const auto word = take().spelling;
    if (word == "interface" || word == "protocol") {
      if (word == "protocol" && (peek(1).is(";") || peek(1).is(","))) return skip_to_semicolon();
      while (!ended() && !(peek().is("@") && peek(1).named("end"))) ++at_;
      at_ += ended() ? 0 : 2;
      return;
    }
    if (word != "implementation") return skip_to_semicolon();
    const auto owner = take().spelling;
    if (peek().is("{")) at_ = behind_bracket(at_);
    auto made = node(Kind::type, owner);
    while (!ended() && !(peek().is("@") && peek(1).named("end"))) {
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

  // - (type)first:(type)name second:(type)name {…}
  void method(std::vector<NodePtr>& out, const std::string& owner) {
    const auto from = at_++;
    auto made = node(Kind::function, owner + "::");
    if (peek().is("(")) {
      const auto behind = behind_bracket(at_);
      made->type = spelling(at_ + 1, behind - 1);
      at_ = behind;
    }
    while (!ended() && !peek().is("{") && !peek().is(";")) {
      if (peek().kind == Token::Kind::name) made->text += take().spelling;
      if (!accept(":")) {
        if (!peek().is("{") && !peek().is(";") && peek().kind != Token::Kind::name) ++at_;
        continue;
      }
      made->text += ':';
      const auto begin = at_;
      auto parameter = node(Kind::variable);
      if (peek().is("(")) {
        const auto behind = behind_bracket(at_);
        parameter->type = spelling(at_ + 1, behind - 1);
        at_ = behind;
      }
      parameter->text = take().spelling;
      made->children.push_back(finish(std::move(parameter), begin));
    }
    made->parameters = made->children.size();
    if (!peek().is("{")) return skip_to_semicolon();
    made->children.push_back(block());
    out.push_back(finish(std::move(made), from));
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  std::map<std::string, std::string> aliases_;  // using name = type
  Tree tree_;
};

}  // namespace

Tree syntax_of(const Source& source) { return Parser(tokens_of(source)).run(); }

}  // namespace msci::host
