#include "lint/host/follow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "lint/host/value.h"
#include "lint/host/words.h"

namespace msci::host {
namespace {

using Kind = Node::Kind;

// A host that takes more is not followed to its end, and then nothing is said of it.
constexpr std::size_t most_steps = 400'000;
constexpr std::size_t deepest_call = 40;
constexpr unsigned deepest_node = 600;
constexpr unsigned deepest_recursion = 2;
// Longer loops are followed twice, with the counter unknown.
constexpr unsigned longest_known_loop = 16;

enum class Flow { goes_on, leaves };

// One call of a call's: what it is made on, and with what.
struct Call {
  std::string name;  // metal-cpp's word, or the function's
  const Node* node = nullptr;
  std::optional<Value> receiver;
  NodePtr receiver_node;
  std::vector<Value> arguments;
  std::vector<NodePtr> nodes;  // of the arguments
};

class Follower {
 public:
  Follower(const Tree& tree, Host& host) : tree_(tree), host_(host) {
    globals_ = std::make_shared<Scope>();
    scope_ = globals_;
  }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;
  // What holds each other lets go.
  ~Follower() {
    for (const auto& variable : variables_) variable->value = {};
    for (const auto& thing : things_) *thing = {};
  }

  void run() {
    for (const auto& each : tree_.declarations) collect(each);
    for (const auto& each : tree_.declarations)
      if (each->kind == Kind::variable || each->kind == Kind::enumerator) execute(each);
    for (const auto& [owner, type] : types_) enumerators_of(*type);
    // A second round: one function may need what a later one leaves in an object.
    const auto roots = this->roots();
    for (unsigned round = 0; round < (roots.size() > 1 ? 2u : 1u); ++round)
      for (const auto* root : roots) follow_root(*root);
    if (!tree_.complete || steps_ > most_steps) give_up();
  }

 private:
  // What was not seen could change all that was.
  void give_up() {
    host_.names_known = host_.dispatches_known = false;
    for (auto& dispatch : host_.dispatched) dispatch.bindings_known = false;
    host_.cpu_work.clear();
  }

  // ---- What there is.
  void collect(const NodePtr& node) {
    if (node->kind == Kind::function) functions_[last_name(node->text)].push_back(node.get());
    if (node->kind != Kind::type) return;
    types_[node->text] = node.get();
    for (const auto& member : node->children) collect(member);
  }

  void enumerators_of(const Node& type) {
    for (const auto& member : type.children)
      if (member->kind == Kind::enumerator ||
          (member->kind == Kind::variable &&
           (member->type.find("constexpr") == 0 || member->type.find("static") == 0)))
        execute(member);
  }

  static std::string owner_of(const Node& function) {
    const auto at = function.text.rfind("::");
    return at == std::string::npos ? "" : last_name(function.text.substr(0, at));
  }

  static void words_in(const NodePtr& node, std::set<std::string>& words) {
    if (node->kind == Kind::name || node->kind == Kind::member) words.insert(last_name(node->text));
    if (node->kind == Kind::message) words.insert(node->text);
    const bool makes = node->kind == Kind::variable || node->kind == Kind::list ||
                       node->kind == Kind::create || node->kind == Kind::cast;
    if (makes) {
      words.insert(last_name(node->type));
      words.insert(element_type(node->type));
    }
    for (const auto& child : node->children) words_in(child, words);
  }

  std::vector<const Node*> roots() const {
    if (const auto main = functions_.find("main"); main != functions_.end())
      return {main->second.front()};
    std::set<std::string> called;
    for (const auto& [name, all] : functions_)
      for (const auto* function : all) {
        std::set<std::string> words;
        for (const auto& child : function->children) words_in(child, words);
        words.erase(name);  // recursion is no call from outside
        called.merge(words);
      }
    std::vector<const Node*> roots;
    for (const auto& [name, all] : functions_)
      for (const auto* function : all)
        if (!called.contains(name) && !name.starts_with('~')) roots.push_back(function);
    std::sort(roots.begin(), roots.end(),
              [](const Node* a, const Node* b) { return a->range.begin < b->range.begin; });
    return roots;
  }

  void follow_root(const Node& function) {
    touched_ = false;
    const auto first = things_.size();
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < function.parameters; ++i)
      arguments.push_back(value_of_type(function.children[i]->type, function.children[i]->text));
    const auto owner = owner_of(function);
    const bool is_main = function.text == "main";
    const auto result = invoke(function, std::move(arguments), {},
                               owner.empty() ? nullptr : instance_of(owner), globals_);
    if (!is_main)
      for (const auto& thing : things_of(result)) thing->outside = true;
    for (auto i = std::min(first, things_.size()); i < things_.size(); ++i) note_rest(*things_[i]);
    for (const auto& [name, thing] : instances_)
      for (const auto& [field, value] : thing->fields)
        for (const auto& each : things_of(value)) note_rest(*each);
  }

  void note_rest(const Thing& thing) {
    if (thing.pending) note_work(thing, true);
  }

  // The object on which a class's functions run where nobody made one.
  std::shared_ptr<Thing> instance_of(const std::string& owner) {
    auto& instance = instances_[owner];
    if (!instance) instance = object_of(owner);
    return instance;
  }

  std::shared_ptr<Thing> object_of(const std::string& owner) {
    auto made = made_thing(Thing::Role::object);
    made->owner = owner;
    const auto type = types_.find(owner);
    // A broken class may hold itself.
    if (type == types_.end() || !in_making_.insert(owner).second) return made;
    for (const auto& member : type->second->children)
      if (member->kind == Kind::variable) {
        Value value = member->children.empty() ? Value() : initial_value(*member);
        if (value.kind == Value::Kind::unknown && owns_things(member->type))
          value = value_of_type(member->type, member->text, /*outside=*/false);
        made->fields[plain_field(member->text)] = value;
      }
    in_making_.erase(owner);
    return made;
  }

  static bool owns_things(const std::string& type) {
    return is_map_type(type) || type.find("vector<") != std::string::npos ||
           type.find("[]") != std::string::npos || type.find("array<") != std::string::npos;
  }

  std::shared_ptr<Thing> made_thing(Thing::Role role) {
    things_.push_back(std::make_shared<Thing>());
    things_.back()->role = role;
    return things_.back();
  }

  // A value about which only its type is known.
  Value value_of_type(const std::string& type, const std::string& name, bool outside = true) {
    std::shared_ptr<Thing> thing;
    const bool many = owns_things(type);
    if (is_kernel_type(type) && !many) {
      Value kernel;
      kernel.kind = Value::Kind::kernel;
      kernel.thing = made_thing(Thing::Role::object);
      kernel.thing->bindings_known = false;
      return kernel;
    }
    if (is_encoder_type(type)) {
      thing = made_thing(Thing::Role::encoder);
      thing->bindings_known = false;
    } else if (is_library_type(type)) {
      thing = made_thing(Thing::Role::library);
    } else if (is_buffer_type(type) && !many) {
      thing = made_thing(Thing::Role::buffer);
    } else if (many || is_memory_type(type)) {
      thing = made_thing(Thing::Role::object);
      thing->exact = !outside;
      const bool ours = type.find('*') == std::string::npos &&
                        type.find('&') == std::string::npos && type.find("[]") == std::string::npos;
      thing->outside = outside && !ours && type.find("const") == std::string::npos;
      thing->type = element_type(type);
    } else if (types_.contains(element_type(type))) {
      thing = object_of(element_type(type));
    }
    if (!thing) return {};
    thing->name = name;
    return thing_value(thing, type.find('*') != std::string::npos);
  }

  // ---- Variables.
  static std::string plain_field(std::string_view name) {
    while (name.starts_with('_')) name.remove_prefix(1);
    while (name.ends_with('_')) name.remove_suffix(1);
    if (name.starts_with("m_")) name.remove_prefix(2);
    return std::string(name);
  }

  std::shared_ptr<Variable> variable(const std::string& name) const {
    for (auto scope = scope_; scope; scope = scope->parent)
      if (const auto found = scope->variables.find(name); found != scope->variables.end())
        return found->second;
    return nullptr;
  }

  std::shared_ptr<Variable> declare(const std::string& name, Value value, std::string type = {}) {
    const auto made = variables_.emplace_back(std::make_shared<Variable>());
    for (const auto& thing : things_of(value))
      if (thing->name.empty()) thing->name = name;
    made->value = std::move(value);
    made->constant =
        type.find("const") == 0 || type.find("static const") == 0 || type.find("inline const") == 0;
    made->type = std::move(type);
    made->declared_at = open_branches_;
    return scope_->variables[name] = made;
  }

  void assign(Variable& variable, const Value& value) {
    variable.value = open_branches_ > variable.declared_at ? joined(variable.value, value) : value;
  }

  void assign_field(Thing& thing, const std::string& name, const Value& value) {
    auto& field = thing.fields[plain_field(name)];
    const bool fresh = field.kind == Value::Kind::unknown;
    field = open_branches_ > 0 && !fresh ? joined(field, value) : value;
    for (const auto& each : things_of(value))
      if (each->name.empty()) each->name = name;
  }

  // Whether a list that grows here may grow more often than we see.
  bool inexact() const { return open_branches_ > 0 || unknown_loops_ > 0; }

  // ---- Statements.
  bool out_of_steps() { return ++steps_ > most_steps; }

  // How deep statements and expressions stand in one another, over all calls: our own stack ends,
  // too.
  struct Deeper {
    explicit Deeper(Follower& follower) : follower_(follower) {
      if (++follower_.depth_ > deepest_node) follower_.steps_ = most_steps + 1;
    }
    ~Deeper() { --follower_.depth_; }
    Follower& follower_;
  };

  Flow execute(const NodePtr& node) {
    const Deeper deeper(*this);
    if (out_of_steps()) return Flow::leaves;
    switch (node->kind) {
      case Kind::block:
        return block(*node);
      case Kind::when:
        return when(*node);
      case Kind::loop:
        return loop(*node);
      case Kind::for_each:
        return for_each(*node);
      case Kind::until:
        return unknown_loop({node->children[0], node->children[1]}, nullptr, node);
      case Kind::cases:
        evaluate(node->children[0]);
        ++open_branches_;
        execute(node->children[1]);
        --open_branches_;
        return Flow::goes_on;
      case Kind::leave:
        return leave(*node);
      case Kind::variable:
        declare_from(*node);
        return Flow::goes_on;
      case Kind::enumerator:
        declare(node->text, enumerator(*node), "const int");
        return Flow::goes_on;
      case Kind::type:
        types_[node->text] = node.get();
        for (const auto& member : node->children) collect(member);
        return Flow::goes_on;
      case Kind::function:
      case Kind::nothing:
        return Flow::goes_on;
      default:
        evaluate(node);
        return ends_program(*node) ? Flow::leaves : Flow::goes_on;
    }
  }

  static bool ends_program(const Node& node) {
    if (node.kind != Kind::call || node.children[0]->kind != Kind::name) return false;
    const auto name = last_name(node.children[0]->text);
    return name == "exit" || name == "abort" || name == "_Exit" || name == "quick_exit";
  }

  Flow block(const Node& node) {
    const auto outer = scope_;
    scope_ = std::make_shared<Scope>(Scope{outer, {}});
    auto flow = Flow::goes_on;
    for (const auto& each : node.children)
      if (flow == Flow::goes_on) flow = execute(each);
    scope_ = outer;
    return flow;
  }

  Value condition(const NodePtr& node) {
    // "T x = f(); x" and "T x = f()".
    if (node->kind == Kind::block || node->kind == Kind::variable) {
      const std::vector<NodePtr> parts =
          node->kind == Kind::block ? node->children : std::vector{node};
      Value last;
      for (const auto& part : parts) {
        const bool declares = part->kind == Kind::variable;
        if (declares) execute(part);
        last = declares ? Value() : evaluate(part);
      }
      return last;
    }
    return node->kind == Kind::nothing ? Value() : evaluate(node);
  }

  Flow when(const Node& node) {
    const auto outer = scope_;
    scope_ = std::make_shared<Scope>(Scope{outer, {}});
    const auto truth = truth_of(condition(node.children[0]));
    auto flow = Flow::goes_on;
    if (truth) {
      if (*truth) flow = execute(node.children[1]);
      if (!*truth && node.children.size() > 2) flow = execute(node.children[2]);
    } else {
      ++open_branches_;
      const auto then = execute(node.children[1]);
      const auto other = node.children.size() > 2 ? execute(node.children[2]) : Flow::goes_on;
      --open_branches_;
      if (then == Flow::leaves && other == Flow::leaves) flow = Flow::leaves;
    }
    scope_ = outer;
    return flow;
  }

  Flow loop(const Node& node) {
    const auto outer = scope_;
    scope_ = std::make_shared<Scope>(Scope{outer, {}});
    for (const auto& each : node.children[0]->children) execute(each);
    const auto& test = node.children[1];
    const auto& step = node.children[2];
    const auto& body = node.children[3];
    if (const auto turns = turns_of(test, step)) {
      ++loops_;
      for (unsigned i = 0; i < *turns; ++i) {
        execute(body);
        evaluate(step);
      }
      --loops_;
    } else if (truth_of(condition(test)) != false) {
      unknown_loop({body, step}, test, body);
    }
    scope_ = outer;
    return Flow::goes_on;
  }

  // How often a counted loop turns, where that is known and seldom. Leaves the counter alone.
  std::optional<unsigned> turns_of(const NodePtr& test, const NodePtr& step) {
    if (test->kind != Kind::binary || (step->kind != Kind::unary && step->kind != Kind::postfix))
      return std::nullopt;
    const auto& counter = test->children[0];
    const auto changed = step->children[0];
    if (counter->kind != Kind::name || changed->text != counter->text) return std::nullopt;
    const auto begin = number_of(evaluate(counter));
    const auto end = number_of(evaluate(test->children[1]));
    if (!begin || !end || step->text != "++") return std::nullopt;
    const double turns = *end - *begin + (test->text == "<=" ? 1 : 0);
    if (test->text != "<" && test->text != "<=" && test->text != "!=") return std::nullopt;
    if (turns > longest_known_loop) return std::nullopt;
    return turns <= 0 ? 0u : static_cast<unsigned>(std::ceil(turns));
  }

  // Variables that change from turn to turn.
  void forget_changed(const NodePtr& node) {
    if (out_of_steps()) return;
    const bool changes = node->kind == Kind::assign || node->kind == Kind::postfix ||
                         (node->kind == Kind::unary && (node->text == "++" || node->text == "--"));
    if (changes && node->children[0]->kind == Kind::name)
      if (const auto found = variable(node->children[0]->text);
          found && found->value.kind == Value::Kind::number)
        found->value = {};
    for (const auto& child : node->children) forget_changed(child);
  }

  // Twice: the second turn sees what the first one left.
  Flow unknown_loop(const std::vector<NodePtr>& parts, const NodePtr& test, const NodePtr& body) {
    ++loops_;
    ++unknown_loops_;
    for (unsigned turn = 0; turn < 2; ++turn) {
      for (const auto& part : parts) forget_changed(part);
      if (test) condition(test);
      for (const auto& part : parts)
        if (part == body || part->kind == Kind::block)
          execute(part);
        else if (part->kind != Kind::nothing)
          evaluate(part);
    }
    for (const auto& part : parts) forget_changed(part);
    --unknown_loops_;
    --loops_;
    return Flow::goes_on;
  }

  Flow for_each(const Node& node) {
    const auto range = evaluate(node.children[1]);
    const auto& bound = *node.children[0];
    const auto outer = scope_;
    scope_ = std::make_shared<Scope>(Scope{outer, {}});
    const auto things = things_of(range);
    const auto* list = things.size() == 1 ? things.front().get() : nullptr;
    auto items = list ? items_of(*list) : std::vector<Value>{};
    ++loops_;
    if (list && list->exact && !items.empty() && items.size() <= 64) {
      for (const auto& item : items) {
        bind(bound, item, nullptr);
        execute(node.children[2]);
      }
    } else {
      ++unknown_loops_;
      Value element;
      for (const auto& item : items)
        element = holds_nothing(element) ? item : joined(element, item);
      for (const auto& thing : things) load(element, thing);
      for (unsigned turn = 0; turn < 2; ++turn) {
        forget_changed(node.children[2]);
        bind(bound, element, list ? things.front() : nullptr);
        execute(node.children[2]);
      }
      forget_changed(node.children[2]);
      --unknown_loops_;
    }
    --loops_;
    scope_ = outer;
    return Flow::goes_on;
  }

  static bool holds_nothing(const Value& value) {
    return value.kind == Value::Kind::unknown && value.loaded.empty();
  }

  // The items of a list, or the pairs of a map.
  static std::vector<Value> items_of(const Thing& thing) {
    if (!thing.items.empty() || thing.fields.empty() || !thing.owner.empty()) return thing.items;
    std::vector<Value> pairs;
    for (const auto& [key, value] : thing.fields)
      pairs.push_back(pair_value(text_value(key), value));
    return pairs;
  }

  // One turn's element: `T x`, `T& x` or `auto [a, b]`.
  void bind(const Node& bound, const Value& item, const std::shared_ptr<Thing>& memory) {
    if (const auto comma = bound.text.find(','); comma != std::string::npos) {
      const auto things = things_of(item);
      std::size_t place = 0;
      for (std::size_t from = 0; from <= bound.text.size(); ++place) {
        const auto to = std::min(bound.text.find(',', from), bound.text.size());
        const auto part = part_of(things, place);
        declare(bound.text.substr(from, to - from), part, bound.type);
        from = to + 1;
      }
      return;
    }
    const auto made = declare(bound.text, coerced(item, bound.type), bound.type);
    if (memory && bound.type.find('&') != std::string::npos) {
      made->value = thing_value(memory, true);
      made->is_element = true;
    }
  }

  Value part_of(const std::vector<std::shared_ptr<Thing>>& things, std::size_t place) const {
    if (things.empty()) return {};
    const auto& thing = *things.front();
    if (place < thing.items.size()) return thing.items[place];
    if (const auto type = types_.find(thing.owner); type != types_.end()) {
      std::size_t at = 0;
      for (const auto& member : type->second->children)
        if (member->kind == Kind::variable && at++ == place)
          if (const auto found = thing.fields.find(plain_field(member->text));
              found != thing.fields.end())
            return found->second;
    }
    return {};
  }

  Flow leave(const Node& node) {
    if (node.children.empty()) return Flow::leaves;
    auto value = evaluate(node.children[0]);
    if (node.text == "return" && !results_.empty()) {
      auto& result = results_.back();
      result = result ? joined(*result, value) : value;
    }
    return Flow::leaves;
  }

  // ---- Declarations.
  Value enumerator(const Node& node) {
    if (!node.children.empty()) {
      const auto value = evaluate(node.children[0]);
      next_enumerator_ = number_of(value).value_or(next_enumerator_) + 1;
      return value;
    }
    if (node.range.begin.line != 0 && last_enumerator_ && !follows(*last_enumerator_, node))
      next_enumerator_ = 0;
    last_enumerator_ = &node;
    return number_value(next_enumerator_++);
  }
  static bool follows(const Node& first, const Node& second) {
    return second.range.begin.line <= first.range.end.line + 1;
  }

  Value initial_value(const Node& node) {
    const auto& initial = node.children[0];
    if (initial->kind != Kind::list || initial->type.empty()) {
      if (initial->kind == Kind::list) return coerced(list(*initial), node.type);
      return evaluate(initial);
    }
    return constructed(node.type, *initial);
  }

  void declare_from(const Node& node) {
    if (node.text.find(',') != std::string::npos)
      return bind(node, node.children.empty() ? Value() : evaluate(node.children[0]), nullptr);
    const bool is_reference = node.type.find('&') != std::string::npos;
    const auto value = node.children.empty() ? default_value(node) : initial_value(node);
    if (is_reference && !node.children.empty() && declare_reference(node, value)) return;
    auto own = is_reference ? value : own_copy(value, node.type);
    learn_type(own, node.type);
    declare(node.text, coerced(std::move(own), node.type), node.type);
  }

  Value default_value(const Node& node) {
    const auto base = element_type(node.type);
    if (node.type.find('*') == std::string::npos && types_.contains(last_name(base)) &&
        !owns_things(node.type))
      return construct(last_name(base), {}, {});
    if (owns_things(node.type) || is_kernel_type(node.type) || is_buffer_type(node.type)) {
      auto value = value_of_type(node.type, node.text, /*outside=*/false);
      if (value.kind == Value::Kind::kernel) value = {};
      return value;
    }
    return {};
  }

  // T& x = y: another name for y; T& x = y[i]: an element.
  bool declare_reference(const Node& node, const Value& value) {
    const auto& target = node.children[0];
    if (target->kind == Kind::name)
      if (const auto found = variable(target->text)) {
        scope_->variables[node.text] = found;
        return true;
      }
    if (target->kind == Kind::index && value.kind == Value::Kind::unknown) {
      const auto things = things_of(evaluate(target->children[0]));
      if (things.empty()) return false;
      const auto made = declare(node.text, thing_value(things.front(), true), node.type);
      made->is_element = true;
      return true;
    }
    return false;
  }

  // A container that is declared from another one holds a copy.
  Value own_copy(const Value& value, const std::string& type) {
    if (value.kind != Value::Kind::thing || value.points || value.thing->type.empty() ||
        value.thing->role != Thing::Role::object || type.find('*') != std::string::npos)
      return value;
    auto copy = made_thing(Thing::Role::object);
    const auto name = copy->name;
    *copy = *value.thing;
    copy->name = name;
    copy->outside = false;
    return thing_value(copy);
  }

  // What a buffer's memory is taken for says what is in it.
  static void learn_type(const Value& value, const std::string& type) {
    if (type.find('*') == std::string::npos || !is_memory_type(type)) return;
    const auto element = element_type(type);
    if (element == "uint8_t" || element == "char" || element == "auto") return;
    for (const auto& thing : things_of(value)) {
      if (thing->type.empty())
        thing->type = element;
      else if (thing->type != element)
        thing->type = "?";
    }
  }

  // A braced list as a value of this type: members get their names, maps their keys.
  Value coerced(Value value, const std::string& type) {
    const auto things = things_of(value);
    if (things.size() != 1 || value.kind != Value::Kind::thing) return value;
    auto& thing = *things.front();
    if (thing.items.empty() || !thing.owner.empty()) return value;
    if (is_map_type(type)) {
      for (const auto& item : thing.items)
        if (const auto pair = things_of(item); !pair.empty() && pair.front()->items.size() == 2)
          if (const auto& key = pair.front()->items[0]; key.kind == Value::Kind::text)
            thing.fields[key.text] = pair.front()->items[1];
      thing.items.clear();
      return value;
    }
    // std::array<T, 2> x = {{{…}, {…}}}
    if (type.find("array<") != std::string::npos && thing.items.size() == 1)
      if (const auto inner = things_of(thing.items[0]);
          inner.size() == 1 && !inner[0]->items.empty() && !things_of(inner[0]->items[0]).empty())
        thing.items = std::vector<Value>(inner[0]->items);
    const auto element = element_type(type);
    if (owns_things(type) && thing.type.empty()) thing.type = element;
    const auto found = types_.find(last_name(element));
    if (found == types_.end()) return value;
    if (owns_things(type))
      for (const auto& item : thing.items) name_members(item, *found->second);
    else
      name_members(value, *found->second);
    return value;
  }

  static void name_members(const Value& value, const Node& type) {
    for (const auto& thing : things_of(value)) {
      if (!thing->owner.empty()) continue;
      std::size_t at = 0;
      for (const auto& member : type.children)
        if (member->kind == Kind::variable && at < thing->items.size())
          thing->fields[plain_field(member->text)] = thing->items[at++];
      thing->items.clear();
      thing->owner = type.text;
    }
  }

  // ---- Expressions.
  Value evaluate(const NodePtr& node) {
    const Deeper deeper(*this);
    if (out_of_steps()) return {};
    switch (node->kind) {
      case Kind::name:
        return named(*node);
      case Kind::number:
        return number_value(std::strtod(number_text(node->text).c_str(), nullptr));
      case Kind::text:
        return text_value(node->text);
      case Kind::call:
        return call(node);
      case Kind::message:
        return message(node);
      case Kind::member:
        return member(*node);
      case Kind::index:
        return element(*node);
      case Kind::unary:
        return unary(*node);
      case Kind::postfix:
        return changed(node->children[0], node->text == "++" ? 1 : -1, /*before=*/true);
      case Kind::binary:
        return binary(*node);
      case Kind::assign:
        return assignment(*node);
      case Kind::ternary:
        return ternary(*node);
      case Kind::lambda:
        return closure(*node);
      case Kind::list:
        return node->type.empty() ? list(*node) : constructed(node->type, *node);
      case Kind::cast:
        return cast(*node);
      case Kind::create:
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

  static std::string number_text(std::string text) {
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    while (!text.empty() && (std::string_view("uUlLzZ").find(text.back()) != std::string::npos ||
                             (!hex && (text.back() == 'f' || text.back() == 'F'))))
      text.pop_back();
    return text;
  }

  Value named(const Node& node) {
    const auto name = last_name(node.text);
    if (const auto found = variable(name)) {
      if (!found->is_element) return found->value;
      Value loaded;
      load(loaded, found->value.thing);
      return loaded;
    }
    if (name == "this" || name == "self") return self_ ? thing_value(self_, true) : Value();
    if (self_)
      if (const auto field = self_->fields.find(plain_field(name)); field != self_->fields.end())
        return field->second;
    for (const auto& [word, number] : constants)
      if (name == word) return number_value(number);
    if (const auto found = functions_.find(name); found != functions_.end()) {
      Value value;
      value.kind = Value::Kind::closure;
      value.code = found->second.front();
      value.scope = globals_;
      return value;
    }
    return {};
  }

  static constexpr std::array<std::pair<std::string_view, double>, 9> constants = {{{"true", 1},
                                                                                    {"YES", 1},
                                                                                    {"CL_TRUE", 1},
                                                                                    {"false", 0},
                                                                                    {"NO", 0},
                                                                                    {"CL_FALSE", 0},
                                                                                    {"nullptr", 0},
                                                                                    {"nil", 0},
                                                                                    {"NULL", 0}}};

  Value closure(const Node& node) {
    Value value;
    value.kind = Value::Kind::closure;
    value.code = &node;
    value.scope = scope_;
    return value;
  }

  Value list(const Node& node) {
    auto made = made_thing(Thing::Role::object);
    for (const auto& child : node.children) {
      if (child->kind == Kind::assign && child->children[0]->kind == Kind::name)
        made->fields[plain_field(child->children[0]->text)] = evaluate(child->children[1]);
      else
        made->items.push_back(evaluate(child));
    }
    return thing_value(made);
  }

  Value size_of(const std::string& text) {
    auto size = size_of_type(text);
    if (!size)
      if (const auto found = variable(text)) size = size_of_type(found->type);
    return size ? number_value(static_cast<double>(*size)) : Value();
  }

  Value cast(const Node& node) {
    auto value = node.children.empty() ? Value() : evaluate(node.children[0]);
    learn_type(value, node.type);
    if (node.type.find('*') != std::string::npos) value.type = node.type;
    return value;
  }

  Value ternary(const Node& node) {
    const auto truth = truth_of(evaluate(node.children[0]));
    if (truth) return evaluate(node.children[*truth ? 1 : 2]);
    ++open_branches_;
    const auto then = evaluate(node.children[1]);
    const auto other = evaluate(node.children[2]);
    --open_branches_;
    return joined(then, other);
  }

  // Marks a value as read from this memory.
  void load(Value& value, const std::shared_ptr<Thing>& thing) {
    if (thing->role == Thing::Role::encoder || thing->role == Thing::Role::library) return;
    value.loaded.insert(thing);
    if (thing->pending && !value.computed) value.computed = thing->pending;
  }

  Value element(const Node& node) {
    const auto base = evaluate(node.children[0]);
    const auto at = evaluate(node.children[1]);
    Value result;
    bool first = true;
    for (const auto& thing : things_of(base)) {
      auto found = item_of(*thing, at);
      load(found, thing);
      result = first ? found : joined(result, found);
      first = false;
    }
    return result;
  }

  static Value item_of(const Thing& thing, const Value& at) {
    if (at.kind == Value::Kind::text) {
      const auto field = thing.fields.find(at.text);
      return field == thing.fields.end() ? Value() : field->second;
    }
    if (const auto number = number_of(at); number && thing.exact) {
      const auto index = static_cast<std::size_t>(std::max(*number, 0.0));
      if (index < thing.items.size()) return thing.items[index];
      return {};
    }
    Value all;
    bool first = true;
    for (const auto& item : items_of(thing)) {
      const auto pair = things_of(item);
      const bool is_map = thing.items.empty() && !thing.fields.empty() && !pair.empty();
      const auto& value = is_map ? pair.front()->items[1] : item;
      all = first ? value : joined(all, value);
      first = false;
    }
    return all;
  }

  Value member(const Node& node) {
    const auto base = evaluate(node.children[0]);
    if (node.text == "contents" || node.text == "UTF8String" || node.text == "mutableBytes")
      return method(Call{
          .name = node.text, .node = &node, .receiver = base, .receiver_node = node.children[0]});
    Value result;
    bool first = true;
    const auto found = target_of(base);
    for (const auto& thing : things_of(found)) {
      Value value;
      if (const auto field = thing->fields.find(plain_field(node.text));
          field != thing->fields.end())
        value = field->second;
      else if ((node.text == "first" || node.text == "second") && thing->items.size() == 2)
        value = thing->items[node.text == "first" ? 0 : 1];
      result = first ? value : joined(result, value);
      first = false;
    }
    // pos[i].x is as good as pos[i].
    if (first) {
      result.loaded = base.loaded;
      result.computed = base.computed;
    }
    return result;
  }

  // What a pointer to a variable leads to.
  static Value target_of(const Value& value) {
    return value.kind == Value::Kind::address ? value.variable->value : value;
  }

  Value unary(const Node& node) {
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

  Value dereferenced(const Value& value) {
    if (value.kind == Value::Kind::address) return value.variable->value;
    const auto things = things_of(value);
    if (things.empty() || !value.points) return value;
    if (!things.front()->owner.empty() || things.front()->type.empty()) return value;
    Value result;
    for (const auto& thing : things) load(result, thing);
    return result;
  }

  Value address(const NodePtr& operand) {
    if (operand->kind == Kind::index) {
      auto base = evaluate(operand->children[0]);
      evaluate(operand->children[1]);
      const auto at = item_of_known(base, operand->children[1]);
      if (at.kind == Value::Kind::thing &&
          (!at.thing->owner.empty() || at.thing->role == Thing::Role::buffer))
        return at;
      base.points = true;
      return base;
    }
    if (operand->kind == Kind::name)
      if (const auto found = variable(last_name(operand->text))) {
        if (found->is_element || found->value.kind == Value::Kind::thing) {
          auto value = found->value;
          value.points = true;
          return value;
        }
        Value value;
        value.kind = Value::Kind::address;
        value.variable = found;
        return value;
      }
    return evaluate(operand);
  }

  Value item_of_known(const Value& base, const NodePtr& at) {
    const auto things = things_of(base);
    return things.size() == 1 ? item_of(*things.front(), evaluate(at)) : Value();
  }

  // ++x, x--
  Value changed(const NodePtr& operand, double by, bool before) {
    const auto value = evaluate(operand);
    const auto number = number_of(value);
    // *p++ walks over memory; the pointer still points into it.
    if (!things_of(value).empty()) return value;
    const auto next = number ? number_value(*number + by) : Value();
    if (number || value.kind != Value::Kind::unknown) store(operand, next, "=", operand->range);
    return before ? value : next;
  }

  static bool is_arithmetic(std::string_view mark) {
    return mark == "+" || mark == "-" || mark == "*" || mark == "/" || mark == "%" ||
           mark == "+=" || mark == "-=" || mark == "*=" || mark == "/=" || mark == "%=";
  }

  Value binary(const Node& node) {
    const auto a = evaluate(node.children[0]);
    if (node.text == ",") return evaluate(node.children[1]);
    if (node.text == "&&" || node.text == "||") return logical(node, a);
    const auto b = evaluate(node.children[1]);
    if (node.text == ">>" && node.children[1]->kind == Kind::name && !number_of(b))
      forget(node.children[1]);  // a stream is read
    const auto x = number_of(a);
    const auto y = number_of(b);
    if (x && y) return arithmetic(node.text, *x, *y);
    if (a.kind == Value::Kind::text && b.kind == Value::Kind::text && node.text == "+")
      return text_value(a.text + b.text);
    // Pointers and their distances.
    if (node.text == "+" || node.text == "-") {
      if (!things_of(a).empty() && things_of(b).empty()) return pointer_to(a);
      if (!things_of(b).empty() && things_of(a).empty()) return pointer_to(b);
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

  static Value pointer_to(Value value) {
    value.points = true;
    return value;
  }

  Value logical(const Node& node, const Value& a) {
    const auto left = truth_of(a);
    const bool decides = node.text == "||";
    if (left && *left == decides) return number_value(*left ? 1 : 0);
    const auto right = truth_of(evaluate(node.children[1]));
    if (right && *right == decides) return number_value(decides ? 1 : 0);
    return left && right ? number_value(*right ? 1 : 0) : Value();
  }

  static Value arithmetic(std::string_view mark, double x, double y) {
    const auto whole = [](double v) {
      return static_cast<std::int64_t>(std::clamp(v, -9e15, 9e15));
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

  Value assignment(const Node& node) {
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

  void forget(const NodePtr& node) {
    if (node->kind == Kind::unary && node->text == "&") return forget(node->children[0]);
    if (node->kind != Kind::name) return;
    const auto found = variable(node->text);
    if (found && !found->constant && found->value.kind == Value::Kind::number) found->value = {};
  }

  // ---- Stores.
  void store(const NodePtr& place, const Value& value, const std::string& mark,
             const Range& range) {
    switch (place->kind) {
      case Kind::name:
        return store_named(place->text, value, mark, range);
      case Kind::member:
        return store_member(*place, value, mark, range);
      case Kind::index: {
        const auto at = evaluate(place->children[1]);
        const bool one = place->children[1]->kind == Kind::number;
        for (const auto& thing : containers(place->children[0]))
          store_item(*thing, at, value, mark, range, one);
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

  // What a place holds; a container that we saw nobody make is made up.
  std::vector<std::shared_ptr<Thing>> containers(const NodePtr& place) {
    const auto value = target_of(evaluate(place));
    auto things = things_of(value);
    const bool is_place = place->kind == Kind::name || place->kind == Kind::member;
    if (!things.empty() || !is_place || value.kind != Value::Kind::unknown || !value.loaded.empty())
      return things;
    things.push_back(made_thing(Thing::Role::object));
    things.back()->exact = false;
    store(place, thing_value(things.back()), "=", place->range);
    return things;
  }

  // What a variable holds after x += y: no longer known, but still made from the same data.
  static Value accumulated(const Value& old, const Value& value, const Range& range) {
    Value sum;
    sum.loaded = old.loaded;
    sum.loaded.insert(value.loaded.begin(), value.loaded.end());
    sum.computed = old.computed ? old.computed : value.computed;
    if (!sum.loaded.empty() && !sum.computed) sum.computed = Work{range, "a loop"};
    return sum;
  }

  void store_named(const std::string& text, const Value& value, const std::string& mark,
                   const Range& range) {
    const auto name = last_name(text);
    if (const auto found = variable(name)) {
      if (found->is_element) return store_item(*found->value.thing, {}, value, mark, range, false);
      if (mark != "=" && found->value.kind == Value::Kind::thing) return;  // a pointer moves on
      if (mark != "=") return assign(*found, accumulated(found->value, value, range));
      return assign(*found, own_copy(value, found->type));
    }
    if (self_) return assign_field(*self_, name, value);
  }

  void store_member(const Node& place, const Value& value, const std::string& mark,
                    const Range& range) {
    const auto base = target_of(evaluate(place.children[0]));
    const auto things = things_of(base);
    if (things.empty() && place.children[0]->kind == Kind::index)
      return store(place.children[0], value, mark, range);  // pos[i].x = …
    if (things.empty() && place.children[0]->kind == Kind::name) {
      const auto found = variable(place.children[0]->text);
      if (found && found->value.kind == Value::Kind::unknown) {
        auto made = made_thing(Thing::Role::object);
        assign_field(*made, place.text, value);
        found->value = thing_value(made);
      }
      return;
    }
    for (const auto& thing : things) assign_field(*thing, place.text, value);
  }

  void store_through(const Value& pointer, const Value& value, const std::string& mark,
                     const Range& range) {
    if (pointer.kind == Value::Kind::address) return assign(*pointer.variable, value);
    for (const auto& thing : things_of(pointer)) store_item(*thing, {}, value, mark, range, false);
  }

  void store_item(Thing& thing, const Value& at, const Value& value, const std::string& mark,
                  const Range& range, bool one) {
    auto work = value.computed;
    if (!work && mark != "=" && is_arithmetic(mark)) work = Work{range, "a loop"};
    if (loops_ > 0 && !one && (work || !value.loaded.empty())) {
      if (work)
        compute(thing, Work{range, "a loop"}, value.loaded);
      else
        copy(thing, value.loaded);
    }
    keep_item(thing, at, value);
  }

  // Data of no interest as values; everything else may be asked for again.
  void keep_item(Thing& thing, const Value& at, const Value& value) {
    if (value.kind == Value::Kind::unknown) return;
    if (at.kind == Value::Kind::text) {
      auto& field = thing.fields[at.text];
      field = inexact() && field.kind != Value::Kind::unknown ? joined(field, value) : value;
      return;
    }
    const auto index = number_of(at);
    if (index && *index >= 0 && *index < 256) {
      const auto place = static_cast<std::size_t>(*index);
      if (thing.items.size() <= place) thing.items.resize(place + 1);
      thing.items[place] = value;
    } else if (value.kind != Value::Kind::number && thing.items.size() < 256) {
      thing.items.push_back(value);
      thing.exact = false;
    }
  }

  // ---- Work of the processor's.
  static std::set<BoundArgument> bound_to(const std::set<std::shared_ptr<Thing>>& things) {
    std::set<BoundArgument> all;
    for (const auto& thing : things) all.insert(thing->bound.begin(), thing->bound.end());
    return all;
  }

  void compute(Thing& thing, Work work, const std::set<std::shared_ptr<Thing>>& from) {
    thing.pending = std::move(work);
    thing.pending_reads = bound_to(from);
    note_work(thing, false);
  }

  void copy(Thing& thing, const std::set<std::shared_ptr<Thing>>& from) {
    thing.pending.reset();
    for (const auto& each : from) {
      if (each.get() == &thing) continue;
      if (each->pending && !thing.pending) {
        thing.pending = each->pending;
        thing.pending_reads = each->pending_reads;
      }
      if (each->bound.empty()) continue;
      thing.read_back = true;
      if (thing.role != Thing::Role::buffer)
        thing.bound.insert(each->bound.begin(), each->bound.end());
    }
    if (thing.pending) note_work(thing, false);
  }

  void note_work(const Thing& thing, bool remains) {
    CpuWork work{.range = thing.pending->range,
                 .call = thing.pending->call,
                 .target = thing.name,
                 .lands_in = {thing.bound.begin(), thing.bound.end()},
                 .reads = {thing.pending_reads.begin(), thing.pending_reads.end()},
                 .remains = remains,
                 .in_buffer = thing.role == Thing::Role::buffer,
                 .handed_out = thing.outside && touched_,
                 .read_back = thing.read_back};
    if (std::find(host_.cpu_work.begin(), host_.cpu_work.end(), work) == host_.cpu_work.end())
      host_.cpu_work.push_back(std::move(work));
  }

  // ---- Calls.
  Value call(const NodePtr& node) {
    const auto& callee = node->children[0];
    Call call{.node = node.get()};
    call.nodes.assign(node->children.begin() + 1, node->children.end());
    if (callee->kind == Kind::member) {
      call.name = last_name(callee->text);
      call.receiver_node = callee->children[0];
      call.receiver = evaluate(call.receiver_node);
    } else if (callee->kind == Kind::name) {
      call.name = last_name(callee->text);
    }
    for (const auto& each : call.nodes) call.arguments.push_back(evaluate(each));
    if (callee->kind != Kind::member) {
      const auto target = evaluate(callee);
      for (const auto& each : alternatives(target))
        if (each.kind == Value::Kind::closure && each.code->kind == Kind::lambda)
          return invoke(*each.code, call.arguments, call.nodes, self_, each.scope);
    }
    if (const auto* function = user_function(call)) return invoke_user(*function, call);
    if (!call.receiver && types_.contains(call.name))
      return construct(call.name, call.arguments, call.nodes);
    return method(call);
  }

  Value message(const NodePtr& node) {
    Call call{.name = node->text, .node = node.get(), .receiver_node = node->children[0]};
    call.receiver = evaluate(call.receiver_node);
    call.nodes.assign(node->children.begin() + 1, node->children.end());
    for (const auto& each : call.nodes) call.arguments.push_back(evaluate(each));
    if (const auto* function = user_function(call)) return invoke_user(*function, call);
    if (node->text == "alloc" || node->text == "class") {
      const auto& name = call.receiver_node->text;
      return types_.contains(name) ? thing_value(object_of(name)) : Value();
    }
    call.name = plain_word(node->text);
    return method(call);
  }

  const Node* user_function(const Call& call) const {
    const auto found = functions_.find(call.name);
    if (found == functions_.end()) return nullptr;
    std::string owner;
    if (call.receiver)
      for (const auto& thing : things_of(target_of(*call.receiver))) owner = thing->owner;
    const Node* fits = nullptr;
    for (const auto* function : found->second) {
      const auto theirs = owner_of(*function);
      if (call.receiver && theirs.empty()) continue;
      if (call.arguments.size() > function->parameters && !takes_pack(*function)) continue;
      if (!owner.empty() && types_.contains(theirs) && theirs != owner) continue;
      if (!fits || (function->parameters == call.arguments.size() &&
                    fits->parameters != call.arguments.size()))
        fits = function;
    }
    return fits;
  }

  // template <typename... T> void f(T... all)
  static bool takes_pack(const Node& function) {
    return function.parameters > 0 &&
           function.children[function.parameters - 1]->type.find("...") != std::string::npos;
  }

  Value invoke_user(const Node& function, const Call& call) {
    const auto owner = owner_of(function);
    std::shared_ptr<Thing> self;
    if (call.receiver) {
      const auto things = things_of(target_of(*call.receiver));
      if (!things.empty()) self = things.front();
    } else {
      self = self_;
    }
    if (!self && types_.contains(owner)) self = instance_of(owner);
    auto result = invoke(function, call.arguments, call.nodes, self, globals_);
    if (is_conversion(call.name)) result.computed.reset();
    return result;
  }

  Value invoke(const Node& function, std::vector<Value> arguments,
               const std::vector<NodePtr>& nodes, std::shared_ptr<Thing> self,
               std::shared_ptr<Scope> around) {
    if (std::count(stack_.begin(), stack_.end(), &function) >= deepest_recursion) return {};
    if (stack_.size() >= deepest_call) {
      steps_ = most_steps + 1;
      return {};
    }
    const auto outer_scope = scope_;
    auto inside = std::make_shared<Scope>(Scope{around ? around : globals_, {}});
    bind_parameters(function, std::move(arguments), nodes, inside);
    const auto outer_self = std::exchange(self_, std::move(self));
    stack_.push_back(&function);
    results_.emplace_back();
    scope_ = inside;
    const bool has_pack = takes_pack(function);
    if (has_pack) ++packs_;
    for (auto i = function.parameters; i + 1 < function.children.size(); ++i)
      initialise_member(*function.children[i]);
    execute(function.children.back());
    if (has_pack) --packs_;
    scope_ = outer_scope;
    self_ = outer_self;
    stack_.pop_back();
    hand_back(function, nodes, *inside);
    auto result = results_.back().value_or(Value());
    results_.pop_back();
    return result;
  }

  // What a function left in references to members.
  void hand_back(const Node& function, const std::vector<NodePtr>& nodes, const Scope& inside) {
    for (std::size_t i = 0; i < std::min(function.parameters, nodes.size()); ++i) {
      const auto& parameter = *function.children[i];
      const bool refers = parameter.type.find('&') != std::string::npos &&
                          parameter.type.find("const ") != 0 && nodes[i]->kind == Kind::member;
      const auto found = inside.variables.find(parameter.text);
      if (!refers || found == inside.variables.end()) continue;
      const auto& value = found->second->value;
      if (holds(value, Value::Kind::kernel) || !things_of(value).empty())
        store(nodes[i], value, "=", nodes[i]->range);
    }
  }

  void initialise_member(const Node& initialiser) {
    if (!self_) return;
    const auto& value = *initialiser.children[1];
    const auto& name = initialiser.children[0]->text;
    const auto known = self_->fields.find(plain_field(name));
    const auto type = member_type(self_->owner, name);
    if (value.children.size() == 1 && !owns_things(type) && !types_.contains(element_type(type)))
      assign_field(*self_, name, evaluate(value.children[0]));
    else if (known != self_->fields.end())
      assign_field(*self_, name, constructed(type, value));
  }

  std::string member_type(const std::string& owner, const std::string& name) const {
    const auto type = types_.find(owner);
    if (type == types_.end()) return {};
    for (const auto& member : type->second->children)
      if (member->kind == Kind::variable && member->text == name) return member->type;
    return {};
  }

  void bind_parameters(const Node& function, std::vector<Value> arguments,
                       const std::vector<NodePtr>& nodes, const std::shared_ptr<Scope>& inside) {
    const auto outer = scope_;
    for (std::size_t i = 0; i < function.parameters; ++i) {
      const auto& parameter = *function.children[i];
      Value value;
      if (i < arguments.size())
        value = arguments[i];
      else if (!parameter.children.empty())
        value = evaluate(parameter.children[0]);
      const bool is_pack = parameter.type.find("...") != std::string::npos;
      for (auto rest = i + 1; is_pack && rest < arguments.size(); ++rest)
        value = joined(value, arguments[rest]);
      const bool is_reference = !is_pack && parameter.type.find('&') != std::string::npos;
      if (is_reference && i < nodes.size() && nodes[i]->kind == Kind::name)
        if (const auto found = variable(nodes[i]->text)) {
          inside->variables[parameter.text] = found;
          continue;
        }
      scope_ = inside;
      const auto made =
          declare(parameter.text,
                  coerced(is_reference ? value : own_copy(value, parameter.type), parameter.type),
                  parameter.type);
      scope_ = outer;
      // A reference to an element of what an algorithm walks over.
      if (is_reference && nodes.empty() && value.kind == Value::Kind::unknown &&
          value.loaded.size() == 1) {
        made->value = thing_value(*value.loaded.begin(), true);
        made->is_element = true;
      }
    }
  }

  Value construct(const std::string& type, const std::vector<Value>& arguments,
                  const std::vector<NodePtr>& nodes) {
    auto made = object_of(type);
    const auto found = functions_.find(type);
    const Node* constructor = nullptr;
    if (found != functions_.end())
      for (const auto* each : found->second)
        if (arguments.size() <= each->parameters &&
            (!constructor || each->parameters < constructor->parameters))
          constructor = each;
    if (constructor) {
      invoke(*constructor, arguments, nodes, made, globals_);
      return thing_value(made);
    }
    made->items = arguments;
    std::size_t at = 0;
    if (const auto node = types_.find(type); node != types_.end() && !arguments.empty())
      for (const auto& member : node->second->children)
        if (member->kind == Kind::variable && at < arguments.size())
          made->fields[plain_field(member->text)] = arguments[at++];
    made->items.clear();
    return thing_value(made);
  }

  // T x(arguments), T{arguments}, new T(arguments).
  Value constructed(const std::string& type, const Node& node) {
    const auto name = last_name(element_type(type));
    const bool braces = node.text == "{" || node.kind == Kind::list;
    if (types_.contains(name) && !owns_things(type)) {
      std::vector<Value> arguments;
      bool designated = false;
      for (const auto& child : node.children) designated |= child->kind == Kind::assign;
      if (designated) {
        auto value = list(node);
        for (const auto& thing : things_of(value)) thing->owner = name;
        return value;
      }
      for (const auto& child : node.children) arguments.push_back(evaluate(child));
      return construct(name, arguments, node.children);
    }
    Call call{.name = name, .node = &node, .nodes = node.children};
    for (const auto& child : node.children) call.arguments.push_back(evaluate(child));
    if (name == "Kernel" || type.find("KernelFunctor") != std::string::npos)
      return call.arguments.size() >= 2 ? fetch(call, call.arguments[1]) : Value();
    if (type.find("cl::Buffer") != std::string::npos) return new_buffer(call);
    if (type.find("cl::Program") != std::string::npos) return new_library(call);
    if (type.find("string") != std::string::npos && call.arguments.size() >= 1)
      return call.arguments[0];
    if (is_memory_type(type) || owns_things(type) || is_map_type(type)) {
      const bool elements =
          braces && node.text != "(" && !node.children.empty() && node.kind != Kind::create;
      if (elements) return coerced(typed(list(node), type), type);
      return array(type, call);
    }
    if (call.arguments.size() == 1 && (type.find("SharedPtr") != std::string::npos ||
                                       size_of_type(type) || type.find("auto") == 0))
      return call.arguments[0];
    if (type.find("std::") != std::string::npos && type.find("thread") == std::string::npos)
      return carried(call);
    return unknown(call);
  }

  static Value typed(Value value, const std::string& type) {
    for (const auto& thing : things_of(value))
      if (thing->type.empty()) thing->type = element_type(type);
    return value;
  }

  // std::vector<float> x(n), x(first, last), new float[n]
  Value array(const std::string& type, const Call& call) {
    auto made = made_thing(Thing::Role::object);
    made->type = element_type(type);
    std::set<std::shared_ptr<Thing>> from;
    for (const auto& argument : call.arguments)
      for (const auto& thing : things_of(argument)) from.insert(thing);
    if (!from.empty()) copy(*made, from);
    return thing_value(made);
  }

  // ---- Functions that we know.
  Value method(const Call& call) {
    using Handler = Value (Follower::*)(const Call&);
    static const std::map<std::string, Handler, std::less<>> known = {
        {"newFunction", &Follower::new_function},
        {"clCreateKernel", &Follower::create_kernel},
        {"clCreateKernelsInProgram", &Follower::fetch_all},
        {"newDefaultLibrary", &Follower::new_library},
        {"newLibrary", &Follower::new_library},
        {"clCreateProgramWithSource", &Follower::new_library},
        {"clCreateProgramWithBinary", &Follower::new_library},
        {"clCreateProgramWithIL", &Follower::new_library},
        {"computeCommandEncoder", &Follower::new_encoder},
        {"setComputePipelineState", &Follower::set_pipeline},
        {"setBuffer", &Follower::set_buffer},
        {"setBytes", &Follower::set_bytes},
        {"setBuffers", &Follower::set_many},
        {"setArgumentTable", &Follower::set_many},
        {"setBufferOffset", &Follower::ignored},
        {"setThreadgroupMemoryLength", &Follower::ignored},
        {"endEncoding", &Follower::ignored},
        {"clSetKernelArg", &Follower::set_kernel_arg},
        {"setArg", &Follower::set_arg},
        {"dispatchThreads", &Follower::dispatch},
        {"dispatchThreadgroups", &Follower::dispatch},
        {"clEnqueueNDRangeKernel", &Follower::enqueue},
        {"clEnqueueTask", &Follower::enqueue},
        {"enqueueNDRangeKernel", &Follower::enqueue},
        {"executeCommandsInBuffer", &Follower::dispatch_unknown},
        {"newBuffer", &Follower::new_buffer},
        {"clCreateBuffer", &Follower::new_buffer},
        {"contents", &Follower::contents},
        {"clEnqueueMapBuffer", &Follower::map_buffer},
        {"enqueueMapBuffer", &Follower::map_buffer},
        {"clEnqueueReadBuffer", &Follower::read_buffer},
        {"enqueueReadBuffer", &Follower::read_buffer},
        {"clEnqueueWriteBuffer", &Follower::write_buffer},
        {"enqueueWriteBuffer", &Follower::write_buffer},
        {"memcpy", &Follower::copy_memory},
        {"memmove", &Follower::copy_memory},
        {"copy", &Follower::copy_range},
        {"copy_n", &Follower::copy_range},
        {"getBytes", &Follower::ignored},
        {"assign", &Follower::assign_range},
        {"insert", &Follower::insert},
        {"emplace", &Follower::insert},
        {"try_emplace", &Follower::insert},
        {"push_back", &Follower::append},
        {"emplace_back", &Follower::append},
        {"addObject", &Follower::append},
        {"setObject", &Follower::set_object},
        {"objectForKey", &Follower::item},
        {"objectForKeyedSubscript", &Follower::item},
        {"objectAtIndex", &Follower::item},
        {"objectAtIndexedSubscript", &Follower::item},
        {"at", &Follower::item},
        {"find", &Follower::find},
        {"malloc", &Follower::allocate},
        {"calloc", &Follower::allocate},
        {"aligned_alloc", &Follower::allocate},
        {"make_unique", &Follower::allocate},
        {"make_shared", &Follower::allocate},
        {"transform", &Follower::transform},
        {"for_each", &Follower::for_each_element},
        {"for_each_n", &Follower::for_each_element},
        {"dispatch_apply", &Follower::apply},
        {"apply", &Follower::apply},
        {"sort", &Follower::in_place},
        {"stable_sort", &Follower::in_place},
        {"nth_element", &Follower::in_place},
        {"partial_sum", &Follower::into_last},
        {"inclusive_scan", &Follower::into_third},
        {"exclusive_scan", &Follower::into_third},
        {"adjacent_difference", &Follower::into_last},
        {"accumulate", &Follower::sum},
        {"reduce", &Follower::sum},
        {"inner_product", &Follower::sum},
        {"transform_reduce", &Follower::sum},
        {"swap", &Follower::swap},
        {"exchange", &Follower::swap},
        {"fill", &Follower::ignored},
        {"fill_n", &Follower::ignored},
        {"memset", &Follower::ignored},
        {"generate", &Follower::ignored},
        {"iota", &Follower::ignored},
    };
    if (const auto found = known.find(call.name); found != known.end()) {
      auto result = (this->*found->second)(call);
      if (call.name != "setBytes" && call.name != "clSetKernelArg") forget_addressed(call);
      return result;
    }
    if (is_bulk_math(call.name)) return bulk_math(call);
    return unknown(call);
  }

  void forget_addressed(const Call& call) {
    for (const auto& node : call.nodes)
      if (node->kind == Kind::unary && node->text == "&") forget(node);
  }

  Value ignored(const Call&) { return {}; }

  const Value* argument(const Call& call, std::size_t at) const {
    return at < call.arguments.size() ? &call.arguments[at] : nullptr;
  }

  // A function that is not the host's own: it may do anything with what it gets.
  Value unknown(const Call& call) {
    forget_addressed(call);
    const bool passes = passes_through(call.name) || is_math(call.name);
    const bool harmless = !passes && is_harmless(call.name);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const auto& value = call.arguments[i];
      run_closures(call, i);
      if (harmless || passes) continue;
      if (i < call.nodes.size()) forget(call.nodes[i]);
      escape(value);
    }
    if (is_math(call.name)) return math(call);
    if (harmless) return call.name == "newComputePipelineState" ? carried(call) : Value();
    return carried(call);
  }

  // A closure that is handed on is run with what stands behind it, as std::thread would.
  void run_closures(const Call& call, std::size_t at) {
    const auto behind = static_cast<std::ptrdiff_t>(at + 1);
    for (const auto& each : alternatives(call.arguments[at])) {
      if (each.kind != Value::Kind::closure) continue;
      ++open_branches_;
      invoke(*each.code, {call.arguments.begin() + behind, call.arguments.end()}, {}, self_,
             each.scope);
      --open_branches_;
    }
  }

  void escape(const Value& value) {
    for (const auto& each : alternatives(value)) {
      if (each.kind == Value::Kind::text) host_.mentioned.push_back(each.text);
      if (each.kind == Value::Kind::kernel) host_.dispatches_known = false;
      if (each.kind == Value::Kind::address) escape(each.variable->value);
      if (each.kind != Value::Kind::thing) continue;
      if (each.thing->role == Thing::Role::library) host_.names_known = false;
      if (each.thing->role == Thing::Role::encoder) {
        host_.dispatches_known = false;
        each.thing->bindings_known = false;
      }
    }
  }

  // What an unknown function may give back of what it got.
  Value carried(const Call& call) {
    Value result;
    bool first = true;
    const auto take = [&](const Value& value) {
      for (const auto& each : alternatives(value)) {
        const bool worth = each.kind == Value::Kind::kernel || each.kind == Value::Kind::thing ||
                           (each.kind == Value::Kind::text && passes_through(call.name));
        if (!worth) continue;
        result = first ? each : joined(result, each);
        first = false;
      }
      result.loaded.insert(value.loaded.begin(), value.loaded.end());
      if (!result.computed) result.computed = value.computed;
    };
    if (call.receiver && passes_through(call.name)) {
      take(target_of(*call.receiver));
      if (call.name == "data" || call.name == "begin" || call.name == "end" ||
          call.name == "cbegin" || call.name == "cend" || call.name == "get")
        result.points = true;
      return result;
    }
    for (const auto& value : call.arguments) take(value);
    return result;
  }

  Value math(const Call& call) {
    Value result;
    for (const auto& value : call.arguments) {
      result.loaded.insert(value.loaded.begin(), value.loaded.end());
      if (!result.computed) result.computed = value.computed;
    }
    if (!result.loaded.empty() && !result.computed)
      result.computed = Work{call.node->range, "a loop"};
    return result;
  }

  // ---- Kernels.
  Value new_library(const Call& call) {
    touched_ = true;
    libraries_.insert(call.node);
    host_.libraries = libraries_.size();
    return thing_value(made_thing(Thing::Role::library));
  }

  Value new_function(const Call& call) {
    const auto* name = argument(call, 0);
    return name ? fetch(call, *name) : Value();
  }
  Value create_kernel(const Call& call) {
    const auto* name = argument(call, 1);
    return name ? fetch(call, *name) : Value();
  }
  Value fetch_all(const Call&) {
    host_.names_known = host_.dispatches_known = false;
    return {};
  }

  Value fetch(const Call& call, const Value& names) {
    touched_ = true;
    Value result;
    bool first = true;
    for (const auto& name : alternatives(names)) {
      Value kernel;
      kernel.kind = Value::Kind::kernel;
      kernel.thing = made_thing(Thing::Role::object);
      if (name.kind == Value::Kind::text)
        kernel.text = name.text;
      else
        host_.names_known = false;
      HostFetch fetch{kernel.text, call.node->range};
      if (!kernel.text.empty() &&
          std::find(host_.fetched.begin(), host_.fetched.end(), fetch) == host_.fetched.end())
        host_.fetched.push_back(std::move(fetch));
      result = first ? kernel : joined(result, kernel);
      first = false;
    }
    return result;
  }

  Value new_encoder(const Call&) { return thing_value(made_thing(Thing::Role::encoder)); }

  // The encoders that a message goes to; one that we do not know is made up.
  std::vector<std::shared_ptr<Thing>> encoders(const Call& call) {
    std::vector<std::shared_ptr<Thing>> all;
    if (!call.receiver) return all;
    for (const auto& thing : things_of(target_of(*call.receiver)))
      if (thing->role == Thing::Role::encoder) all.push_back(thing);
    if (!all.empty()) return all;
    auto made = made_thing(Thing::Role::encoder);
    made->bindings_known = false;
    store(call.receiver_node, thing_value(made), "=", call.node->range);
    return {made};
  }

  Value set_pipeline(const Call& call) {
    const auto* pipeline = argument(call, 0);
    if (!pipeline) return {};
    for (const auto& encoder : encoders(call)) {
      const bool adds = open_branches_ > 0 && encoder->pipeline.kind != Value::Kind::unknown;
      encoder->pipeline = adds ? joined(encoder->pipeline, *pipeline) : *pipeline;
    }
    return {};
  }

  void bind_at(Thing& thing, const Value* index, HostBinding binding,
               std::vector<std::shared_ptr<Thing>> memory) {
    const auto number = index ? number_of(*index) : std::nullopt;
    // What is done for each element of a pack is seen once only.
    if (!number || *number < 0 || packs_ > 0) {
      thing.bindings_known = false;
      for (const auto& each : memory)
        if (thing.bindings.size() < 256)
          thing.bindings.push_back({HostBinding{.index = 1000, .range = binding.range}, {each}});
      return;
    }
    binding.index = static_cast<unsigned>(*number);
    if (open_branches_ == 0)
      std::erase_if(thing.bindings,
                    [&](const Bound& bound) { return bound.binding.index == binding.index; });
    if (thing.bindings.size() < 256)
      thing.bindings.push_back({std::move(binding), std::move(memory)});
  }

  // The type of an element of these buffers, where they agree.
  static std::string type_of(const std::vector<std::shared_ptr<Thing>>& memory) {
    std::string type;
    for (const auto& each : memory) {
      if (!type.empty() && each->type != type) return {};
      type = each->type;
    }
    return type == "?" ? "" : type;
  }

  Value set_buffer(const Call& call) {
    const auto* buffer = argument(call, 0);
    if (!buffer) return {};
    const auto memory = things_of(*buffer);
    for (const auto& encoder : encoders(call))
      bind_at(*encoder, argument(call, call.arguments.size() - 1),
              {.is_buffer = true, .range = call.node->range}, memory);
    return {};
  }

  HostBinding value_binding(const Call& call, std::size_t value, const Value* length) const {
    HostBinding binding{.range = call.node->range};
    if (length)
      if (const auto bytes = number_of(*length); bytes && *bytes > 0)
        binding.bytes = static_cast<std::size_t>(*bytes);
    const auto& node = call.nodes[value];
    const bool addressed =
        node->kind == Kind::unary && node->text == "&" && node->children[0]->kind == Kind::name;
    if (addressed)
      if (const auto found = variable(node->children[0]->text)) binding.type = found->type;
    return binding;
  }

  Value set_bytes(const Call& call) {
    if (call.arguments.size() < 3) return {};
    const auto binding = value_binding(call, 0, argument(call, 1));
    for (const auto& encoder : encoders(call)) bind_at(*encoder, argument(call, 2), binding, {});
    return {};
  }

  Value set_many(const Call& call) {
    for (const auto& encoder : encoders(call)) encoder->bindings_known = false;
    for (const auto& encoder : encoders(call))
      for (const auto& value : call.arguments) {
        for (const auto& list : things_of(value))
          for (const auto& item : list->items) bind_at(*encoder, nullptr, {}, things_of(item));
      }
    return {};
  }

  static std::vector<std::shared_ptr<Thing>> buffers_of(const Value& value) {
    auto all = things_of(target_of(value));
    std::erase_if(all, [](const auto& thing) { return thing->role != Thing::Role::buffer; });
    return all;
  }

  // clSetKernelArg(kernel, index, size, &value)
  Value set_kernel_arg(const Call& call) {
    if (call.arguments.size() < 4) return {};
    const auto memory = buffers_of(call.arguments[3]);
    auto binding = value_binding(call, 3, argument(call, 2));
    binding.is_buffer = !memory.empty() || is_buffer_type(binding.type);
    for (const auto& kernel : alternatives(call.arguments[0]))
      if (kernel.kind == Value::Kind::kernel)
        bind_at(*kernel.thing, argument(call, 1), binding, memory);
    return {};
  }

  // kernel.setArg(index, value)
  Value set_arg(const Call& call) {
    if (call.arguments.size() < 2 || !call.receiver) return {};
    const auto memory = buffers_of(call.arguments[1]);
    HostBinding binding{.is_buffer = !memory.empty(), .range = call.node->range};
    for (const auto& kernel : alternatives(target_of(*call.receiver)))
      if (kernel.kind == Value::Kind::kernel)
        bind_at(*kernel.thing, argument(call, 0), binding, memory);
    return {};
  }

  Value dispatch_unknown(const Call&) {
    host_.dispatches_known = false;
    return {};
  }

  Value dispatch(const Call& call) {
    for (const auto& encoder : encoders(call)) {
      if (encoder->pipeline.kind == Value::Kind::unknown) host_.dispatches_known = false;
      for (const auto& kernel : alternatives(encoder->pipeline))
        note_dispatch(kernel, *encoder, call);
    }
    return {};
  }

  // clEnqueueNDRangeKernel(queue, kernel, …), queue.enqueueNDRangeKernel(kernel, …)
  Value enqueue(const Call& call) {
    const auto* kernels = argument(call, call.receiver ? 0 : 1);
    if (!kernels) return {};
    bool any = false;
    for (const auto& kernel : alternatives(target_of(*kernels))) {
      if (kernel.kind != Value::Kind::kernel) continue;
      any = true;
      note_dispatch(kernel, *kernel.thing, call);
    }
    if (!any) host_.dispatches_known = false;
    return {};
  }

  void note_dispatch(const Value& kernel, Thing& bound, const Call& call) {
    touched_ = true;
    if (kernel.kind != Value::Kind::kernel || kernel.text.empty()) host_.dispatches_known = false;
    const auto name = kernel.kind == Value::Kind::kernel ? kernel.text : "";
    HostDispatch dispatch{name, call.node->range, {}, bound.bindings_known};
    for (const auto& each : bound.bindings) {
      auto binding = each.binding;
      if (binding.is_buffer && binding.type.empty()) binding.type = type_of(each.memory);
      if (binding.index < 1000) dispatch.bindings.push_back(std::move(binding));
      for (const auto& memory : each.memory) {
        memory->bound.insert({name, each.binding.index});
        memory->pending.reset();
      }
    }
    std::stable_sort(dispatch.bindings.begin(), dispatch.bindings.end(),
                     [](const auto& a, const auto& b) { return a.index < b.index; });
    if (name.empty()) return;
    for (auto& known : host_.dispatched)
      if (known.kernel == name && known.range == dispatch.range) return merge(known, dispatch);
    host_.dispatched.push_back(std::move(dispatch));
  }

  static void merge(HostDispatch& known, const HostDispatch& more) {
    known.bindings_known = known.bindings_known && more.bindings_known;
    for (const auto& binding : more.bindings)
      if (std::find(known.bindings.begin(), known.bindings.end(), binding) == known.bindings.end())
        known.bindings.push_back(binding);
  }

  // ---- Memory.
  Value new_buffer(const Call& call) {
    touched_ = true;
    auto made = made_thing(Thing::Role::buffer);
    for (const auto& value : call.arguments)
      for (const auto& thing : things_of(value))
        if (thing->role == Thing::Role::object) {
          if (made->type.empty()) made->type = thing->type;
          copy(*made, {thing});
        }
    return thing_value(made);
  }

  Value contents(const Call& call) {
    if (!call.receiver) return {};
    auto found = target_of(*call.receiver);
    if (things_of(found).empty()) {
      found = thing_value(made_thing(Thing::Role::buffer));
      store(call.receiver_node, found, "=", call.node->range);
    }
    found.points = true;
    return found;
  }

  Value map_buffer(const Call& call) {
    const auto* buffer = argument(call, call.receiver ? 0 : 1);
    return buffer ? pointer_to(target_of(*buffer)) : Value();
  }

  void copy_between(const Value& to, const Value& from) {
    std::set<std::shared_ptr<Thing>> source;
    for (const auto& thing : things_of(target_of(from))) source.insert(thing);
    if (source.empty()) return;
    for (const auto& thing : things_of(target_of(to))) copy(*thing, source);
  }

  // The last argument that is memory: events may follow it.
  const Value* memory_argument(const Call& call, std::size_t from) const {
    for (auto i = from; i < call.arguments.size(); ++i)
      if (!things_of(target_of(call.arguments[i])).empty()) return &call.arguments[i];
    return nullptr;
  }

  Value read_buffer(const Call& call) {
    const std::size_t first = call.receiver ? 0 : 1;
    const auto* to = memory_argument(call, first + 1);
    if (to && argument(call, first)) copy_between(*to, call.arguments[first]);
    return {};
  }

  Value write_buffer(const Call& call) {
    const std::size_t first = call.receiver ? 0 : 1;
    const auto* from = memory_argument(call, first + 1);
    if (from && argument(call, first)) copy_between(call.arguments[first], *from);
    return {};
  }

  Value copy_memory(const Call& call) {
    if (call.arguments.size() >= 2) copy_between(call.arguments[0], call.arguments[1]);
    return {};
  }

  // copy(first, last, target), copy_n(first, n, target), cl::copy(queue, …) and [x copy].
  Value copy_range(const Call& call) {
    if (call.arguments.size() < 3) return call.receiver ? *call.receiver : Value();
    copy_between(call.arguments.back(), memory_of(call.arguments));
    return call.arguments.back();
  }

  static Value memory_of(const std::vector<Value>& values) {
    for (const auto& value : values)
      if (!things_of(value).empty()) return value;
    return {};
  }

  Value assign_range(const Call& call) {
    if (call.receiver && call.arguments.size() == 2)
      copy_between(*call.receiver, call.arguments[0]);
    return {};
  }

  Value allocate(const Call& call) {
    // make_shared<Runner>(…)
    const auto& callee = *call.node->children[0];
    const auto angle = callee.text.find('<');
    std::string type = "float[]";
    if (angle != std::string::npos)
      type = callee.text.substr(angle + 1, callee.text.rfind('>') - angle - 1);
    if (types_.contains(type)) return construct(type, call.arguments, call.nodes);
    if (call.name == "make_shared" && !owns_things(type)) return carried(call);
    auto made = made_thing(Thing::Role::object);
    made->type = angle == std::string::npos ? "" : element_type(type);
    return thing_value(made, true);
  }

  // ---- Containers.
  Value append(const Call& call) {
    if (!call.receiver || call.arguments.empty()) return {};
    for (const auto& thing : containers(call.receiver_node)) {
      const auto& value = call.arguments[0];
      run_closures(call, 0);
      if (inexact()) thing->exact = false;
      if (call.name == "emplace_back" && types_.contains(thing->type))
        thing->items.push_back(construct(thing->type, call.arguments, call.nodes));
      else if (value.kind != Value::Kind::unknown && thing->items.size() < 256)
        thing->items.push_back(value);
      else
        thing->exact = false;
      if (loops_ > 0 && value.computed)
        compute(*thing, Work{call.node->range, value.computed->call}, value.loaded);
    }
    return {};
  }

  Value insert(const Call& call) {
    if (!call.receiver) return {};
    for (const auto& thing : things_of(target_of(*call.receiver))) {
      if (call.arguments.size() == 2) {
        keep_item(*thing, call.arguments[0], call.arguments[1]);
      } else if (call.arguments.size() == 1) {
        for (const auto& pair : things_of(call.arguments[0]))
          if (pair->items.size() == 2) keep_item(*thing, pair->items[0], pair->items[1]);
      } else if (call.arguments.size() == 3) {
        copy_between(*call.receiver, call.arguments[1]);
      }
    }
    return {};
  }

  Value set_object(const Call& call) {
    if (!call.receiver || call.arguments.size() < 2) return {};
    for (const auto& thing : containers(call.receiver_node))
      keep_item(*thing, call.arguments[1], call.arguments[0]);
    return {};
  }

  Value item(const Call& call) {
    Value result;
    bool first = true;
    if (!call.receiver || call.arguments.empty()) return result;
    for (const auto& thing : things_of(target_of(*call.receiver))) {
      auto found = item_of(*thing, call.arguments[0]);
      load(found, thing);
      result = first ? found : joined(result, found);
      first = false;
    }
    return result;
  }

  // map.find(key): a pair, as the iterator shows it.
  Value find(const Call& call) {
    if (!call.receiver || call.arguments.size() != 1) return {};
    return pair_value(call.arguments[0], item(call));
  }

  // Both now hold either.
  Value swap(const Call& call) {
    if (call.arguments.size() != 2)
      return call.name == "swap" ? Value() : memory_of(call.arguments);
    if (call.name == "exchange") {
      store(call.nodes[0], call.arguments[1], "=", call.node->range);
      return call.arguments[0];
    }
    const auto both = joined(call.arguments[0], call.arguments[1]);
    if (both.kind != Value::Kind::any) return {};
    ++open_branches_;
    for (const auto& node : call.nodes) store(node, both, "=", call.node->range);
    --open_branches_;
    return {};
  }

  // ---- Bulk work.
  static std::vector<std::shared_ptr<Thing>> memory_in(const Call& call) {
    std::vector<std::shared_ptr<Thing>> all;
    for (const auto& value : call.arguments)
      for (const auto& thing : things_of(target_of(value)))
        if (thing->role == Thing::Role::object || thing->role == Thing::Role::buffer)
          all.push_back(thing);
    return all;
  }

  Value loaded_from(const std::vector<std::shared_ptr<Thing>>& things) {
    Value value;
    for (const auto& thing : things) load(value, thing);
    return value;
  }

  Value bulk_math(const Call& call) {
    const auto memory = memory_in(call);
    if (memory.empty()) return {};
    auto from = loaded_from(memory);
    if (only_moves(call.name)) {
      if (memory.size() > 1) copy(*memory.back(), {memory.front()});
      return {};
    }
    if (is_bulk_sum(call.name)) {
      from.computed = Work{call.node->range, call.name};
      for (const auto& value : call.arguments)
        if (value.kind == Value::Kind::address) assign(*value.variable, from);
      return from;
    }
    const auto& target = puts_result_first(call.name) ? memory.front() : memory.back();
    compute(*target, Work{call.node->range, call.name}, from.loaded);
    return {};
  }

  // transform(first, last[, second], target, operation)
  Value transform(const Call& call) {
    const auto memory = memory_in(call);
    if (memory.size() < 3) return {};
    auto sources = memory;
    sources.pop_back();
    const auto from = loaded_from(sources);
    const auto& operation = call.arguments.back();
    auto work = std::optional(Work{call.node->range, "std::transform"});
    if (operation.kind == Value::Kind::closure) {
      Value one;
      one.loaded = from.loaded;
      one.computed = from.computed;
      std::vector<Value> arguments(operation.code->parameters, one);
      const auto result = invoke(*operation.code, arguments, {}, self_, operation.scope);
      if (!result.computed) work.reset();
    }
    if (work)
      compute(*memory.back(), *work, from.loaded);
    else
      copy(*memory.back(), from.loaded);
    return {};
  }

  Value for_each_element(const Call& call) {
    const auto memory = memory_in(call);
    ++loops_;
    ++unknown_loops_;
    for (const auto& value : call.arguments)
      if (value.kind == Value::Kind::closure) {
        Value one;
        if (!memory.empty()) load(one, memory.front());
        invoke(*value.code, {one}, {}, self_, value.scope);
      }
    --unknown_loops_;
    --loops_;
    return {};
  }

  Value apply(const Call& call) {
    ++loops_;
    ++unknown_loops_;
    for (const auto& value : call.arguments)
      if (value.kind == Value::Kind::closure) invoke(*value.code, {}, {}, self_, value.scope);
    --unknown_loops_;
    --loops_;
    return {};
  }

  Value in_place(const Call& call) {
    const auto memory = memory_in(call);
    if (!memory.empty())
      compute(*memory.front(), Work{call.node->range, "std::" + call.name}, {memory.front()});
    return {};
  }

  Value into_last(const Call& call) {
    const auto memory = memory_in(call);
    if (memory.size() >= 3)
      compute(*memory.back(), Work{call.node->range, "std::" + call.name}, {memory.front()});
    return {};
  }
  Value into_third(const Call& call) { return into_last(call); }

  Value sum(const Call& call) {
    Value result;
    for (const auto& thing : memory_in(call)) load(result, thing);
    if (!result.loaded.empty()) result.computed = Work{call.node->range, "std::" + call.name};
    return result;
  }

  const Tree& tree_;
  Host& host_;
  std::map<std::string, std::vector<const Node*>> functions_;  // by last name
  std::map<std::string, const Node*> types_;
  std::map<std::string, std::shared_ptr<Thing>> instances_;
  std::set<std::string> in_making_;  // classes whose members are being made
  std::vector<std::shared_ptr<Thing>> things_;
  std::vector<std::shared_ptr<Variable>> variables_;
  std::set<const Node*> libraries_;
  std::shared_ptr<Scope> globals_;
  std::shared_ptr<Scope> scope_;
  std::shared_ptr<Thing> self_;
  std::vector<const Node*> stack_;
  std::vector<std::optional<Value>> results_;
  unsigned open_branches_ = 0;  // that may not be taken
  unsigned loops_ = 0;
  unsigned unknown_loops_ = 0;
  unsigned depth_ = 0;
  unsigned packs_ = 0;    // functions of a parameter pack that we are in
  bool touched_ = false;  // this root uses the GPU
  double next_enumerator_ = 0;
  const Node* last_enumerator_ = nullptr;
  std::size_t steps_ = 0;
};

}  // namespace

void follow(const Tree& tree, Host& host) { Follower(tree, host).run(); }

}  // namespace msci::host
