#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

Value dereferenced(const Value& value) {
  if (value.kind == Value::Kind::address) return value.variable->value;
  const auto objects = objects_of(value);
  if (objects.empty() || !value.is_pointer) return value;
  if (!objects.front()->owner.empty() || objects.front()->type.empty()) return value;
  Value result;
  for (const auto& object : objects) load(result, object);
  return result;
}

// The item of a container, if it may come from no other one.
Value known_item(const Value& base, const Value& at) {
  const auto objects = objects_of(base);
  return objects.size() == 1 ? item_of(*objects.front(), at) : Value();
}

Value arithmetic(std::string_view mark, double x, double y) {
  const auto whole = [](double v) {
    return std::isnan(v) ? 0 : static_cast<std::int64_t>(std::clamp(v, -9e15, 9e15));
  };
  if (mark == "+") return number_value(x + y);
  if (mark == "-") return number_value(x - y);
  if (mark == "*") return number_value(x * y);
  if (mark == "/" && y != 0 && x == std::floor(x) && y == std::floor(y))
    return number_value(std::floor(x / y));
  if (mark == "/" && y != 0) return number_value(x / y);
  if (mark == "%" && whole(y) != 0) return number_value(static_cast<double>(whole(x) % whole(y)));
  if (mark == "<<" && y >= 0 && y < 40) return number_value(std::ldexp(x, static_cast<int>(y)));
  if (mark == ">>" && y >= 0 && y < 60)
    return number_value(std::floor(std::ldexp(x, -static_cast<int>(y))));
  if (mark == "|") return number_value(static_cast<double>(whole(x) | whole(y)));
  if (mark == "&") return number_value(static_cast<double>(whole(x) & whole(y)));
  if (mark == "==") return number_value(x == y);
  if (mark == "!=") return number_value(x != y);
  if (mark == "<") return number_value(x < y);
  if (mark == ">") return number_value(x > y);
  if (mark == "<=") return number_value(x <= y);
  if (mark == ">=") return number_value(x >= y);
  return {};
}

}  // namespace

Value Interpreter::unary(const Node& node) {
  const auto& operand = node.children[0];
  if (node.text == "++" || node.text == "--")
    return changed(operand, node.text == "++" ? 1 : -1, /*before=*/false);
  if (node.text == "&") return address(operand);
  const auto value = evaluate(operand);
  if (node.text == "*") return dereferenced(value);
  if (node.text == "!") {
    const auto truth = truth_of(value);
    return truth ? number_value(*truth ? 0 : 1) : Value();
  }
  if (node.text == "delete") return {};
  const auto number = number_of(value);
  if (node.text == "-" && number) return number_value(-*number);
  if (node.text == "+") return value;
  Value result;
  result.loaded = value.loaded;
  result.computed = value.computed;
  if (node.text == "-" && !value.loaded.empty() && !result.computed)
    result.computed = Work{node.range, "a loop"};
  return result;
}

Value Interpreter::address(const NodePtr& operand) {
  if (operand->kind == Kind::index) {
    auto base = evaluate(operand->children[0]);
    const auto at = known_item(base, evaluate(operand->children[1]));
    if (at.kind == Value::Kind::object &&
        (!at.object->owner.empty() || at.object->role == Object::Role::buffer))
      return at;
    base.is_pointer = true;
    return base;
  }
  if (operand->kind == Kind::name)
    if (const auto found = state_.find(last_name(operand->text))) {
      if (found->is_element || found->value.kind == Value::Kind::object) {
        auto value = found->value;
        value.is_pointer = true;
        return value;
      }
      Value value;
      value.kind = Value::Kind::address;
      value.variable = found;
      return value;
    }
  return evaluate(operand);
}

Value Interpreter::changed(const NodePtr& operand, double by, bool before) {
  const auto value = evaluate(operand);
  const auto number = number_of(value);
  // *p++ walks over memory; the pointer still points into it.
  if (!objects_of(value).empty()) return value;
  const auto next = number ? number_value(*number + by) : Value();
  if (number || value.kind != Value::Kind::unknown) store(operand, next, "=", operand->range);
  return before ? value : next;
}

Value Interpreter::binary(const Node& node) {
  const auto a = evaluate(node.children[0]);
  if (node.text == ",") return evaluate(node.children[1]);
  if (node.text == "&&" || node.text == "||") return logical(node, a);
  const auto b = evaluate(node.children[1]);
  if (node.text == ">>" && node.children[1]->kind == Kind::name && !number_of(b))
    forget(node.children[1]);  // a stream is read
  const auto x = number_of(a);
  const auto y = number_of(b);
  if (x && y) return arithmetic(node.text, *x, *y);
  if (a.kind == Value::Kind::string && b.kind == Value::Kind::string && node.text == "+")
    return string_value(a.text + b.text);
  // Pointers and their distances.
  if (node.text == "+" || node.text == "-") {
    if (!objects_of(a).empty() && objects_of(b).empty()) return pointer_to(a);
    if (!objects_of(b).empty() && objects_of(a).empty()) return pointer_to(b);
  }
  Value result;
  if (!is_arithmetic(node.text) && node.text != "|" && node.text != "&" && node.text != "^" &&
      node.text != "<<" && node.text != ">>")
    return result;
  result.loaded = a.loaded;
  result.loaded.insert(b.loaded.begin(), b.loaded.end());
  result.computed = a.computed ? a.computed : b.computed;
  if (is_arithmetic(node.text) && !result.loaded.empty() && !result.computed)
    result.computed = Work{node.range, "a loop"};
  return result;
}

Value Interpreter::logical(const Node& node, const Value& left_value) {
  const auto left = truth_of(left_value);
  const bool decides = node.text == "||";
  if (left && *left == decides) return number_value(*left ? 1 : 0);
  const auto right = truth_of(evaluate(node.children[1]));
  if (right && *right == decides) return number_value(decides ? 1 : 0);
  return left && right ? number_value(*right ? 1 : 0) : Value();
}

Value Interpreter::assignment(const Node& node) {
  auto value = evaluate(node.children[1]);
  if (node.text != "=") {
    const auto old = number_of(evaluate(node.children[0]));
    const auto by = number_of(value);
    const auto mark = node.text.substr(0, node.text.size() - 1);
    if (old && by) {
      value = arithmetic(mark, *old, *by);
      store(node.children[0], value, "=", node.range);
      return value;
    }
  }
  store(node.children[0], value, node.text, node.range);
  return value;
}

}  // namespace msci::host
