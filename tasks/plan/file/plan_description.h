// What a plan file says about its task beside buffers and launches: names, sizes, texts, the
// verdict, the work, and the problem of the strict verdict.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/keyed_random.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_instance.h"
#include "tasks/plan/file/plan_results.h"
#include "tasks/plan/task.h"

namespace msci {

// A range of a parameter for random sizes, both ends included.
struct ParameterRange {
  std::string_view parameter;
  unsigned low = 0;
  unsigned high = 0;
};

struct PlanStress {
  std::vector<Size> sizes;
  std::vector<ParameterRange> random = {};  // of further sizes; empty without them
  std::string steps = {};                   // the parameter that counts steps
  std::string derivation = {};              // JSON, as of Task::derivation
};

struct PlanDescription {
  std::string name;
  std::string title = {};
  std::string seed = {};  // text of the seed kernel
  std::string page = {};  // Markdown
  std::vector<Size> sizes = {};
  std::optional<Size> held_out = {};
  Size small = {};
  std::map<std::string, std::string> constants = {};
  Tolerance tolerance = {};
  Ceiling ceiling = Ceiling::bandwidth;
  std::string unit = "GB/s";
  std::optional<double> best_rate = {};     // the user's own ceiling, 1e9 units a second
  std::map<std::string, double> work = {};  // by the size's label; empty without "work"
  std::optional<PlanStress> stress = {};
  std::list<std::string> parameters = {};  // what the sizes' names refer to
};

// Errors are the reader's.
PlanDescription read_description(PlanFieldReader& reader, const PlanDocument& document);

// A further size of the stress problem: the first one with other parameters.
Size random_size(const PlanStress& stress, KeyedRandom& draws);

// What a plan file binds and launches, in words: for those who write a kernel.

// The buffers, textures and samplers of a plan that has been read, in the order of the file, as
// Markdown. Sizes are the formulas of the file.
std::vector<TaskData> describe_data(const PlanDocument& document);

// A line of Markdown for each kernel, grid and threadgroup, in the order of the file.
std::vector<std::string> describe_launches(const PlanDocument& document);

}  // namespace msci
