// Numbers and texts of a plan file that depend on the size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/sized_number.h"
#include "tasks/plan/task.h"

namespace msci {

// What the names of a formula stand for: a size's parameters, and the indices of the loops around
// the field, the innermost last. The size must outlive it.
struct NumberScope {
  NumberScope(const Size& named) : size(named) {}
  const Size& size;
  std::vector<std::pair<std::string, std::int64_t>> indices = {};

  bool has(std::string_view name) const;
};

// An integer, or a formula.
std::int64_t read_integer(PlanFieldReader& reader, const Field& field, const NumberScope& scope);
// The same for a non-negative number.
std::uint64_t read_number(PlanFieldReader& reader, const Field& field, const NumberScope& scope);
// The same up to 2^32 - 1.
unsigned read_unsigned(PlanFieldReader& reader, const Field& field, const NumberScope& scope);
// Two numbers; `what` is "[first, step]".
std::pair<double, double> read_pair(PlanFieldReader& reader, const Field& field,
                                    std::string_view what);

// The integers of [low, high): from `first` to `last`, and none if the last is below the first.
struct IntegerRange {
  double first = 0;
  double last = 0;
  // The one at a fraction of the range, of 2^53 steps.
  double at(std::uint64_t step) const;
};
IntegerRange integers_between(double low, double high);

// Replaces a word wherever it stands; what replaces it is not searched again.
std::string replace_all(std::string text, std::string_view word, std::string_view by);

// Replaces "{label}" and "{parameter}" by the size's.
std::string substitute(std::string text, const Size& size);

// Formulas of a plan file: "4*n + 1", "ceil(n / 256)", "1 << stage", "n > 64 ? 2 : 1".

// The value of a name. Errors: an unknown name, for a person.
using FindValue = std::function<Result<std::int64_t>(std::string_view name)>;

// The value of a formula of integers and names, with C's operators and precedence: + - * / % << >>
// < <= > >= == != && || ! ?: and parentheses, and the functions min, max, log2 (rounded down) and
// ceil, which rounds the quotient that it gets up. `/` rounds towards zero; a comparison is 0 or 1.
// Only the chosen part of ?:, && and || may be without a value. Errors: those of `find`, a formula
// that is none, a division by zero, and a number beyond 63 bits.
Result<std::int64_t> evaluate_formula(std::string_view text, const FindValue& find);

// How the value grows with n, for each n from 1 on at which the formula has a value, if the name
// stands for n and all other names for their values. None where that is not certain, as for
// "n > 64 ? 2 : 1".
std::optional<SizedNumber> growth_of_formula(std::string_view text, std::string_view name,
                                             const FindValue& find);

// Whether a text has the name as a word.
bool names_in_formula(std::string_view text, std::string_view name);

}  // namespace msci
