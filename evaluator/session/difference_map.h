// Where the results of a kernel are wrong, as a picture: for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evaluator/session/session.h"

namespace msci {

// One run at the first size of the strict verdict, with inputs that depend on a nonce.
struct DifferenceMap {
  std::string size;
  std::string result;              // the buffer; empty where all results are right
  std::size_t compared = 0;        // its elements
  std::size_t wrong = 0;           // those beyond the tolerance
  std::vector<std::string> first;  // "u[7] is 0, not 1.5": the first few
  // If the launch that writes the result has a grid of two dimensions, whose threads have equally
  // many elements each: rows of cells with the largest error in each, where 1 is just allowed and
  // NaN is infinite. Otherwise 0.
  unsigned columns = 0;
  unsigned rows = 0;
  unsigned threads_per_cell = 1;  // in either direction
  std::vector<double> cells;
};

// A failure says why there is none: the kernel is refused, or does not run, or the task has no
// strict verdict. Errors are ours.
Result<Attempt<DifferenceMap>> difference_map(Session& session, std::uint64_t nonce);

std::string to_json(const DifferenceMap& map);  // one line

}  // namespace msci
