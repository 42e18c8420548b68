// A task: a problem that kernels are written for, its sizes, its CPU reference and its verdict. A
// task describes; it never measures, talks to a device or prints. Source of every number: the
// task's own page.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluator/keyed.h"
#include "evaluator/plan.h"
#include "evaluator/program.h"
#include "lint/metal/result.h"

namespace msci {

// One parameter set: {"256x256_50", {{"nx", 256}, {"ny", 256}, {"n_steps", 50}}}.
struct Size {
  std::string label;
  std::vector<std::pair<std::string_view, unsigned>> parameters;

  unsigned operator[](std::string_view parameter) const;  // asserts that it exists
};

// What the task promises to bind at one index, spelt as in Metal.
struct ContractArgument {
  unsigned index = 0;
  std::string_view type;  // "device const float *", "constant uint &"
  std::string_view name;
  std::string_view meaning;
};

// A kernel that the task dispatches.
struct KernelContract {
  std::string_view name;
  std::vector<ContractArgument> arguments;
};

// Whether one size's output is right, and by how much.
struct Verdict {
  bool correct = false;
  double error_value = 0;           // NaN where an output is NaN
  std::string error_kind;           // "max_abs", "spin_disagreements", ...
  std::optional<double> tolerance;  // none where the kind has none
  bool operator==(const Verdict&) const = default;
};

// What one result must hold, worked out in double precision.
struct Expected {
  enum class Element {
    real,   // float
    point,  // float4, of which x, y and z count
    spin,   // signed byte
    count,  // uint
  };
  Element element = Element::real;
  std::vector<double> values;
  // Places where rounding alone may decide between two answers far apart, such as a step that is
  // accepted or refused; they are not compared. As long as `values`, or empty.
  std::vector<bool> undecided = {};
};

// The problem of a task's strict verdict: small sizes, inputs that hang on a key and make every
// term of the equations matter, no buffer at zero that the kernel must fill.
struct Stress {
  std::vector<Size> sizes;
  // Another size within the task's contract, no larger than its own sizes; its label comes later.
  Size (*random_size)(Draws&) = nullptr;
  Result<Plan> (*plan)(const Size&, const Translation&, Key) = nullptr;
  // One for each of the plan's results.
  std::vector<Expected> (*reference)(const Size&, Key) = nullptr;
};

// What limits a task: its work is counted in bytes or in flops.
enum class Ceiling { bandwidth, compute };

struct Task {
  unsigned order = 0;  // its place in the benchmark, and so in all_tasks()
  std::string_view name;
  std::string_view title;  // one line: "2-D heat equation, five-point stencil"
  std::vector<KernelContract> kernels;
  std::vector<Size> sizes;       // in-distribution, in the order of evaluation
  std::optional<Size> held_out;  // no search is shown it; none where a plan names none
  Size small;  // for the checked mode: every part of the problem, few threads and steps
  Ceiling ceiling = Ceiling::bandwidth;
  std::string_view unit;  // "GB/s (effective, 8 B/cell)"

  // The pass for one size. An Error is the run-time error that a Metal host would raise (a cap too
  // small).
  std::function<Result<Plan>(const Size&, const Translation&)> plan;
  // The right answer, in whatever layout `judge` expects; empty for tasks judged without one.
  // `plan` holds the inputs; where the reference depends on the size alone, it may ignore them.
  std::function<Bytes(const Size&)> reference;
  // `output` is from the verified pass, `timed_output` is what a timed pass left (the same
  // values where nothing was timed).
  std::function<Verdict(const Size&, const Bytes& reference, const Outputs& output,
                        const Outputs& timed_output)>
      judge;
  // Bytes or flops of one pass, by the task's own model.
  std::function<double(const Size&)> work;
  // Floating-point operations per byte of device memory, as the reference computes and as if every
  // array were read and written once a step: the place on a roofline's axis. Null where the work is
  // in integers.
  std::function<double(const Size&)> intensity;
  unsigned version =
      1;  // part of the key under which references are cached: raise it when they change

  Stress stress;                // without sizes where a task has no strict verdict
  std::string_view derivation;  // JSON: how strict that verdict is (evaluator/strict.h)
  std::string_view battery;     // wrong kernels that it must refuse (tasks/battery.h)

  std::string_view seed;  // text of the seed kernel
  std::string_view page;  // Markdown: equations, contract, regime, lever, traps
};

// All tasks, sorted by the benchmark's own order.
std::span<const Task* const> all_tasks();

// The task of that name, or an Error that lists the known ones (with the nearest first).
Result<const Task*> find_task(std::string_view name);

}  // namespace msci
