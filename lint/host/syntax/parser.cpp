#include "lint/host/syntax/parser.h"

#include <utility>

namespace msci::host {
namespace {

// People nest less deeply.
constexpr unsigned deepest_nesting = 200;

}  // namespace

Tree parse(const Source& source) { return Parser(lex(source)).run(); }

Tree Parser::run() && {
  declarations(tree_.declarations, "");
  return std::move(tree_);
}

bool Parser::Nesting::too_deep() const {
  if (parser_.depth_ > deepest_nesting) parser_.tree_.complete = false;
  return parser_.depth_ > deepest_nesting;
}

std::shared_ptr<Node> Parser::make_node(Node::Kind kind, std::string text,
                                        std::vector<NodePtr> children) {
  auto made = std::make_shared<Node>();
  made->kind = kind;
  made->text = std::move(text);
  made->children = std::move(children);
  return made;
}

NodePtr Parser::finish(std::shared_ptr<Node> made, std::size_t from) const {
  made->range = {token(from).range.begin, token(at_ > from ? at_ - 1 : from).range.end};
  return made;
}

NodePtr Parser::skip_token(std::size_t from) {
  take();
  return empty(from);
}

}  // namespace msci::host
