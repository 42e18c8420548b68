// The buffers of a plan whose contents a search for faults may change.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "tasks/plan/plan.h"

namespace msci {

// A buffer with the range that the plan declares for its numbers.
struct SearchedBuffer {
  std::size_t buffer = 0;  // index into Plan::buffers
  std::string name;
  std::string type;  // Metal's scalar
  double low = 0;    // the least and the greatest number
  double high = 0;

  std::size_t count_in(const Plan& plan) const;  // elements
};

// Other contents of a buffer.
struct ChangedBuffer {
  SearchedBuffer of;
  std::string pattern;  // "equal to the greatest number", "descending"
  std::vector<std::byte> contents;

  // How many elements differ from the plan's.
  std::size_t changed_in(const Plan& plan) const;
};

// Buffers with a "uniform" fill, whose range is that of the fill; and single integers, from 0 to
// the plan's number. Others may have an order or a meaning that a search does not know. Errors: the
// plan file cannot be read.
Result<std::vector<SearchedBuffer>> searched_buffers(const std::string& plan_file,
                                                     const Plan& plan);

// The text of the plan file with other contents at one size, to be saved as `saved_as`: for
// --check, without the values of expected results. Errors: the plan file cannot be read.
Result<std::string> plan_with(const std::string& plan_file, const std::string& size_label,
                              const std::vector<ChangedBuffer>& changes,
                              const std::string& saved_as);

}  // namespace msci
