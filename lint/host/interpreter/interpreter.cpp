#include "lint/host/interpreter/interpreter.h"

#include <algorithm>
#include <utility>

#include "lint/host/interpreter/value.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

// A host that takes more steps is not interpreted to its end, and the results are discarded.
constexpr std::size_t most_steps = 400'000;
constexpr unsigned deepest_node = 600;

void report_remaining(State& state, const Object& object) {
  if (object.cpu_work) report_cpu_work(state, object, /*remains=*/true);
}

}  // namespace

void interpret(const Tree& tree, Host& host) { Interpreter(tree, host).run(); }

void Interpreter::run() {
  for (const auto& each : tree_.declarations) symbols_.add(*each);
  for (const auto& each : tree_.declarations)
    if (each->kind == Kind::variable || each->kind == Kind::enumerator) execute(each);
  for (const auto& [owner, type] : symbols_.types()) declare_enumerators(*type);
  const auto unused = symbols_.unused_functions();
  if (const auto* main = symbols_.main_function()) {
    interpret_entry_point(*main);
    interpret_callbacks(unused);
  } else {
    // Twice, since one function may need what a later one leaves in an object.
    for (unsigned round = 0; round < (unused.size() > 1 ? 2u : 1u); ++round)
      for (const auto* function : unused) interpret_entry_point(*function);
  }
  if (!tree_.complete || steps_ > most_steps) discard_results();
  find_gaps();
}

// A library calls functions of the objects that it was given, such as a delegate.
void Interpreter::interpret_callbacks(const std::vector<const Node*>& unused) {
  std::set<std::string> called;
  for (std::size_t given = 0; given < given_away_.size(); ++given) {  // grows
    const auto object = given_away_[given];
    if (!called.insert(object->owner).second) continue;
    instances_.emplace(object->owner, object);
    for (const auto* function : unused)
      if (owner_of(*function) == object->owner) interpret_entry_point(*function);
  }
}

void Interpreter::discard_results() {
  auto& host = state_.host;
  host.names_known = host.dispatches_known = false;
  for (auto& dispatch : host.dispatched) {
    dispatch.bindings_known = false;
    dispatch.threads.reset();
  }
  host.cpu_work.clear();
}

bool Interpreter::out_of_steps() { return ++steps_ > most_steps; }

void Interpreter::use_up_steps() { steps_ = most_steps + 1; }

Interpreter::Nesting::Nesting(Interpreter& interpreter) : interpreter_(interpreter) {
  if (++interpreter_.depth_ > deepest_node) interpreter_.use_up_steps();
}

void Interpreter::declare_enumerators(const Node& type) {
  for (const auto& member : type.children)
    if (member->kind == Kind::enumerator ||
        (member->kind == Kind::variable &&
         (member->type.starts_with("constexpr") || member->type.starts_with("static"))))
      execute(member);
}

void Interpreter::interpret_entry_point(const Node& function) {
  state_.uses_gpu = false;
  const auto first = state_.objects().size();
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < function.parameters; ++i)
    arguments.push_back(value_of_type(function.children[i]->type, function.children[i]->text));
  const auto owner = owner_of(function);
  const auto result = invoke(function, std::move(arguments), {},
                             owner.empty() ? nullptr : shared_instance(owner), state_.globals);
  if (function.text != "main") {
    for (const auto& object : objects_of(result)) object->is_callers = true;
    if (holds(result, Value::Kind::kernel)) leave_open(function.range);
  }
  for (auto i = first; i < state_.objects().size(); ++i)
    report_remaining(state_, *state_.objects()[i]);
  for (const auto& [name, object] : instances_)
    for (const auto& [field, value] : object->fields)
      for (const auto& each : objects_of(value)) report_remaining(state_, *each);
}

}  // namespace msci::host
