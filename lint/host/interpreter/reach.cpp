// What was not followed: functions that fetch or dispatch kernels and did not run, and kernels that
// lie where the host's other files can dispatch them.
#include <algorithm>

#include "lint/host/api_names.h"
#include "lint/host/interpreter/interpreter.h"
#include "lint/host/interpreter/known_functions.h"
#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

GpuStep step_of(const Node& node) {
  if (node.kind == Kind::message) return gpu_step(canonical_name(node.text));
  if (node.kind == Kind::call) return gpu_step(last_name(node.children[0]->text));
  const bool makes =
      node.kind == Kind::variable || node.kind == Kind::init_list || node.kind == Kind::new_object;
  const bool is_of_opencl = node.type.find("cl::Kernel") != std::string::npos;
  return makes && is_of_opencl && !node.children.empty() ? GpuStep::fetch : GpuStep::none;
}

bool is_function(const Node& node) {
  return node.kind == Kind::function || node.kind == Kind::lambda;
}

// A function or a lambda, without those inside of it.
struct Body {
  const Node* function = nullptr;  // null outside of functions
  std::set<std::string> calls;     // last names
  std::set<const Node*> lambdas;
  bool fetches = false;
  bool dispatches = false;
};

void read(const Node& node, std::size_t body, std::vector<Body>& all) {
  if (is_function(node)) {
    all[body].lambdas.insert(&node);
    body = all.size();
    all.push_back({.function = &node});
  }
  const auto step = step_of(node);
  all[body].fetches |= step == GpuStep::fetch;
  all[body].dispatches |= step == GpuStep::dispatch;
  if (node.kind == Kind::call) all[body].calls.insert(last_name(node.children[0]->text));
  if (node.kind == Kind::message) all[body].calls.insert(node.text);
  for (const auto& child : node.children) read(*child, body, all);
}

// Adds the functions that those that ran call where the interpreter takes another path.
void add_called(const std::vector<Body>& all, std::set<const Node*>& followed) {
  for (bool grows = true; grows;) {
    grows = false;
    std::set<std::string> names;
    for (const auto& body : all)
      if (!body.function || followed.contains(body.function)) {
        names.insert(body.calls.begin(), body.calls.end());
        for (const auto* lambda : body.lambdas)
          if (lambda->kind == Kind::lambda) grows |= followed.insert(lambda).second;
      }
    for (const auto& body : all)
      if (body.function && body.function->kind == Kind::function &&
          names.contains(last_name(body.function->text)))
        grows |= followed.insert(body.function).second;
  }
}

// The names of the kernels that a value leads to.
void insert_kernels(const Value& value, std::set<const Object*>& seen,
                    std::set<std::string>& kernels) {
  for (const auto& each : alternatives(value)) {
    if (each.kind == Value::Kind::kernel) kernels.insert(each.text);
    if (each.kind != Value::Kind::object || !seen.insert(each.object.get()).second) continue;
    for (const auto& item : each.object->items) insert_kernels(item, seen, kernels);
    for (const auto& [name, field] : each.object->fields) insert_kernels(field, seen, kernels);
  }
}

// Kernels in globals and in members.
std::set<std::string> kept_kernels(const State& state) {
  std::set<std::string> kernels;
  std::set<const Object*> seen;
  for (const auto& [name, variable] : state.globals->variables)
    insert_kernels(variable->value, seen, kernels);
  for (const auto& object : state.objects())
    if (!object->owner.empty()) insert_kernels(object_value(object), seen, kernels);
  return kernels;
}

bool is_dispatched(const Host& host, const std::string& kernel) {
  return std::ranges::any_of(host.dispatched,
                             [&](const HostDispatch& each) { return each.kernel == kernel; });
}

}  // namespace

// A dispatch without a kernel's name stands for those that were not followed.
void Interpreter::leave_open(const Range& range) {
  auto& host = state_.host;
  host.names_known = host.dispatches_known = false;
  host.dispatched.push_back({.range = range});
}

void Interpreter::find_gaps() {
  std::vector<Body> all(1);
  for (const auto& each : tree_.declarations) read(*each, 0, all);
  auto followed = ran_;
  add_called(all, followed);
  bool fetches = false, dispatches = false;
  for (const auto& body : all) {
    fetches |= body.fetches;
    dispatches |= body.dispatches;
    if (body.function && !followed.contains(body.function) && (body.fetches || body.dispatches))
      leave_open(body.function->range);
  }
  // The file that asks for kernels is not among these.
  if (!fetches) state_.host.names_known = state_.host.dispatches_known = false;
  if (symbols_.main_function() && dispatches) return;
  const auto kept = kept_kernels(state_);
  for (const auto& fetch : state_.host.fetched)
    if (kept.contains(fetch.kernel) && !is_dispatched(state_.host, fetch.kernel))
      leave_open(fetch.range);
}

}  // namespace msci::host
