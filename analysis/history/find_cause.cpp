#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "analysis/history/history.h"

namespace msci::history {
namespace {

using Number = History::Number;

constexpr std::size_t most_lines = 3;
constexpr double rounding = 5e-6;  // relative, of right values that are computed in another way

// The values of a right kernel that one element may be made of.
class RightValues {
 public:
  RightValues(const History& right, const std::set<Number>& past, unsigned thread) {
    for (Number i = 0; i < static_cast<Number>(right.values().size()); ++i)
      if (right[i].thread == thread || past.contains(i)) add(right.node_of(i), right, i);
    std::ranges::sort(reals_);
  }

  // Whether one of them is that value. Small integers, 0 and 1 are everywhere.
  bool have(const History& of, Number value) const {
    const auto size = std::abs(of.number(value));
    if (!of.node_of(value).is_real) return size <= 64 || integers_.contains(of[value].bits);
    if (size == 0 || size == 1) return true;
    if (std::isnan(size)) return has_nan_;
    if (std::isinf(size)) return has_infinity_;
    const auto near = std::ranges::lower_bound(reals_, size * (1 - rounding));
    return near != reals_.end() && *near <= size * (1 + rounding);
  }

 private:
  void add(const Node& node, const History& right, Number value) {
    if (node.kind == Node::Kind::address) return;
    if (!node.is_real) {
      integers_.insert(right[value].bits);
      return;
    }
    const auto size = std::abs(right.number(value));
    has_nan_ |= std::isnan(size);
    has_infinity_ |= std::isinf(size);
    if (std::isfinite(size)) reals_.push_back(size);
  }

  std::vector<double> reals_;
  std::unordered_set<std::uint64_t> integers_;
  bool has_nan_ = false, has_infinity_ = false;
};

// An element of a buffer that the launch finds there.
using Source = std::pair<unsigned, std::size_t>;  // argument, byte

std::map<Source, Number> sources_in(const History& history, const std::set<Number>& past) {
  std::map<Source, Number> sources;
  for (const auto each : past)
    if (history.node_of(each).kind == Node::Kind::load && history.from(each).empty())
      if (const auto argument = history.buffer_of(each))
        sources.emplace(Source{*argument, history.byte_of(each)}, each);
  return sources;
}

class CauseFinder {
 public:
  CauseFinder(const History& wrong, const History& right, const Element& element,
              bool has_same_threads)
      : wrong_(wrong), right_(right), element_(element), has_same_threads_(has_same_threads) {}

  std::optional<Cause> run() {
    const auto stored = wrong_.store_to(element_.argument, element_.byte);
    const auto expected = right_.store_to(element_.right_argument, element_.byte);
    if (stored && expected) return compare(*stored, *expected);
    if (expected) return why_missing(*expected);
    return stored ? why_stored(*stored) : std::nullopt;
  }

 private:
  // ---- both store it

  std::optional<Cause> compare(Number stored, Number expected) const {
    const auto past = wrong_.past_of(stored), right_past = right_.past_of(expected);
    const RightValues known(right_, right_past, right_[expected].thread);
    const auto sources = sources_in(wrong_, past), right_sources = sources_in(right_, right_past);
    if (auto cause = why_early(stored, right_past)) return cause;
    if (auto cause = why_copied(stored, expected)) return cause;
    if (auto cause = other_sources(sources, right_sources)) return cause;
    const auto missing = missing_sources(sources, right_sources);
    if (!missing.empty()) return why_unused(missing, sources, stored, known);
    auto cause = first_differences(stored, known);
    if (cause) cause->is_computation = true;
    return cause;
  }

  // The value that stores, loads and choices pass on.
  Number computed(Number value) const {
    while (passes_on(value) ||
           (wrong_.node_of(value).kind == Node::Kind::chosen && !wrong_.from(value).empty()))
      value = wrong_.from(value).front();
    return value;
  }

  // The right kernel makes its result of this very value. Selections of elements are left out: they
  // have the value of what they select.
  std::optional<Cause> why_early(Number stored, const std::set<Number>& right_past) const {
    const auto value = computed(stored);
    const auto& node = wrong_.node_of(value);
    const auto size = std::abs(wrong_.number(value));
    if (node.kind != Node::Kind::value || !node.is_real || size == 0 || size == 1)
      return std::nullopt;
    bool is_step = false;
    for (const auto each : right_past) {
      if (right_[each].bits != wrong_[value].bits || !right_.node_of(each).is_real) continue;
      if (right_.node_of(each).kind == Node::Kind::load && right_.from(each).empty())
        return std::nullopt;
      is_step |= right_.node_of(each).kind == Node::Kind::value;
    }
    if (!is_step) return std::nullopt;
    auto lines = loop_lines({value});
    if (lines.empty()) add_line(lines, node.line);
    if (lines.empty() || lines.size() > most_lines) return std::nullopt;
    return Cause{lines,
                 "the task's own kernel computes this value, too, but stores what it makes of "
                 "it in further steps",
                 true};
  }

  // An element that the launch finds there, without a change: it is passed on by stores, loads and
  // choices alone.
  static std::optional<Number> copied(const History& history, Number stored) {
    auto value = stored;
    const auto passes = [&](Node::Kind kind) {
      return kind == Node::Kind::store || kind == Node::Kind::load || kind == Node::Kind::chosen;
    };
    while (passes(history.node_of(value).kind) && !history.from(value).empty())
      value = history.from(value).front();
    const bool is_element = history.node_of(value).kind == Node::Kind::load &&
                            history.from(value).empty() && history.buffer_of(value);
    return is_element ? std::optional(value) : std::nullopt;
  }

  // The right kernel computes what this one only copies: a condition may have chosen that.
  std::optional<Cause> why_copied(Number stored, Number expected) const {
    const auto element = copied(wrong_, stored);
    if (!element || copied(right_, expected)) return std::nullopt;
    const auto what = name({*wrong_.buffer_of(*element), wrong_.byte_of(*element)});
    const auto cause = [&](Number at) {
      return Cause{{wrong_.node_of(at).line},
                   fmt::format("it is {} as it was, since this condition chooses that; the task's "
                               "own kernel computes it",
                               what)};
    };
    for (auto value = stored; value != *element; value = wrong_.from(value).front())
      if (wrong_[value].decided_by != none_ && wrong_.node_of(value).line != 0) return cause(value);
    for (Number i = stored; i-- > 0;)
      if (wrong_[i].thread == wrong_[stored].thread && chooses_a_store(i)) return cause(i);
    return std::nullopt;
  }

  // Whether both ways lead to stores of the element's buffer, and it does not end a loop.
  bool chooses_a_store(Number value) const {
    const auto& node = wrong_.node_of(value);
    if (node.kind != Node::Kind::branch || node.line == 0) return false;
    const auto& loops = wrong_.kernel().loops;
    const bool is_of_loop =
        node.loop >= 0 && loops[static_cast<std::size_t>(node.loop)].line == node.line;
    return !is_of_loop && stores_ahead(wrong_, value, true, element_.argument) &&
           stores_ahead(wrong_, value, false, element_.argument);
  }

  // Of the conditions that end the loops around values.
  std::vector<unsigned> loop_lines(const std::vector<Number>& values) const {
    std::vector<unsigned> lines;
    const auto& loops = wrong_.kernel().loops;
    for (const auto value : values)
      for (auto loop = wrong_.node_of(value).loop; loop >= 0;
           loop = loops[static_cast<std::size_t>(loop)].outer)
        add_line(lines, loops[static_cast<std::size_t>(loop)].line);
    return lines;
  }

  std::string name(const Source& source) const {
    const auto& [argument, byte] = source;
    if (argument >= element_.buffers.size()) return "a buffer";
    return fmt::format("{}[{}]", element_.buffers[argument],
                       byte / std::max<std::size_t>(element_.element_bytes[argument], 1));
  }

  // Elements that the right kernel does not use.
  std::optional<Cause> other_sources(const std::map<Source, Number>& sources,
                                     const std::map<Source, Number>& right_sources) const {
    std::vector<unsigned> lines;
    std::optional<Source> first;
    for (const auto& [source, load] : sources) {
      if (right_sources.contains(source)) continue;
      if (!first) first = source;
      add_line(lines, wrong_.node_of(load).line);
    }
    if (!first || lines.empty() || lines.size() > most_lines) return std::nullopt;
    return Cause{lines, fmt::format("it is computed from {}, which the task's own kernel does not "
                                    "use for this element",
                                    name(*first))};
  }

  static std::vector<Source> missing_sources(const std::map<Source, Number>& sources,
                                             const std::map<Source, Number>& right_sources) {
    std::vector<Source> missing;
    for (const auto& [source, load] : right_sources)
      if (!sources.contains(source)) missing.push_back(source);
    return missing;
  }

  // Elements that only the right kernel uses: a condition leaves them out, or a loop ends early.
  Cause why_unused(const std::vector<Source>& missing, const std::map<Source, Number>& sources,
                   Number stored, const RightValues& known) const {
    const auto words = fmt::format(
        "it depends on {}{} in the task's own kernel only", name(missing.front()),
        missing.size() > 1 ? fmt::format(" and {} more elements", missing.size() - 1) : "");
    for (const auto& source : missing)
      if (const auto line = condition_on(source, wrong_[stored].thread))
        return Cause{{*line}, words + "; this condition leaves it out"};
    std::vector<Number> loads;
    for (const auto& [source, load] : sources)
      if (std::ranges::find(missing, source.first, &Source::first) != missing.end())
        loads.push_back(load);
    auto lines = loop_lines(loads);
    if (!lines.empty() && lines.size() <= most_lines)
      return {lines, words + "; this loop does not reach it"};
    const auto computed = lines.empty() ? first_differences(stored, known) : std::nullopt;
    return {computed ? computed->lines : std::vector<unsigned>(), words};
  }

  // The line of the first condition of a thread that depends on a loaded element.
  std::optional<unsigned> condition_on(const Source& source, unsigned thread) const {
    std::vector<bool> depends(wrong_.values().size());
    for (Number i = 0; i < static_cast<Number>(depends.size()); ++i) {
      const auto& node = wrong_.node_of(i);
      const auto is_set = [&](Number each) {
        return each >= 0 && depends[static_cast<std::size_t>(each)];
      };
      const bool decides =
          wrong_[i].thread == thread &&
          (node.kind == Node::Kind::branch ? std::ranges::any_of(wrong_.from(i), is_set)
                                           : is_set(wrong_[i].decided_by));
      if (decides && node.line != 0) return node.line;
      depends[static_cast<std::size_t>(i)] =
          std::ranges::any_of(wrong_.from(i), is_set) ||
          (node.kind == Node::Kind::load && wrong_.buffer_of(i) == source.first &&
           wrong_.byte_of(i) == source.second);
    }
    return std::nullopt;
  }

  // The values with which a wrong one begins: they are not among the right ones, but all that they
  // are computed from is.
  std::optional<Cause> first_differences(Number root, const RightValues& known) const {
    std::vector<unsigned> lines, lines_before;
    std::set<Number> seen{root};
    std::vector<Number> open{root};
    while (!open.empty()) {
      const auto value = open.back();
      open.pop_back();
      bool is_first = true;
      for (const auto from : wrong_.from(value)) {
        if (!passes_on(value) && !is_truth(from) && known.have(wrong_, from)) continue;
        is_first = false;
        if (seen.insert(from).second) open.push_back(from);
      }
      if (!is_first || is_truth(value)) continue;
      const auto idle = operation_without_effect(value);
      add_line(lines, wrong_.node_of(idle.value_or(value)).line);
      if (idle) continue;
      for (const auto from : wrong_.from(value)) add_line(lines_before, wrong_.node_of(from).line);
    }
    if (lines.empty() || lines.size() > most_lines) return std::nullopt;
    std::string words = "the task's own kernel does not compute this value";
    std::erase(lines_before, lines.front());
    if (lines.size() == 1 && !lines_before.empty() && lines_before.size() <= most_lines) {
      std::ranges::sort(lines_before);
      words += fmt::format(", but those of line{} {}, from which it is made",
                           lines_before.size() > 1 ? "s" : "", fmt::join(lines_before, ", "));
    }
    return Cause{lines, words};
  }

  // Whether it adds zero to a value, or a product with zero.
  bool has_no_effect(Number value) const {
    const auto& node = wrong_.node_of(value);
    const auto operands = wrong_.from(value);
    if (node.kind != Node::Kind::value || !node.is_real || wrong_.number(value) == 0) return false;
    const auto is_constant_zero = [](const Node::Operand& operand) {
      return operand.node == Node::Operand::constant && operand.bits == 0;
    };
    const bool has_zero =
        node.operands.size() == 3
            ? std::ranges::any_of(node.operands, is_constant_zero)
            : std::ranges::any_of(operands, [&](Number each) { return wrong_.number(each) == 0; });
    return has_zero && std::ranges::any_of(operands, [&](Number each) {
             return wrong_.number(each) == wrong_.number(value);
           });
  }

  std::optional<Number> operation_without_effect(Number value) const {
    for (const auto from : wrong_.from(value))
      if (has_no_effect(from)) return from;
    return std::nullopt;
  }

  // A truth is as often equal as different, so it tells nothing.
  bool is_truth(Number value) const { return wrong_.node_of(value).bits == 1; }

  // The value is that of the one before.
  bool passes_on(Number value) const {
    const auto kind = wrong_.node_of(value).kind;
    return (kind == Node::Kind::store || kind == Node::Kind::load) && !wrong_.from(value).empty();
  }

  // ---- one of them does not store it

  static bool stores_ahead(const History& history, Number branch, bool way, unsigned argument) {
    const auto& node = history.node_of(branch);
    if (node.stores_ahead.size() != 2) return false;
    return std::ranges::any_of(node.stores_ahead[way ? 0 : 1], [&](unsigned object) {
      return history.kernel().objects[object] == Object{Object::Kind::buffer, argument};
    });
  }

  // The last condition of the thread that takes it away from all stores to the buffer.
  std::optional<Number> leaves_at(unsigned thread) const {
    std::optional<Number> last;
    for (Number i = 0; i < static_cast<Number>(wrong_.values().size()); ++i) {
      if (wrong_[i].thread != thread || wrong_.node_of(i).kind != Node::Kind::branch) continue;
      const bool way = (wrong_[i].bits & 1) != 0;
      if (!stores_ahead(wrong_, i, way, element_.argument) &&
          stores_ahead(wrong_, i, !way, element_.argument))
        last = i;
    }
    return last;
  }

  std::optional<Cause> why_missing(Number expected) const {
    std::vector<unsigned> lines;
    if (!has_same_threads_) {
      for (const auto& node : wrong_.kernel().nodes)
        if (node.kind == Node::Kind::store &&
            wrong_.kernel().objects[node.object] == Object{Object::Kind::buffer, element_.argument})
          add_line(lines, node.line);
      if (lines.empty() || lines.size() > most_lines) return std::nullopt;
      return Cause{lines, "no thread stores it; other elements are stored here"};
    }
    if (const auto at = leaves_at(element_.thread))
      return why_decided(*at, expected,
                         "the thread that should store it does not, because of this "
                         "condition");
    for (Number i = 0; i < static_cast<Number>(wrong_.values().size()); ++i)
      if (wrong_[i].thread == element_.thread && wrong_.node_of(i).kind == Node::Kind::store &&
          wrong_.buffer_of(i) == element_.argument)
        add_line(lines, wrong_.node_of(i).line);
    if (lines.empty())
      return Cause{{}, "the thread that should store it comes to no store of this buffer"};
    if (lines.size() > most_lines) return std::nullopt;
    return Cause{lines, "the thread that should store it stores other elements"};
  }

  std::optional<Cause> why_stored(Number stored) const {
    const auto thread = wrong_[stored].thread;
    std::optional<Number> last;
    for (Number i = 0; i < stored; ++i) {
      if (wrong_[i].thread != thread || wrong_.node_of(i).kind != Node::Kind::branch) continue;
      const bool way = (wrong_[i].bits & 1) != 0;
      if (!stores_ahead(wrong_, i, !way, element_.argument)) last = i;
    }
    if (last)
      return why_decided(*last, none_,
                         "the task's own kernel does not store it; this condition "
                         "leads to a store");
    return Cause{{wrong_.node_of(stored).line}, "the task's own kernel does not store it"};
  }

  // The first wrong value that the condition depends on; the condition itself without one.
  std::optional<Cause> why_decided(Number branch, Number expected, const std::string& words) const {
    const auto right_past = expected == none_ ? std::set<Number>{} : right_.past_of(expected);
    const RightValues known(right_, right_past, element_.thread);
    Cause cause{{wrong_.node_of(branch).line}, words};
    for (const auto condition : wrong_.from(branch)) {
      const auto earlier = first_differences(condition, known);
      if (earlier && earlier->lines.size() == 1 && earlier->lines != cause.lines)
        cause = {earlier->lines,
                 fmt::format("{} in line {}; it depends on this value, which the task's own kernel "
                             "does not compute",
                             words, wrong_.node_of(branch).line)};
    }
    if (cause.lines.front() == 0) return std::nullopt;
    return cause;
  }

  static void add_line(std::vector<unsigned>& lines, unsigned line) {
    if (line != 0 && std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }

  static constexpr Number none_ = History::none;
  const History& wrong_;
  const History& right_;
  const Element& element_;
  const bool has_same_threads_;
};

}  // namespace

std::optional<Cause> find_cause(const History& wrong, const History& right, const Element& element,
                                bool has_same_threads) {
  return CauseFinder(wrong, right, element, has_same_threads).run();
}

}  // namespace msci::history
