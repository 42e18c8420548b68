#include <algorithm>
#include <utility>

#include "lint/host/api_names.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

std::set<BoundArgument> bindings_of(const std::set<std::shared_ptr<Object>>& objects) {
  std::set<BoundArgument> all;
  for (const auto& object : objects) all.insert(object->bound_to.begin(), object->bound_to.end());
  return all;
}

}  // namespace

Value target_of(const Value& value) {
  return value.kind == Value::Kind::address ? value.variable->value : value;
}

Value pointer_to(Value value) {
  value.is_pointer = true;
  return value;
}

std::vector<Value> items_of(const Object& object) {
  if (!object.items.empty() || object.fields.empty() || !object.owner.empty()) return object.items;
  std::vector<Value> pairs;
  for (const auto& [key, value] : object.fields)
    pairs.push_back(pair_value(string_value(key), value));
  return pairs;
}

Value item_of(const Object& object, const Value& at) {
  if (at.kind == Value::Kind::string) {
    const auto field = object.fields.find(at.text);
    return field == object.fields.end() ? Value() : field->second;
  }
  if (const auto number = number_of(at); number && object.exact) {
    const auto index = std::max(*number, 0.0);
    const bool exists = index < static_cast<double>(object.items.size());
    return exists ? object.items[static_cast<std::size_t>(index)] : Value();
  }
  Value all;
  bool first = true;
  for (const auto& item : items_of(object)) {
    const auto pair = objects_of(item);
    const bool is_map = object.items.empty() && !object.fields.empty() && !pair.empty();
    const auto& value = is_map ? pair.front()->items[1] : item;
    all = first ? value : join(all, value);
    first = false;
  }
  return all;
}

Value load_item(const Value& base, const Value& at) {
  Value result;
  bool first = true;
  for (const auto& object : objects_of(base)) {
    auto found = item_of(*object, at);
    load(found, object);
    result = first ? found : join(result, found);
    first = false;
  }
  return result;
}

// Unknown values are not kept: they are mere data.
void store_item(const State& state, Object& object, const Value& at, const Value& value) {
  if (value.kind == Value::Kind::unknown) return;
  if (at.kind == Value::Kind::string) {
    auto& field = object.fields[at.text];
    field = state.may_repeat() && field.kind != Value::Kind::unknown ? join(field, value) : value;
    return;
  }
  const auto index = number_of(at);
  if (index && *index >= 0 && *index < most_items) {
    const auto place = static_cast<std::size_t>(*index);
    if (object.items.size() <= place) object.items.resize(place + 1);
    object.items[place] = value;
  } else if (value.kind != Value::Kind::number && object.items.size() < most_items) {
    object.items.push_back(value);
    object.exact = false;
  }
}

void load(Value& value, const std::shared_ptr<Object>& object) {
  if (object->role == Object::Role::encoder || object->role == Object::Role::library) return;
  value.loaded.insert(object);
  if (object->cpu_work && !value.computed) value.computed = object->cpu_work;
}

Value first_memory(const std::vector<Value>& values) {
  for (const auto& value : values)
    if (!objects_of(value).empty()) return value;
  return {};
}

void learn_element_type(const Value& value, const std::string& type) {
  if (type.find('*') == std::string::npos) return;
  const auto element = element_type(type);
  // Bytes say nothing about what is written.
  if (element == "auto" || element == "void" || size_of_type(element) == 1) return;
  for (const auto& object : objects_of(value)) {
    if (!is_memory_type(type) && object->role != Object::Role::buffer) continue;
    if (object->type.empty())
      object->type = element;
    else if (object->type != element)
      object->type = contradictory_type;
  }
}

void compute(State& state, Object& object, Work work,
             const std::set<std::shared_ptr<Object>>& from) {
  object.cpu_work = std::move(work);
  object.cpu_work_reads = bindings_of(from);
  report_cpu_work(state, object, /*remains=*/false);
}

void copy(State& state, Object& object, const std::set<std::shared_ptr<Object>>& from) {
  object.cpu_work.reset();
  for (const auto& each : from) {
    if (each.get() == &object) continue;
    if (each->cpu_work && !object.cpu_work) {
      object.cpu_work = each->cpu_work;
      object.cpu_work_reads = each->cpu_work_reads;
    }
    if (each->bound_to.empty()) continue;
    object.read_back = true;
    if (object.role != Object::Role::buffer)
      object.bound_to.insert(each->bound_to.begin(), each->bound_to.end());
  }
  if (object.cpu_work) report_cpu_work(state, object, /*remains=*/false);
}

void copy_between(State& state, const Value& to, const Value& from) {
  std::set<std::shared_ptr<Object>> source;
  for (const auto& object : objects_of(target_of(from))) source.insert(object);
  if (source.empty()) return;
  for (const auto& object : objects_of(target_of(to))) copy(state, *object, source);
}

void report_cpu_work(State& state, const Object& object, bool remains) {
  CpuWork work{.range = object.cpu_work->range,
               .call = object.cpu_work->call,
               .target = object.name,
               .lands_in = {object.bound_to.begin(), object.bound_to.end()},
               .reads = {object.cpu_work_reads.begin(), object.cpu_work_reads.end()},
               .remains = remains,
               .in_buffer = object.role == Object::Role::buffer,
               .handed_out = object.is_callers && state.uses_gpu,
               .read_back = object.read_back};
  auto& all = state.host.cpu_work;
  if (std::find(all.begin(), all.end(), work) == all.end()) all.push_back(std::move(work));
}

}  // namespace msci::host
