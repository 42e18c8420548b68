#include <cmath>

#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/known_functions.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

// Longer loops are interpreted twice, with an unknown counter.
constexpr unsigned longest_known_loop = 16;
constexpr std::size_t longest_known_list = 64;

bool ends_program(const Node& node) {
  if (node.kind != Kind::call || node.children[0]->kind != Kind::name) return false;
  const auto name = last_name(node.children[0]->text);
  return name == "exit" || name == "abort" || name == "_Exit" || name == "quick_exit";
}

bool holds_nothing(const Value& value) {
  return value.kind == Value::Kind::unknown && value.loaded.empty();
}

bool is_number_or_size(const Value& value) {
  return value.kind == Value::Kind::number ||
         (value.kind == Value::Kind::object && is_size_type(value.object->type));
}

}  // namespace

Interpreter::Flow Interpreter::execute(const NodePtr& node) {
  const Nesting nesting(*this);
  if (out_of_steps()) return Flow::leaves;
  switch (node->kind) {
    case Kind::compound:
      return compound(*node);
    case Kind::if_else:
      return if_else(*node);
    case Kind::for_loop:
      return for_loop(*node);
    case Kind::range_for:
      return range_for(*node);
    case Kind::do_while:
      return unknown_loop({node->children[0], node->children[1]}, nullptr, node);
    case Kind::switch_case:
      return switch_case(*node);
    case Kind::jump:
      return jump(*node);
    case Kind::variable:
      declare_from(*node);
      return Flow::next;
    case Kind::enumerator:
      state_.declare(node->text, enumerator(*node), "const int");
      return Flow::next;
    case Kind::type:
      symbols_.add(*node);
      return Flow::next;
    case Kind::function:
    case Kind::empty:
      return Flow::next;
    default:
      evaluate(node);
      return ends_program(*node) ? Flow::leaves : Flow::next;
  }
}

Interpreter::Flow Interpreter::compound(const Node& node) {
  const NestedScope scope(state_);
  auto flow = Flow::next;
  for (const auto& each : node.children)
    if (flow == Flow::next) flow = execute(each);
  return flow;
}

Value Interpreter::condition(const NodePtr& node) {
  // T x = f(); x   and   T x = f()
  if (node->kind == Kind::compound || node->kind == Kind::variable) {
    const std::vector<NodePtr> parts =
        node->kind == Kind::compound ? node->children : std::vector{node};
    Value last;
    for (const auto& part : parts) {
      const bool declares = part->kind == Kind::variable;
      if (declares) execute(part);
      last = declares ? Value() : evaluate(part);
    }
    return last;
  }
  return node->kind == Kind::empty ? Value() : evaluate(node);
}

Interpreter::Flow Interpreter::if_else(const Node& node) {
  const NestedScope scope(state_);
  const auto truth = truth_of(condition(node.children[0]));
  auto flow = Flow::next;
  if (truth) {
    if (*truth) flow = execute(node.children[1]);
    if (!*truth && node.children.size() > 2) flow = execute(node.children[2]);
  } else {
    const OpenBranch branch(state_);
    const auto then = execute(node.children[1]);
    const auto other = node.children.size() > 2 ? execute(node.children[2]) : Flow::next;
    if (then == Flow::leaves && other == Flow::leaves) flow = Flow::leaves;
  }
  return flow;
}

Interpreter::Flow Interpreter::switch_case(const Node& node) {
  evaluate(node.children[0]);
  const OpenBranch branch(state_);
  execute(node.children[1]);
  return Flow::next;
}

Interpreter::Flow Interpreter::for_loop(const Node& node) {
  const NestedScope scope(state_);
  for (const auto& each : node.children[0]->children) execute(each);
  const auto& test = node.children[1];
  const auto& step = node.children[2];
  const auto& body = node.children[3];
  if (const auto iterations = known_iterations(test, step)) {
    ++state_.loops;
    for (unsigned i = 0; i < *iterations; ++i) {
      execute(body);
      evaluate(step);
    }
    --state_.loops;
  } else if (truth_of(condition(test)) != false) {
    unknown_loop({body, step}, test, body);
  }
  return Flow::next;
}

std::optional<unsigned> Interpreter::known_iterations(const NodePtr& test, const NodePtr& step) {
  if (test->kind != Kind::binary || (step->kind != Kind::unary && step->kind != Kind::postfix))
    return std::nullopt;
  const auto& counter = test->children[0];
  const auto changed = step->children[0];
  if (counter->kind != Kind::name || changed->text != counter->text) return std::nullopt;
  const auto begin = number_of(evaluate(counter));
  const auto end = number_of(evaluate(test->children[1]));
  if (!begin || !end || step->text != "++") return std::nullopt;
  const double iterations = *end - *begin + (test->text == "<=" ? 1 : 0);
  if (test->text != "<" && test->text != "<=" && test->text != "!=") return std::nullopt;
  if (!(iterations <= longest_known_loop)) return std::nullopt;
  return iterations <= 0 ? 0u : static_cast<unsigned>(std::ceil(iterations));
}

Interpreter::Flow Interpreter::unknown_loop(const std::vector<NodePtr>& parts, const NodePtr& test,
                                            const NodePtr& body) {
  const UnknownLoop loop(state_);
  for (unsigned iteration = 0; iteration < 2; ++iteration) {
    for (const auto& part : parts) forget_changed(part);
    if (test) condition(test);
    for (const auto& part : parts)
      if (part == body || part->kind == Kind::compound)
        execute(part);
      else if (part->kind != Kind::empty)
        evaluate(part);
  }
  for (const auto& part : parts) forget_changed(part);
  return Flow::next;
}

Interpreter::Flow Interpreter::range_for(const Node& node) {
  const auto objects = objects_of(evaluate(node.children[1]));
  const auto& declaration = *node.children[0];
  const NestedScope scope(state_);
  const auto* list = objects.size() == 1 ? objects.front().get() : nullptr;
  const auto items = list ? items_of(*list) : std::vector<Value>{};
  if (!list || !list->exact || items.empty() || items.size() > longest_known_list) {
    unknown_range_for(node, objects, items);
    return Flow::next;
  }
  ++state_.loops;
  for (const auto& item : items) {
    bind_element(declaration, item, nullptr);
    execute(node.children[2]);
  }
  --state_.loops;
  return Flow::next;
}

void Interpreter::unknown_range_for(const Node& node,
                                    const std::vector<std::shared_ptr<Object>>& objects,
                                    const std::vector<Value>& items) {
  const auto& body = node.children[2];
  const UnknownLoop loop(state_);
  Value element;
  for (const auto& item : items) element = holds_nothing(element) ? item : join(element, item);
  for (const auto& object : objects) load(element, object);
  for (unsigned iteration = 0; iteration < 2; ++iteration) {
    forget_changed(body);
    bind_element(*node.children[0], element, objects.size() == 1 ? objects.front() : nullptr);
    execute(body);
  }
  forget_changed(body);
}

Interpreter::Flow Interpreter::jump(const Node& node) {
  if (node.children.empty()) return Flow::leaves;
  auto value = evaluate(node.children[0]);
  if (node.text == "return" && !results_.empty()) {
    auto& result = results_.back();
    result = result ? join(*result, value) : value;
  }
  return Flow::leaves;
}

void Interpreter::forget_changed(const NodePtr& node) {
  if (out_of_steps()) return;
  const bool changes = node->kind == Kind::assign || node->kind == Kind::postfix ||
                       (node->kind == Kind::unary && (node->text == "++" || node->text == "--"));
  if (changes) {
    auto place = node->children[0];
    if (place->kind == Kind::member) place = place->children[0];  // group.width *= 2
    const auto found = place->kind == Kind::name ? state_.find(place->text) : nullptr;
    if (found && is_number_or_size(found->value)) found->value = {};
  }
  for (const auto& child : node->children) forget_changed(child);
}

void Interpreter::forget(const NodePtr& node) {
  if (node->kind == Kind::unary && node->text == "&") return forget(node->children[0]);
  if (node->kind != Kind::name) return;
  const auto found = state_.find(node->text);
  if (found && !found->constant && is_number_or_size(found->value)) found->value = {};
}

}  // namespace msci::host
