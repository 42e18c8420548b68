// Numbers and texts of a plan file that depend on the size.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tasks/plan/file/plan_fields.h"
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

// An integer, or a formula (formula.h).
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

}  // namespace msci
