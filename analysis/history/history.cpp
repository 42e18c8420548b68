#include "analysis/history/history.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "base/metal_limits.h"

namespace msci::history {
namespace {

constexpr std::size_t most_values = 1U << 22, most_places = 1U << 24;

float float_of_half(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<float>(bits & 1023) / 1024;
  const float sign = bits >> 15 & 1 ? -1.0F : 1.0F;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  return exponent == 0 ? sign * std::ldexp(fraction, -14)
                       : sign * std::ldexp(1 + fraction, exponent - 15);
}

double number_of(const Node& node, std::uint64_t bits) {
  if (!node.is_real) return static_cast<double>(bits);
  if (node.bits == 64) return std::bit_cast<double>(bits);
  return node.bits == 16 ? float_of_half(bits)
                         : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

}  // namespace

std::map<std::size_t, Writer> writers_of(const RecordedKernel& kernel,
                                         std::span<const Record> records, unsigned argument) {
  std::map<std::size_t, Writer> writers;
  std::map<std::tuple<unsigned, unsigned, unsigned>, std::size_t> addresses;
  for (const auto& record : records) {
    if (record.node >= kernel.nodes.size()) continue;
    const auto& node = kernel.nodes[record.node];
    if (node.object >= kernel.objects.size() ||
        kernel.objects[node.object] != Object{Object::Kind::buffer, argument})
      continue;
    if (node.kind == Node::Kind::address)
      addresses[{record.node, record.threadgroup, record.thread}] = record.bits;
    else if (node.kind == Node::Kind::store)
      writers[addresses[{static_cast<unsigned>(node.operands[0].node), record.threadgroup,
                         record.thread}] +
              node.byte] = {node.line, record.thread, record.threadgroup};
  }
  return writers;
}

// Follows the records in their order.
class History::Maker {
 public:
  explicit Maker(const RecordedKernel& kernel) : kernel_(kernel), made_(kernel) {}

  Result<History> run(std::span<const Record> records) {
    unsigned threads = 0;
    for (const auto& record : records) {
      if (record.node >= kernel_.nodes.size()) return Error{"the records are malformed"};
      threads = std::max(threads, record.thread + 1);
    }
    threads_ = (threads + simdgroup_lanes - 1) / simdgroup_lanes * simdgroup_lanes;
    if (records.size() > most_values || kernel_.nodes.size() * threads_ > most_places)
      return Error{"the kernel computes too many values"};
    last_.assign(kernel_.nodes.size() * threads_, none);
    previous_ = last_;
    for (const auto& record : records) add(record);
    return std::move(made_);
  }

 private:
  Number& last(std::int64_t node, unsigned thread) {
    return last_[static_cast<std::size_t>(node) * threads_ + thread];
  }

  Number value_of(const Node::Operand& operand, unsigned thread) {
    if (operand.node < 0) return none;
    return operand.is_previous
               ? previous_[static_cast<std::size_t>(operand.node) * threads_ + thread]
               : last(operand.node, thread);
  }

  void add(const Record& record) {
    const auto& node = kernel_.nodes[record.node];
    const auto thread = record.thread;
    Value value{.node = record.node, .thread = thread, .bits = record.bits};
    from_.clear();
    switch (node.kind) {
      case Node::Kind::address:
        break;
      case Node::Kind::chosen:
        choose(node, record, value);
        break;
      case Node::Kind::load:
        load(node, thread);
        break;
      case Node::Kind::lanes:
        ask_lanes(node, value);
        break;
      case Node::Kind::store:
        use(value_of(node.operands[1], thread));
        break;
      case Node::Kind::value:
      case Node::Kind::branch:
        for (const auto& operand : node.operands) use(value_of(operand, thread));
        break;
      case Node::Kind::atomic:
        break;
    }
    const auto number = static_cast<Number>(made_.values_.size());
    value.first_from = static_cast<std::uint32_t>(made_.from_.size());
    value.from = static_cast<std::uint32_t>(from_.size());
    made_.from_.insert(made_.from_.end(), from_.begin(), from_.end());
    made_.values_.push_back(value);
    const bool accesses = node.kind == Node::Kind::load || node.kind == Node::Kind::store ||
                          node.kind == Node::Kind::atomic;
    if (accesses) made_.bytes_[number] = byte_of(node, thread);
    if (accesses && node.kind != Node::Kind::load) memory_[place_of(node, thread)] = number;
    auto& newest = last(record.node, thread);
    previous_[record.node * std::size_t{threads_} + thread] = newest;
    newest = number;
  }

  void use(Number value) {
    if (value != none) from_.push_back(value);
  }

  void choose(const Node& node, const Record& record, Value& value) {
    if (record.bits >= node.operands.size()) return;
    const auto& chosen = node.operands[record.bits];
    const auto from = value_of(chosen, record.thread);
    use(from);
    value.bits = from == none ? chosen.bits : made_[from].bits;
    // A choice by a condition, whose operand is the last one.
    if (node.operands.size() == 3 && record.bits < 2)
      value.decided_by = value_of(node.operands[2], record.thread);
  }

  std::size_t byte_of(const Node& node, unsigned thread) {
    const auto address = value_of(node.operands[0], thread);
    return (address == none ? 0 : made_[address].bits) + node.byte;
  }

  using Place = std::tuple<unsigned, unsigned, std::size_t>;  // object, its thread, byte
  Place place_of(const Node& node, unsigned thread) {
    const bool is_own = kernel_.objects[node.object].kind == Object::Kind::thread;
    return {node.object, is_own ? thread : 0, byte_of(node, thread)};
  }

  void load(const Node& node, unsigned thread) {
    const auto stored = memory_.find(place_of(node, thread));
    if (stored != memory_.end()) use(stored->second);
  }

  // A lane that has the value as it is; all lanes without one.
  void ask_lanes(const Node& node, const Value& value) {
    if (node.operands.empty()) return;
    const auto first = value.thread / simdgroup_lanes * simdgroup_lanes;
    for (unsigned lane = first; lane < first + simdgroup_lanes; ++lane)
      use(value_of(node.operands[0], lane));
    const auto same =
        std::ranges::find_if(from_, [&](Number each) { return made_[each].bits == value.bits; });
    if (same != from_.end()) from_ = {*same};
  }

  const RecordedKernel& kernel_;
  History made_;
  unsigned threads_ = 0;
  std::vector<Number> last_, previous_;  // by node and thread
  std::vector<Number> from_;
  std::map<Place, Number> memory_;
};

Result<History> History::make(const RecordedKernel& kernel, std::span<const Record> records) {
  return Maker(kernel).run(records);
}

std::size_t History::byte_of(Number access) const {
  const auto found = bytes_.find(access);
  return found == bytes_.end() ? 0 : found->second;
}

std::optional<unsigned> History::buffer_of(Number access) const {
  const auto& node = node_of(access);
  const auto& object = kernel_->objects[node.object];
  if (!bytes_.contains(access) || object.kind != Object::Kind::buffer) return std::nullopt;
  return object.argument;
}

double History::number(Number value) const {
  return number_of(node_of(value), (*this)[value].bits);
}

std::optional<History::Number> History::store_to(unsigned argument, std::size_t byte) const {
  std::optional<Number> last;
  for (const auto& [access, at] : bytes_)
    if (at == byte && node_of(access).kind == Node::Kind::store && buffer_of(access) == argument)
      last = access;
  return last;
}

std::set<History::Number> History::past_of(Number value) const {
  std::set<Number> past{value};
  std::vector<Number> open{value};
  while (!open.empty()) {
    const auto next = open.back();
    open.pop_back();
    for (const auto each : from(next))
      if (past.insert(each).second) open.push_back(each);
  }
  return past;
}

}  // namespace msci::history
