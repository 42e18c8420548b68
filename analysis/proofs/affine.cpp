#include "analysis/proofs/affine.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analysis/terms/range.h"

namespace msci::prover {
namespace {

// ---- sums

using Variable = unsigned;
using Parts = llvm::SmallVector<std::pair<Variable, Wide>, 2>;  // by unknown; no factor is 0

// Multiples of unknown integers, and a constant.
struct Sum {
  Parts parts;
  Wide constant = 0;
};

// Larger numbers are not computed with, so that products fit.
constexpr Wide largest = Wide{1} << 96;

class Numbers {
 public:
  bool overflowed = false;

  Wide product(Wide a, Wide b) {
    Wide result = 0;
    if (__builtin_mul_overflow(a, b, &result)) overflowed = true;
    return checked(result);
  }
  Wide checked(Wide value) {
    if (value > largest || value < -largest) overflowed = true;
    return overflowed ? 0 : value;
  }
  // a + factor * b
  Sum sum(const Sum& a, const Sum& b, Wide factor) {
    Sum all{.constant = checked(a.constant + product(b.constant, factor))};
    all.parts.reserve(a.parts.size() + b.parts.size());
    auto x = a.parts.begin(), y = b.parts.begin();
    while (x != a.parts.end() || y != b.parts.end()) {
      if (y == b.parts.end() || (x != a.parts.end() && x->first < y->first)) {
        all.parts.push_back(*x++);
        continue;
      }
      const bool is_in_both = x != a.parts.end() && x->first == y->first;
      const auto value = checked((is_in_both ? x->second : 0) + product(y->second, factor));
      if (value != 0) all.parts.emplace_back(y->first, value);
      if (is_in_both) ++x;
      ++y;
    }
    return all;
  }
  Sum scaled(const Sum& a, Wide factor) { return sum({}, a, factor); }
};

Wide ceiling_divide(Wide a, Wide b) { return -floor_divide(-a, b); }

// A bound that is unknown stays so.
Wide divided_down(Wide a, Wide b) {
  return a <= -unbounded || a >= unbounded ? a : floor_divide(a, b);
}
Wide divided_up(Wide a, Wide b) {
  return a <= -unbounded || a >= unbounded ? a : ceiling_divide(a, b);
}

// The values of x for which factor * x lies in the range.
Range quotients(Range range, Wide factor) {
  if (factor < 0) range = -range, factor = -factor;
  return {divided_up(range.low, factor), divided_down(range.high, factor)};
}

bool is_empty(const Range& range) { return range.low > range.high; }

Range common(const Range& a, const Range& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

// ---- questions

// The number of a formula; ~number is its negation.
using Formula = int;

struct Node {
  enum class Kind { truth, symbol, at_most_zero, zero, all };
  Kind kind = Kind::truth;
  unsigned symbol = 0;
  Sum sum = {};
  std::vector<Formula> parts = {};
};

// How an unknown is made from others.
struct Definition {
  enum class Kind { none, choice, quotient, remainder, application };
  Kind kind = Kind::none;
  Formula condition = 0;  // of a choice
  Sum first, second;      // what it chooses from; what is divided is the first
  Wide divisor = 1;       // positive; quotients are rounded down
  std::string function;   // of an application
  std::vector<Sum> arguments = {};
  Formula fact = 0;  // what holds of it
};

struct Operand {
  bool is_truth = false;
  Sum sum = {};
  Formula truth = 0;
};

constexpr Formula always = 0, never = ~0;

// Reads commands of SMT-LIB.
class Question {
 public:
  Question() { nodes.emplace_back(); }

  // False where it has something that is not known here.
  bool read(std::string_view text) {
    text_ = text;
    while (skip_blanks(), at_ < text_.size())
      if (!read_command() || numbers.overflowed) return false;
    return true;
  }

  const Operand* find(std::string_view name) const {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? nullptr : &found->second;
  }

  std::vector<Node> nodes;
  std::vector<Definition> unknowns;
  unsigned truths = 0;  // how many symbols are unknown truths
  std::vector<Formula> asserted;
  Numbers numbers;

 private:
  // ---- text
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char each) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != each) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    skip_blanks();
    const auto begin = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) &&
           text_[at_] != '(' && text_[at_] != ')')
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool read_command() {
    if (!take('(')) return false;
    const auto command = word();
    if (command == "assert") {
      const auto formula = read_value();
      if (!formula || !formula->is_truth) return false;
      asserted.push_back(formula->truth);
    } else if (command == "declare-fun") {
      if (!read_declaration()) return false;
    } else if (command == "define-fun") {
      const auto name = word();
      if (!take('(') || !take(')')) return false;
      word();
      auto value = read_value();
      if (!value) return false;
      symbols_[name] = *std::move(value);
    } else {
      return false;
    }
    return take(')');
  }

  bool read_declaration() {
    const auto name = word();
    if (!take('(')) return false;
    bool has_parameters = false;
    while (!take(')')) {
      has_parameters = true;
      if (word().empty()) return false;
    }
    const bool is_truth = word() == "Bool";
    if (has_parameters)
      functions_[name] = is_truth;
    else
      symbols_[name] = is_truth ? Operand{.is_truth = true, .truth = new_truth()}
                                : Operand{.sum = single(new_unknown({}))};
    return true;
  }

  std::optional<Operand> read_value() {
    if (!take('(')) return read_word();
    const auto name = word();
    std::vector<Operand> operands;
    while (!take(')')) {
      auto operand = read_value();
      if (!operand) return std::nullopt;
      operands.push_back(*std::move(operand));
    }
    return apply(name, operands);
  }

  std::optional<Operand> read_word() {
    const auto name = word();
    if (name.empty()) return std::nullopt;
    if (std::isdigit(static_cast<unsigned char>(name[0]))) {
      Wide number = 0;
      for (const char digit : name)
        number = numbers.checked(numbers.product(number, 10) + (digit - '0'));
      return Operand{.sum = {.constant = number}};
    }
    if (name == "true" || name == "false")
      return Operand{.is_truth = true, .truth = name == "true" ? always : never};
    const auto* known = find(name);
    return known ? std::optional(*known) : std::nullopt;
  }

  // ---- meaning
  std::optional<Operand> apply(std::string_view name, const std::vector<Operand>& operands) {
    if (const auto function = functions_.find(name); function != functions_.end())
      return apply_function(name, function->second, operands);
    if (operands.empty()) return std::nullopt;
    const auto& first = operands.front();
    if (name == "not" || name == "and" || name == "or" || (name == "=" && first.is_truth) ||
        (name == "ite" && operands.size() == 3 && operands[1].is_truth))
      return of_truths(name, operands);
    if (name == "ite" && operands.size() == 3) return choose(operands);
    if (std::ranges::any_of(operands, &Operand::is_truth)) return std::nullopt;
    if (name == "=" || name == "<" || name == "<=" || name == ">" || name == ">=")
      return compare(name, operands);
    return of_numbers(name, operands);
  }

  std::optional<Operand> of_truths(std::string_view name, const std::vector<Operand>& operands) {
    std::vector<Formula> parts;
    for (const auto& each : operands) {
      if (!each.is_truth) return std::nullopt;
      parts.push_back(each.truth);
    }
    const auto result = [](Formula formula) { return Operand{.is_truth = true, .truth = formula}; };
    if (name == "not") return result(~parts[0]);
    if (name == "and") return result(all(parts));
    if (name == "or") return result(any(parts));
    if (name == "ite") return result(any({all({parts[0], parts[1]}), all({~parts[0], parts[2]})}));
    if (parts.size() != 2) return std::nullopt;
    return result(any({all({parts[0], parts[1]}), all({~parts[0], ~parts[1]})}));
  }

  std::optional<Operand> compare(std::string_view name, const std::vector<Operand>& operands) {
    std::vector<Formula> parts;
    for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
      const bool is_turned = name[0] == '>';
      const auto& low = operands[i + is_turned].sum;
      const auto& high = operands[i + !is_turned].sum;
      auto difference = numbers.sum(low, high, -1);
      if (name.size() == 1 && name != "=") difference.constant += 1;
      parts.push_back(compared(name == "=" ? Node::Kind::zero : Node::Kind::at_most_zero,
                               std::move(difference)));
    }
    return Operand{.is_truth = true, .truth = all(parts)};
  }

  Formula compared(Node::Kind kind, Sum sum) {
    if (sum.parts.empty())
      return (kind == Node::Kind::zero ? sum.constant == 0 : sum.constant <= 0) ? always : never;
    nodes.push_back({.kind = kind, .sum = std::move(sum)});
    return static_cast<Formula>(nodes.size() - 1);
  }

  std::optional<Operand> of_numbers(std::string_view name, const std::vector<Operand>& operands) {
    auto result = operands.front().sum;
    if (name == "-" && operands.size() == 1) return Operand{.sum = numbers.scaled(result, -1)};
    if (name == "div" || name == "mod") {
      const auto* by = operands.size() == 2 ? &operands[1].sum : nullptr;
      if (!by || !by->parts.empty() || by->constant <= 0) return std::nullopt;
      const auto [quotient, remainder] = divide(result, by->constant);
      return Operand{.sum = name == "div" ? quotient : remainder};
    }
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const auto& next = operands[i].sum;
      if (name == "+")
        result = numbers.sum(result, next, 1);
      else if (name == "-")
        result = numbers.sum(result, next, -1);
      else if (name == "*" && next.parts.empty())
        result = numbers.scaled(result, next.constant);
      else if (name == "*" && result.parts.empty())
        result = numbers.scaled(next, result.constant);
      else
        return std::nullopt;
    }
    return Operand{.sum = std::move(result)};
  }

  std::pair<Sum, Sum> divide(const Sum& sum, Wide by) {
    if (by == 1) return {sum, {}};
    if (sum.parts.empty()) {
      const auto quotient = floor_divide(sum.constant, by);
      return {{.constant = quotient}, {.constant = sum.constant - quotient * by}};
    }
    auto& [quotient, remainder] = quotients_[key_of(sum, by)];
    if (quotient.parts.empty()) {
      Definition made{.kind = Definition::Kind::quotient, .first = sum, .divisor = by};
      quotient = single(new_unknown(made));
      made.kind = Definition::Kind::remainder;
      remainder = single(new_unknown(made));
      auto below = remainder;
      below.constant = 1 - by;
      const auto fact = all({compared(Node::Kind::at_most_zero, numbers.scaled(remainder, -1)),
                             compared(Node::Kind::at_most_zero, below),
                             compared(Node::Kind::zero, numbers.sum(numbers.sum(sum, quotient, -by),
                                                                    remainder, -1))});
      for (const auto& each : {quotient, remainder}) unknowns[each.parts.front().first].fact = fact;
    }
    return {quotient, remainder};
  }

  std::optional<Operand> choose(const std::vector<Operand>& operands) {
    const auto& [condition, first, second] = std::tie(operands[0], operands[1], operands[2]);
    if (!condition.is_truth || first.is_truth || second.is_truth) return std::nullopt;
    const auto made = new_unknown({.kind = Definition::Kind::choice,
                                   .condition = condition.truth,
                                   .first = first.sum,
                                   .second = second.sum});
    const auto is = [&](const Sum& sum) {
      return compared(Node::Kind::zero, numbers.sum(single(made), sum, -1));
    };
    unknowns[made].fact =
        any({all({condition.truth, is(first.sum)}), all({~condition.truth, is(second.sum)})});
    return Operand{.sum = single(made)};
  }

  std::optional<Operand> apply_function(std::string_view name, bool is_truth,
                                        const std::vector<Operand>& operands) {
    Definition made{.kind = Definition::Kind::application, .function = std::string(name)};
    std::string key(name);
    for (const auto& each : operands) {
      if (each.is_truth) return std::nullopt;
      key += key_of(each.sum, 0);
      made.arguments.push_back(each.sum);
    }
    const auto [known, is_new] = applications_.try_emplace(key);
    if (is_new) {
      if (is_truth) {  // a truth is a number that is 1
        made.function += '?';
      }
      known->second = new_unknown(std::move(made));
    }
    if (!is_truth) return Operand{.sum = single(known->second)};
    auto not_one = single(known->second);
    not_one.constant = -1;
    return Operand{.is_truth = true, .truth = compared(Node::Kind::zero, std::move(not_one))};
  }

  static std::string key_of(const Sum& sum, Wide by) {
    std::string key;
    const auto add = [&](Wide value) {
      key.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    add(by);
    add(sum.constant);
    for (const auto& [unknown, factor] : sum.parts) add(unknown), add(factor);
    return key;
  }

  static Sum single(Variable unknown) { return {.parts = {{unknown, 1}}}; }
  Variable new_unknown(Definition definition) {
    unknowns.push_back(std::move(definition));
    return static_cast<Variable>(unknowns.size() - 1);
  }
  Formula new_truth() {
    nodes.push_back({.kind = Node::Kind::symbol, .symbol = truths++});
    return static_cast<Formula>(nodes.size() - 1);
  }
  Formula all(const std::vector<Formula>& parts) {
    Node node{.kind = Node::Kind::all};
    for (const auto each : parts) {
      if (each == never) return never;
      if (each == always) continue;
      if (each > 0 && nodes[static_cast<std::size_t>(each)].kind == Node::Kind::all) {
        const auto& inner = nodes[static_cast<std::size_t>(each)].parts;
        node.parts.insert(node.parts.end(), inner.begin(), inner.end());
      } else {
        node.parts.push_back(each);
      }
    }
    if (node.parts.empty()) return always;
    if (node.parts.size() == 1) return node.parts.front();
    nodes.push_back(std::move(node));
    return static_cast<Formula>(nodes.size() - 1);
  }
  Formula any(std::vector<Formula> parts) {
    for (auto& each : parts) each = ~each;
    return ~all(parts);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::unordered_map<std::string_view, Operand> symbols_;
  std::unordered_map<std::string_view, bool> functions_;  // whether they give truths
  std::map<std::string, std::pair<Sum, Sum>> quotients_;  // with their remainders
  std::map<std::string, Variable> applications_;
};

// ---- answers

// What is known on one way through the choices.
struct State {
  std::vector<Range> ranges;         // by unknown
  std::vector<bool> is_used;         // whether the fact of its definition is here
  std::map<Variable, Sum> replaced;  // by sums of others
  std::map<Parts, Range> sums;       // of several unknowns; the first factor is positive
  std::vector<Sum> not_zero;
  std::vector<std::optional<bool>> truths;
  std::vector<Formula> open;  // one part of each must be false
  bool is_impossible = false, has_changed = false;
};

class Solver {
 public:
  explicit Solver(Question& question) : question_(question) {}

  Answer run() {
    State state;
    state.ranges.resize(question_.unknowns.size());
    state.is_used.resize(question_.unknowns.size());
    state.truths.resize(question_.truths);
    for (const auto each : question_.asserted) require(state, each);
    if (refute(std::move(state))) return Answer::impossible;
    return has_model_ ? Answer::possible : Answer::undecided;
  }

  // About ten nanoseconds each.
  unsigned work() const { return work_; }

  std::int64_t value_of(const Operand& value) const {
    if (value.is_truth) return is_true(value.truth);
    using Limits = std::numeric_limits<std::int64_t>;
    return static_cast<std::int64_t>(
        std::clamp(evaluated(value.sum), Wide{Limits::min()}, Wide{Limits::max()}));
  }

 private:
  static constexpr unsigned most_work = 50'000;

  const Node& node_of(Formula formula) const {
    return question_.nodes[static_cast<std::size_t>(formula < 0 ? ~formula : formula)];
  }
  bool has_given_up() const { return work_ > most_work || question_.numbers.overflowed; }

  // Whether no values make it possible; otherwise has_model_ says whether some do.
  bool refute(State state) {
    if (!settle(state)) return !has_given_up();
    if (has_given_up()) return false;
    if (state.open.empty()) return !find_model(state) && refute_by_cases(state);
    const auto last = state.open.back();
    state.open.pop_back();
    return std::ranges::all_of(node_of(last).parts, [&](auto part) {
      auto next = state;
      require(next, ~part);
      return refute(std::move(next));
    });
  }

  // Where ranges alone say too little: the few values of a part of a sum, or both signs.
  bool refute_by_cases(const State& state) {
    constexpr Wide most_cases = 4;
    for (const auto& [parts, range] : state.sums)
      for (const auto& each : parts) {
        const auto [low, high, modulus] = parts_by({.parts = parts}, each.second);
        if (modulus == 1 || low.parts.empty()) continue;
        const auto values = common(quotients(range - range_of(state, low), modulus),
                                   quotients(range_of(state, high), modulus));
        if (values.is_one() || values.high - values.low >= most_cases) continue;
        return refute_each(state, high, modulus, values);
      }
    if (state.not_zero.empty()) return false;
    const auto& sum = state.not_zero.front();
    return std::ranges::all_of(std::array{Range{-unbounded, -1}, Range{1, unbounded}},
                               [&](const Range& range) {
                                 auto next = state;
                                 require_range(next, reduced(state, sum), range);
                                 return refute(std::move(next));
                               });
  }

  bool refute_each(const State& state, const Sum& high, Wide modulus, const Range& values) {
    for (auto value = values.low; value <= values.high; ++value) {
      auto next = state;
      require_range(next, high, Range::of(value * modulus));
      if (!refute(std::move(next))) return false;
    }
    return true;
  }

  // Draws conclusions; false where it is impossible.
  bool settle(State& state) {
    do {
      state.has_changed = false;
      tighten(state);
      if (!state.is_impossible) look_at_choices(state);
    } while (state.has_changed && !state.is_impossible && !has_given_up());
    return !state.is_impossible;
  }

  void look_at_choices(State& state) {
    const auto open = std::exchange(state.open, {});
    for (const auto formula : open) {
      Formula left = never;  // the part that may be false
      bool is_decided = false, has_several = false;
      for (const auto part : node_of(formula).parts) {
        const auto known = truth_of(state, part);
        if (known == true) continue;
        is_decided = is_decided || known == false;
        has_several = left != never;
        left = part;
        if (is_decided || has_several) break;
      }
      if (is_decided) continue;
      if (left == never)
        state.is_impossible = true;
      else if (has_several)
        state.open.push_back(formula);
      else
        require(state, ~left), state.has_changed = true;
      if (state.is_impossible) return;
    }
  }

  std::optional<bool> truth_of(const State& state, Formula formula) {
    ++work_;
    const auto& node = node_of(formula);
    std::optional<bool> known;
    switch (node.kind) {
      case Node::Kind::truth:
        known = true;
        break;
      case Node::Kind::symbol:
        known = state.truths[node.symbol];
        break;
      case Node::Kind::at_most_zero: {
        const auto range = range_of(state, reduced(state, node.sum));
        if (range.high <= 0) known = true;
        if (range.low > 0) known = false;
        break;
      }
      case Node::Kind::zero: {
        const auto range = range_of(state, reduced(state, node.sum));
        if (range == Range::of(0)) known = true;
        if (range.low > 0 || range.high < 0) known = false;
        break;
      }
      case Node::Kind::all:
        known = true;
        for (const auto part : node.parts) {
          const auto each = truth_of(state, part);
          if (each == false) {
            known = false;
            break;
          }
          if (!each) known.reset();
        }
        break;
    }
    if (formula < 0 && known) known = !*known;
    return known;
  }

  void require(State& state, Formula formula) {
    ++work_;
    const auto& node = node_of(formula);
    const bool holds = formula >= 0;
    switch (node.kind) {
      case Node::Kind::truth:
        state.is_impossible = state.is_impossible || !holds;
        return;
      case Node::Kind::symbol: {
        auto& known = state.truths[node.symbol];
        if (known && *known != holds) state.is_impossible = true;
        known = holds;
        return;
      }
      case Node::Kind::at_most_zero:
        use(state, node.sum);
        return require_range(state, reduced(state, node.sum),
                             holds ? Range{-unbounded, 0} : Range{1, unbounded});
      case Node::Kind::zero:
        use(state, node.sum);
        if (holds) return require_range(state, reduced(state, node.sum), Range::of(0));
        state.not_zero.push_back(node.sum);
        state.has_changed = true;
        return;
      case Node::Kind::all:
        if (!holds)
          state.open.push_back(formula);
        else
          for (const auto part : node.parts) require(state, part);
        return;
    }
  }

  // Brings in what holds of the unknowns by their definitions.
  void use(State& state, const Sum& sum) {
    for (const auto& [unknown, factor] : sum.parts) {
      if (state.is_used[unknown]) continue;
      state.is_used[unknown] = true;
      if (question_.unknowns[unknown].kind != Definition::Kind::none)
        require(state, question_.unknowns[unknown].fact);
    }
  }

  Sum reduced(const State& state, const Sum& sum) {
    work_ += static_cast<unsigned>(sum.parts.size());
    if (std::ranges::none_of(sum.parts,
                             [&](const auto& each) { return state.replaced.contains(each.first); }))
      return sum;
    Sum all{.constant = sum.constant};
    for (const auto& [unknown, factor] : sum.parts) {
      const auto found = state.replaced.find(unknown);
      all = question_.numbers.sum(
          all, found == state.replaced.end() ? Sum{.parts = {{unknown, 1}}} : found->second,
          factor);
    }
    return all;
  }

  // ---- ranges
  Range range_of(const State& state, Variable unknown, unsigned depth = 0) {
    constexpr unsigned deepest = 6;
    const auto& range = state.ranges[unknown];
    const auto& made = question_.unknowns[unknown];
    if (state.is_used[unknown] || depth == deepest) return range;
    if (made.kind == Definition::Kind::choice) {
      const auto known = truth_of(state, made.condition);
      const auto first = range_of(state, made.first, depth + 1),
                 second = range_of(state, made.second, depth + 1);
      return common(range, !known ? first.joined(second) : *known ? first : second);
    }
    if (made.kind == Definition::Kind::quotient) {
      const auto whole = range_of(state, made.first, depth + 1);
      return common(
          range, {divided_down(whole.low, made.divisor), divided_down(whole.high, made.divisor)});
    }
    if (made.kind == Definition::Kind::remainder) return common(range, {0, made.divisor - 1});
    return range;
  }

  Range range_of(const State& state, const Sum& sum, unsigned depth = 0) {
    auto range = Range::of(sum.constant);
    for (const auto& [unknown, factor] : sum.parts) {
      ++work_;
      range = range + range_of(state, unknown, depth) * Range::of(factor);
    }
    if (sum.parts.size() < 2 || state.sums.empty()) return range;
    // What is known of the sum as a whole.
    const bool is_turned = sum.parts.front().second < 0;
    auto parts = sum.parts;
    if (is_turned)
      for (auto& each : parts) each.second = -each.second;
    const auto found = state.sums.find(parts);
    if (found == state.sums.end()) return range;
    const auto known = is_turned ? -found->second : found->second;
    return common(range, known + Range::of(sum.constant));
  }

  // The sum, which is reduced, lies in the range.
  void require_range(State& state, Sum sum, Range range) {
    ++work_;
    range = range - Range::of(sum.constant);
    sum.constant = 0;
    if (sum.parts.empty()) {
      state.is_impossible = state.is_impossible || range.low > 0 || range.high < 0;
      return;
    }
    Wide divisor = 0;
    for (const auto& each : sum.parts) divisor = common_divisor(divisor, each.second);
    if (sum.parts.front().second < 0) divisor = -divisor;
    for (auto& each : sum.parts) each.second /= divisor;
    range = quotients(range, divisor);
    if (sum.parts.size() == 1) return limit(state, sum.parts.front().first, range);
    const auto possible = range_of(state, sum);
    const auto both = common(possible, range);
    if (is_empty(both)) {
      state.is_impossible = true;
      return;
    }
    if (possible.is_within(range)) return;
    if (both.is_one()) {
      sum.constant = -both.low;
      return equate(state, sum);
    }
    auto& known = state.sums.try_emplace(sum.parts).first->second;
    known = common(known, range);
    state.has_changed = true;
  }

  static Wide common_divisor(Wide a, Wide b) {
    if (b < 0) b = -b;
    while (b != 0) a = std::exchange(b, a % b);
    return a;
  }

  void limit(State& state, Variable unknown, const Range& range) {
    auto& known = state.ranges[unknown];
    const auto both = common(known, range);
    if (is_empty(both)) state.is_impossible = true;
    if (both == known || state.is_impossible) return;
    known = both;
    state.has_changed = true;
    if (both.is_one()) replace(state, unknown, {.constant = both.low});
  }

  // The sum, which is not 0 for ever, is 0.
  void equate(State& state, const Sum& sum) {
    if (split(state, sum)) return;
    std::optional<std::pair<Variable, Wide>> best;
    for (const auto& each : sum.parts) {
      if (each.second != 1 && each.second != -1) continue;
      if (!best || is_wider(state.ranges[each.first], state.ranges[best->first])) best = each;
    }
    if (!best) {
      auto& known = state.sums.try_emplace(sum.parts).first->second;
      const auto value = Range::of(-sum.constant);
      if (known == value) return;
      known = value;
      state.has_changed = true;
      return;
    }
    const auto [unknown, factor] = *best;
    auto others = sum;
    llvm::erase_if(others.parts, [&](const auto& each) { return each.first == unknown; });
    others = question_.numbers.scaled(others, -factor);
    const auto range = state.ranges[unknown];
    replace(state, unknown, others);
    require_range(state, reduced(state, others), range);
  }

  static bool is_wider(const Range& a, const Range& b) { return a.high - a.low > b.high - b.low; }

  struct Parted {
    Sum low, high;  // the latter: the multiples of the modulus
    Wide modulus = 1;
  };
  static Parted parts_by(const Sum& sum, Wide factor) {
    Parted parted{.modulus = factor < 0 ? -factor : factor};
    parted.low.constant = sum.constant;
    for (const auto& each : sum.parts)
      (each.second % parted.modulus == 0 ? parted.high : parted.low).parts.push_back(each);
    return parted;
  }

  // A sum that is 0 and whose lower part is too small to reach the others: both are 0.
  bool split(State& state, const Sum& sum) {
    for (const auto& each : sum.parts) {
      const auto [low, high, modulus] = parts_by(sum, each.second);
      if (modulus == 1 || low.parts.empty()) continue;
      const auto range = range_of(state, low);
      if (!range.is_bounded()) continue;
      const auto least = ceiling_divide(range.low, modulus);
      const auto last = floor_divide(range.high, modulus);
      if (least > last) state.is_impossible = true;
      if (least != last) continue;
      const auto value = question_.numbers.product(least, modulus);
      require_range(state, low, Range::of(value));
      if (!state.is_impossible) require_range(state, reduced(state, high), Range::of(-value));
      return true;
    }
    return state.is_impossible;
  }

  void replace(State& state, Variable unknown, const Sum& by) {
    state.has_changed = true;
    const auto rewrite = [&](Sum& sum) {
      for (const auto& [each, factor] : sum.parts)
        if (each == unknown) {
          const auto times = factor;
          llvm::erase_if(sum.parts, [&](const auto& part) { return part.first == unknown; });
          sum = question_.numbers.sum(sum, by, times);
          work_ += static_cast<unsigned>(sum.parts.size());
          return true;
        }
      return false;
    };
    for (auto& [each, sum] : state.replaced) rewrite(sum);
    state.replaced[unknown] = by;
    std::vector<std::pair<Sum, Range>> changed;
    for (auto each = state.sums.begin(); each != state.sums.end();) {
      Sum sum{.parts = each->first};
      if (!rewrite(sum)) {
        ++each;
        continue;
      }
      changed.emplace_back(std::move(sum), each->second);
      each = state.sums.erase(each);
    }
    for (auto& [sum, range] : changed)
      if (!state.is_impossible) require_range(state, reduced(state, sum), range);
  }

  // What follows for unknowns and for parts of sums.
  void tighten(State& state) {
    for (unsigned round = 0; round < most_rounds && !state.is_impossible; ++round) {
      const auto before = std::exchange(state.has_changed, false);
      look_at_differences(state);
      const auto sums = state.sums;  // they change
      for (const auto& [parts, range] : sums) {
        if (state.is_impossible || has_given_up()) return;
        const Sum sum{.parts = parts};
        // One that was replaced since has another form now.
        if (std::ranges::any_of(
                parts, [&](const auto& each) { return state.replaced.contains(each.first); }))
          continue;
        tighten(state, sum, range);
      }
      const bool is_done = !state.has_changed;
      state.has_changed = state.has_changed || before;
      if (is_done) return;
    }
  }
  static constexpr unsigned most_rounds = 8;

  void tighten(State& state, const Sum& sum, const Range& range) {
    if (range.is_one()) {
      auto zero = sum;
      zero.constant = -range.low;
      if (split(state, zero)) {
        state.sums.erase(sum.parts);
        return;
      }
    }
    const auto whole = range_of(state, sum);
    if (is_empty(whole)) {
      state.is_impossible = true;
      return;
    }
    for (const auto& [unknown, factor] : sum.parts) {
      work_ += static_cast<unsigned>(sum.parts.size());
      auto others = Range::of(0);
      for (const auto& each : sum.parts)
        if (each.first != unknown)
          others = others + range_of(state, each.first) * Range::of(each.second);
      limit(state, unknown, quotients(range - others, factor));
      if (state.is_impossible || state.replaced.contains(unknown)) return;
    }
    tighten_high(state, sum, range);
  }

  // The multiples of a large factor in a sum that lies in a range.
  void tighten_high(State& state, const Sum& sum, const Range& range) {
    for (const auto& each : sum.parts) {
      const auto [low, high, modulus] = parts_by(sum, each.second);
      if (modulus == 1 || low.parts.empty() || high.parts.size() < 2) continue;
      const auto rest = range_of(state, low);
      const auto of_high = quotients(range - rest, modulus);
      if (range_of(state, high)
              .is_within({multiplied(of_high.low, modulus), multiplied(of_high.high, modulus)}))
        continue;
      require_range(state, high,
                    {multiplied(of_high.low, modulus), multiplied(of_high.high, modulus)});
      return;
    }
  }

  void look_at_differences(State& state) {
    std::vector<Sum> left;
    for (const auto& each : std::exchange(state.not_zero, {})) {
      const auto sum = reduced(state, each);
      const auto range = range_of(state, sum);
      if (range == Range::of(0)) {
        state.is_impossible = true;
        return;
      }
      if (range.low > 0 || range.high < 0) continue;
      left.push_back(sum);
      if (range.low == 0 || range.high == 0)
        require_range(state, sum, range.low == 0 ? Range{1, unbounded} : Range{-unbounded, -1});
    }
    state.not_zero = std::move(left);
  }

  // ---- models

  // Chooses values for what is left, the least first, and looks whether they make all true. What is
  // made from other unknowns comes last.
  bool find_model(State state) {
    for (const bool is_made : {false, true})
      for (Variable each = 0; each < state.ranges.size(); ++each) {
        const auto kind = question_.unknowns[each].kind;
        const bool is_free =
            kind == Definition::Kind::none || kind == Definition::Kind::application;
        if (is_free == is_made || (is_made && !state.is_used[each])) continue;
        if (!state.replaced.contains(each) && !choose_value(state, each)) return false;
      }
    values_.assign(state.ranges.size(), 0);
    state_truths_ = state.truths;
    for (Variable each = 0; each < state.ranges.size(); ++each) {
      const auto& made = question_.unknowns[each];
      if (made.kind == Definition::Kind::choice)
        values_[each] = evaluated(is_true(made.condition) ? made.first : made.second);
      else if (made.kind == Definition::Kind::quotient)
        values_[each] = floor_divide(evaluated(made.first), made.divisor);
      else if (made.kind == Definition::Kind::remainder)
        values_[each] = evaluated(made.first) -
                        made.divisor * floor_divide(evaluated(made.first), made.divisor);
      else if (const auto found = state.replaced.find(each); found != state.replaced.end())
        values_[each] = found->second.constant;
    }
    has_model_ =
        std::ranges::all_of(question_.asserted, [&](auto each) { return is_true(each); }) &&
        are_functions() && !has_given_up();
    return has_model_;
  }

  bool choose_value(State& state, Variable unknown) {
    const auto range = state.ranges[unknown];
    const auto low = range.low > -unbounded ? range.low : std::min(Wide{0}, range.high);
    for (const auto value : {low, range.high < unbounded ? range.high : low + 1}) {
      auto next = state;
      limit(next, unknown, Range::of(value));
      if (next.is_impossible || !settle(next)) continue;
      state = std::move(next);
      return !has_given_up();
    }
    return false;
  }

  Wide evaluated(const Sum& sum) const {
    auto value = sum.constant;
    for (const auto& [unknown, factor] : sum.parts)
      value += question_.numbers.product(values_[unknown], factor);
    return value;
  }

  bool is_true(Formula formula) const {
    const auto& node = node_of(formula);
    bool is = true;
    switch (node.kind) {
      case Node::Kind::truth:
        break;
      case Node::Kind::symbol:
        is = state_truths_[node.symbol].value_or(false);
        break;
      case Node::Kind::at_most_zero:
        is = evaluated(node.sum) <= 0;
        break;
      case Node::Kind::zero:
        is = evaluated(node.sum) == 0;
        break;
      case Node::Kind::all:
        is = std::ranges::all_of(node.parts, [&](auto each) { return is_true(each); });
        break;
    }
    return is == (formula >= 0);
  }

  // Whether functions have one value for one argument.
  bool are_functions() const {
    std::map<std::pair<std::string_view, std::vector<Wide>>, Wide> known;
    for (Variable each = 0; each < values_.size(); ++each) {
      const auto& made = question_.unknowns[each];
      if (made.kind != Definition::Kind::application) continue;
      std::vector<Wide> arguments;
      for (const auto& argument : made.arguments) arguments.push_back(evaluated(argument));
      const auto [found, is_new] =
          known.try_emplace({made.function, std::move(arguments)}, values_[each]);
      if (!is_new && found->second != values_[each]) return false;
    }
    return true;
  }

  Question& question_;
  unsigned work_ = 0;
  bool has_model_ = false;
  std::vector<Wide> values_;
  std::vector<std::optional<bool>> state_truths_;
};

}  // namespace

AffineAnswer solve_affine(std::string_view commands, const std::vector<std::string>& asked) {
  constexpr std::uint64_t characters_per_step = 64, work_per_step = 8;
  AffineAnswer result{.steps = commands.size() / characters_per_step};
  Question question;
  if (!question.read(commands)) return result;
  Solver solver(question);
  const auto answer = solver.run();
  result.steps += solver.work() / work_per_step;
  Solution solution{.answer = answer};
  if (answer == Answer::possible)
    for (const auto& name : asked) {
      const auto* value = question.find(name);
      if (!value) return result;
      solution.values[name] = solver.value_of(*value);
    }
  result.solution = std::move(solution);
  return result;
}

}  // namespace msci::prover
