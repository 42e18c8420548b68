// Facts that only the author of a kernel knows, as conditions: `n % 4 == 0`
// (docs/concepts/proofs.md). A proof uses them, and a checked run tests them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"

namespace msci {

struct KernelSignature;

// A number that a condition names.
struct AssumedNumber {
  enum class Kind {
    argument,     // `n`: a scalar behind an argument of the kernel
    length,       // `length(x)`: the elements of a buffer
    grid,         // `grid.x`, in threads
    threadgroup,  // `threadgroup.x`
  };
  Kind kind = Kind::argument;
  std::string name;        // of the argument
  unsigned dimension = 0;  // 0 to 2
  bool operator==(const AssumedNumber&) const = default;
};

// A part of a condition. Numbers are integers of any size, a condition is 1 or 0 where a number is
// needed, and a number is a condition that holds unless it is 0, as in C.
struct AssumedPart {
  enum class Kind {
    constant,
    number,
    negative,
    add,
    subtract,
    multiply,
    divide,
    remainder,  // numbers
    less,
    at_most,
    equal,
    negation,
    both,
    either,  // conditions
  };
  Kind kind = Kind::constant;
  std::int64_t constant = 0;          // also the divisor of divide and remainder
  AssumedNumber number = {};          // of Kind::number
  std::size_t first = 0, second = 0;  // operands: indices of earlier parts
  bool operator==(const AssumedPart&) const = default;
};

struct Assumption {
  std::string text;
  Place place;                     // in a source; unknown where an option gives it
  std::vector<AssumedPart> parts;  // the last one is the condition
  std::vector<AssumedNumber> numbers() const;
  bool operator==(const Assumption&) const = default;
};

// Reads `||`, `&&`, `!`, comparisons, `+`, `-`, `*`, brackets, and `/` and `%` by a positive
// constant, which round down. Errors name the column: "column 3: expected a number, not `%`".
Result<Assumption> parse_assumption(std::string_view text, Place place = {});

// The assumptions of a source, in comments: `// msci: assume(n % 4 == 0)`. Errors name the line.
Result<std::vector<Assumption>> assumptions_in(const Source& source);

// Whether the kernel has all arguments that the assumption names, as what it names them, and writes
// none of the numbers: it is not about others.
bool is_about(const Assumption& assumption, const KernelSignature& kernel);

// That the assumption names an argument of the kernel as what it is not, such as the value of a
// buffer of floats; empty if it does not.
std::string misunderstanding(const Assumption& assumption, const KernelSignature& kernel);

// The bytes of an element of an argument's buffer; nothing where its type is not known.
std::optional<std::size_t> bytes_of_element(std::string_view type);

// Whether an integer of the type is never negative: "uint", "const size_t", "bool".
bool is_unsigned_scalar(std::string_view type);

// Whether the assumption holds; nothing where a number has no value.
using NumberValues = std::function<std::optional<std::int64_t>(const AssumedNumber&)>;
std::optional<bool> holds(const Assumption& assumption, const NumberValues& values);

// "n", "length(x)", "grid.x".
std::string to_string(const AssumedNumber& number);

}  // namespace msci
