#include "lint/host/syntax/parser.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace msci::host {
namespace {

// People nest less deeply.
constexpr unsigned deepest_nesting = 200;

}  // namespace

Tree parse(const Source& source) {
  auto tree = Parser(lex(source)).run();
  unsigned line = 1;
  for (std::string_view rest = source.text; !rest.empty(); ++line) {
    const auto end = std::min(rest.find('\n'), rest.size() - 1);
    const auto text = trimmed(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (!text.starts_with('#')) continue;
    tree.directives.push_back(line);
    tree.is_packed =
        tree.is_packed || (text.find("pragma") != text.npos && text.find("pack") != text.npos);
  }
  return tree;
}

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
