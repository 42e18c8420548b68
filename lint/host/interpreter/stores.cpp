#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

// What a variable holds after x += y: no longer known, but still made from the same data.
Value accumulated(const Value& old, const Value& value, const Range& range) {
  Value sum;
  sum.loaded = old.loaded;
  sum.loaded.insert(value.loaded.begin(), value.loaded.end());
  sum.computed = old.computed ? old.computed : value.computed;
  if (!sum.loaded.empty() && !sum.computed) sum.computed = Work{range, "a loop"};
  return sum;
}

}  // namespace

void Interpreter::store(const NodePtr& place, const Value& value, const std::string& mark,
                        const Range& range) {
  switch (place->kind) {
    case Kind::name:
      return store_named(place->text, value, mark, range);
    case Kind::member:
      return store_member(*place, value, mark, range);
    case Kind::index: {
      const auto at = evaluate(place->children[1]);
      const bool one = place->children[1]->kind == Kind::number;
      for (const auto& object : containers(place->children[0]))
        store_element(*object, at, value, mark, range, one);
      return;
    }
    case Kind::unary:
      if (place->text == "*") store_through(evaluate(place->children[0]), value, mark, range);
      return;
    case Kind::cast:
      if (!place->children.empty()) store(place->children[0], value, mark, range);
      return;
    default:
      return;
  }
}

std::vector<std::shared_ptr<Object>> Interpreter::containers(const NodePtr& place) {
  const auto value = target_of(evaluate(place));
  auto objects = objects_of(value);
  const bool is_place = place->kind == Kind::name || place->kind == Kind::member;
  if (!objects.empty() || !is_place || value.kind != Value::Kind::unknown || !value.loaded.empty())
    return objects;
  objects.push_back(state_.make_object());
  objects.back()->exact = false;
  store(place, object_value(objects.back()), "=", place->range);
  return objects;
}

void Interpreter::store_named(const std::string& text, const Value& value, const std::string& mark,
                              const Range& range) {
  const auto name = last_name(text);
  if (const auto found = state_.find(name)) {
    if (found->is_element)
      return store_element(*found->value.object, {}, value, mark, range, false);
    if (mark != "=" && found->value.kind == Value::Kind::object) return;  // a pointer moves on
    if (mark != "=") return state_.assign(*found, accumulated(found->value, value, range));
    return state_.assign(*found, own_copy(value, found->type));
  }
  if (state_.self) return state_.assign_field(*state_.self, name, value);
}

void Interpreter::store_member(const Node& place, const Value& value, const std::string& mark,
                               const Range& range) {
  const auto base = target_of(evaluate(place.children[0]));
  const auto objects = objects_of(base);
  if (objects.empty() && place.children[0]->kind == Kind::index)
    return store(place.children[0], value, mark, range);  // pos[i].x = …
  if (objects.empty() && place.children[0]->kind == Kind::name) {
    const auto found = state_.find(place.children[0]->text);
    if (found && found->value.kind == Value::Kind::unknown) {
      auto made = state_.make_object();
      state_.assign_field(*made, place.text, value);
      found->value = object_value(made);
    }
    return;
  }
  for (const auto& object : objects) state_.assign_field(*object, place.text, value);
}

void Interpreter::store_through(const Value& pointer, const Value& value, const std::string& mark,
                                const Range& range) {
  if (pointer.kind == Value::Kind::address) return state_.assign(*pointer.variable, value);
  for (const auto& object : objects_of(pointer))
    store_element(*object, {}, value, mark, range, false);
}

void Interpreter::store_element(Object& object, const Value& at, const Value& value,
                                const std::string& mark, const Range& range, bool one) {
  auto work = value.computed;
  if (!work && mark != "=" && is_arithmetic(mark)) work = Work{range, "a loop"};
  if (state_.loops > 0 && !one && (work || !value.loaded.empty())) {
    if (work)
      compute(state_, object, Work{range, "a loop"}, value.loaded);
    else
      copy(state_, object, value.loaded);
  }
  store_item(state_, object, at, value);
}

}  // namespace msci::host
