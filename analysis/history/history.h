// What records say of a value: where it comes from, and where it begins to differ from that of
// another kernel for the same launch.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/history/recorded_kernel.h"

namespace msci::history {

// The last store to a byte of a buffer.
struct Writer {
  unsigned line = 0;
  unsigned thread = 0;
  unsigned threadgroup = 0;
};

// By the byte at which an element begins; of records of stores.
std::map<std::size_t, Writer> writers_of(const RecordedKernel& kernel,
                                         std::span<const Record> records, unsigned argument);

// Values of one threadgroup, and what each was computed from.
class History {
 public:
  // A value at one time in one thread.
  struct Value {
    unsigned node = 0;
    unsigned thread = 0;
    std::uint64_t bits = 0;                  // also where control chose it
    std::uint32_t first_from = 0, from = 0;  // what it was computed from: a part of `from_`
    std::int32_t decided_by = -1;  // where control chose it: the condition; -1 if it is unknown
    bool operator==(const Value&) const = default;
  };
  using Number = std::int32_t;  // of a value, in the order of time
  static constexpr Number none = -1;

  // Errors: there are too many values.
  static Result<History> make(const RecordedKernel& kernel, std::span<const Record> records);

  const std::vector<Value>& values() const { return values_; }
  const Value& operator[](Number number) const { return values_[static_cast<std::size_t>(number)]; }
  const Node& node_of(Number number) const { return (*kernel_).nodes[(*this)[number].node]; }
  const RecordedKernel& kernel() const { return *kernel_; }
  std::span<const Number> from(Number number) const {
    const auto& value = (*this)[number];
    return std::span(from_).subspan(value.first_from, value.from);
  }
  // The byte that a load or store begins at.
  std::size_t byte_of(Number access) const;
  // The argument behind an access to a buffer.
  std::optional<unsigned> buffer_of(Number access) const;
  // As a number; NaN may be one.
  double number(Number value) const;

  // The last store to that byte of a buffer.
  std::optional<Number> store_to(unsigned argument, std::size_t byte) const;
  // All values that a value was computed from, with itself.
  std::set<Number> past_of(Number value) const;

 private:
  explicit History(const RecordedKernel& kernel) : kernel_(&kernel) {}
  class Maker;

  const RecordedKernel* kernel_;
  std::vector<Value> values_;
  std::vector<Number> from_;
  std::map<Number, std::size_t> bytes_;  // of accesses
};

// An element that is wrong, in both kernels.
struct Element {
  unsigned argument = 0;  // of the kernel under test
  unsigned right_argument = 0;
  std::size_t byte = 0;
  unsigned thread = 0;                          // that stores it in the right kernel, and so should
  std::vector<std::string> buffers = {};        // names, by argument
  std::vector<std::size_t> element_bytes = {};  // by argument
};

// A cause in words, with its line; several lines if one of them is it; none if it is unknown.
struct Cause {
  std::vector<unsigned> lines;
  std::string words;
  // Whether both kernels compute the element from the same elements. Others may differ in many
  // ways after one wrong decision.
  bool is_computation = false;
};

// Why an element differs. `has_same_threads`: both kernels give elements to the same threads. None
// if the records do not tell.
std::optional<Cause> find_cause(const History& wrong, const History& right, const Element& element,
                                bool has_same_threads);

}  // namespace msci::history
