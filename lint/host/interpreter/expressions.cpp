#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

constexpr std::array<std::pair<std::string_view, double>, 9> constants = {{{"true", 1},
                                                                           {"YES", 1},
                                                                           {"CL_TRUE", 1},
                                                                           {"false", 0},
                                                                           {"NO", 0},
                                                                           {"CL_FALSE", 0},
                                                                           {"nullptr", 0},
                                                                           {"nil", 0},
                                                                           {"NULL", 0}}};

// The number without its suffixes.
std::string number_text(std::string text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  while (!text.empty() && (std::string_view("uUlLzZ").find(text.back()) != std::string::npos ||
                           (!hex && (text.back() == 'f' || text.back() == 'F'))))
    text.pop_back();
  return text;
}

// The declared type; of `auto`, the host's own class of the value.
std::string declared_type(const Variable& variable) {
  const auto& value = variable.value;
  const bool is_own = value.kind == Value::Kind::object && !value.is_pointer;
  return element_type(variable.type) == "auto" && is_own ? value.object->owner : variable.type;
}

}  // namespace

Value Interpreter::evaluate(const NodePtr& node) {
  const Nesting nesting(*this);
  if (out_of_steps()) return {};
  switch (node->kind) {
    case Kind::name:
      return named(*node);
    case Kind::number:
      return number_value(std::strtod(number_text(node->text).c_str(), nullptr));
    case Kind::string:
      return string_value(node->text);
    case Kind::call:
      return call(node);
    case Kind::message:
      return message(node);
    case Kind::member:
      return member(*node);
    case Kind::index: {
      const auto base = evaluate(node->children[0]);
      return load_item(base, evaluate(node->children[1]));
    }
    case Kind::unary:
      return unary(*node);
    case Kind::postfix:
      return changed(node->children[0], node->text == "++" ? 1 : -1, /*before=*/true);
    case Kind::binary:
      return binary(*node);
    case Kind::assign:
      return assignment(*node);
    case Kind::conditional:
      return conditional(*node);
    case Kind::lambda:
      return closure(*node);
    case Kind::init_list:
      return node->type.empty() ? init_list(*node) : constructed(node->type, *node);
    case Kind::cast:
      return cast(*node);
    case Kind::new_object:
      return constructed(node->type, *node);
    case Kind::size_of:
      return size_of(node->text);
    case Kind::variable:
      declare_from(*node);
      return {};
    default:
      return {};
  }
}

Value Interpreter::named(const Node& node) {
  const auto name = last_name(node.text);
  if (const auto found = state_.find(name)) {
    if (!found->is_element) return found->value;
    Value loaded;
    load(loaded, found->value.object);
    return loaded;
  }
  if (name == "this" || name == "self")
    return state_.self ? object_value(state_.self, true) : Value();
  if (state_.self)
    if (const auto field = state_.self->fields.find(field_name(name));
        field != state_.self->fields.end())
      return field->second;
  for (const auto& [word, number] : constants)
    if (name == word) return number_value(number);
  const auto& functions = symbols_.functions(name);
  return functions.empty() ? Value() : closure_value(*functions.front(), state_.globals);
}

Value Interpreter::closure(const Node& node) { return closure_value(node, state_.scope); }

Value Interpreter::init_list(const Node& node) {
  auto made = state_.make_object();
  for (const auto& child : node.children) {
    if (child->kind == Kind::assign && child->children[0]->kind == Kind::name)
      made->fields[field_name(child->children[0]->text)] = evaluate(child->children[1]);
    else
      made->items.push_back(evaluate(child));
  }
  return object_value(made);
}

Value Interpreter::size_of(const std::string& text) {
  auto size = layouts_.bytes_of(text);
  if (!size)
    if (const auto found = state_.find(text)) size = layouts_.bytes_of(declared_type(*found));
  return size ? number_value(static_cast<double>(*size)) : Value();
}

Value Interpreter::cast(const Node& node) {
  auto value = node.children.empty() ? Value() : evaluate(node.children[0]);
  learn_element_type(value, node.type);
  if (node.type.find('*') != std::string::npos) value.type = node.type;
  return value;
}

Value Interpreter::conditional(const Node& node) {
  const auto truth = truth_of(evaluate(node.children[0]));
  if (truth) return evaluate(node.children[*truth ? 1 : 2]);
  const OpenBranch branch(state_);
  const auto then = evaluate(node.children[1]);
  const auto other = evaluate(node.children[2]);
  return join(then, other);
}

Value Interpreter::member(const Node& node) {
  const auto base = evaluate(node.children[0]);
  if (node.text == "contents" || node.text == "UTF8String" || node.text == "mutableBytes")
    return call_library(
        {.name = node.text, .node = &node, .receiver = base, .receiver_node = node.children[0]});
  Value result;
  bool first = true;
  const auto found = target_of(base);
  for (const auto& object : objects_of(found)) {
    Value value;
    if (const auto field = object->fields.find(field_name(node.text));
        field != object->fields.end())
      value = field->second;
    else if ((node.text == "first" || node.text == "second") && object->items.size() == 2)
      value = object->items[node.text == "first" ? 0 : 1];
    result = first ? value : join(result, value);
    first = false;
  }
  // pos[i].x is as good as pos[i].
  if (first) {
    result.loaded = base.loaded;
    result.computed = base.computed;
  }
  return result;
}

}  // namespace msci::host
