// What the results of --check, --profile and --numerics begin with.
// Those of --prove print its file and task.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "evaluator/result/outcome.h"

namespace msci {

class Fields;

struct ResultHeading {
  std::string file;                                  // the name as it was given
  std::string task = {};                             // empty where the source fits none of several
  std::string device = {};                           // that the kernel ran on: the processor
  std::optional<std::string> requested_device = {};  // that it did not run on
};

// A T, or why the kernel never ran, or why msci could not run it.
template <typename T>
using RunOutcome = std::variant<T, Rejected, Error>;

void describe_heading(Fields& field, const ResultHeading& heading);

}  // namespace msci
