// The elements of a result that are wrong, for people: how many, and the first with both values.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include "tasks/plan/elements.h"

namespace msci {

struct Differences {
  std::size_t compared = 0;  // elements in all; 0 if unknown
  std::size_t wrong = 0;     // those beyond the tolerance
  std::size_t nan = 0;       // those among them that are NaN
  // "y[3] is 7, not 8". Tasks of the benchmark leave the name out, since the plan has it.
  std::string first = {};
  bool operator==(const Differences&) const = default;
};

// "y[3] is 7, not 8".
std::string difference_text(const std::string& place, const std::string& got,
                            const std::string& expected);

// Compares `count` elements: `got` and `expected` return the number at an index, `is_wrong` takes
// an index and both, and `text` makes Differences::first of the first wrong one.
template <typename Got, typename Expected, typename IsWrong, typename Text>
Differences find_differences(std::size_t count, Got got, Expected expected, IsWrong is_wrong,
                             Text text) {
  Differences all{.compared = count};
  for (std::size_t i = 0; i < count; ++i) {
    const double number = got(i);
    if (!is_wrong(i, number, expected(i))) continue;
    if (std::isnan(number)) ++all.nan;
    if (all.wrong++ == 0) all.first = text(i);
  }
  return all;
}

}  // namespace msci
