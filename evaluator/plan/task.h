// A task: a problem for kernels, with its sizes, its CPU reference and its verdict. A task is a
// description: it does not measure, use a device or print. The task's page has the source of every
// number.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/kernel_contract.h"
#include "base/keyed_random.h"
#include "base/result.h"
#include "evaluator/plan/plan.h"
#include "evaluator/plan/program.h"

namespace msci {

// One parameter set: {"256x256_50", {{"nx", 256}, {"ny", 256}, {"n_steps", 50}}}.
struct Size {
  std::string label;
  std::vector<std::pair<std::string_view, unsigned>> parameters;

  unsigned operator[](std::string_view parameter) const;  // asserts that it exists
};

// Whether one size's output is correct, and its error.
struct Verdict {
  bool correct = false;
  double error_value = 0;           // NaN where an output is NaN
  std::string error_kind;           // "max_abs", "spin_disagreements", ...
  std::optional<double> tolerance;  // of that kind, if it has one
  bool operator==(const Verdict&) const = default;
};

// The correct value of one result, computed in double precision.
struct Expected {
  enum class Element {
    real,   // float
    point,  // float4, of which x, y and z count
    spin,   // signed byte
    count,  // uint
  };
  Element element = Element::real;
  std::vector<double> values;
  // Elements that are not compared, because rounding alone decides between two distant values, as
  // for an accepted or a rejected step. As long as `values`, or empty.
  std::vector<bool> undecided = {};
};

// The problem of a task's strict verdict: small sizes, inputs that depend on a key and make every
// term of the equations matter, and no zeros in buffers that the kernel must fill.
struct Stress {
  std::vector<Size> sizes;
  // Another size within the task's contract; the caller sets its label.
  Size (*random_size)(KeyedRandom&) = nullptr;
  // One beyond all declared sizes; null where it would take too long.
  Size (*larger_size)(KeyedRandom&) = nullptr;
  std::string_view steps = "n_steps";  // the parameter that counts steps; empty without steps
  // Declared sizes are used, with few steps, up to this product of their other parameters.
  double largest_volume = 4.2e6;
  Result<Plan> (*plan)(const Size&, const Translation&, Key) = nullptr;
  // One for each of the plan's results.
  std::vector<Expected> (*reference)(const Size&, Key) = nullptr;
  // Of a task whose recorded verdict is statistical: how far some results of Task::plan, drawn
  // anew, are from the same in double precision, relative to the largest of them.
  double (*recorded_error)(const Size&, const Outputs&, KeyedRandom&) = nullptr;
};

// What limits a task; its work is counted in bytes or in flops accordingly.
enum class Ceiling { bandwidth, compute };

struct Task {
  unsigned order = 0;  // its place in the benchmark, and so in all_tasks()
  std::string_view name;
  std::string_view title;  // one line: "2-D heat equation, five-point stencil"
  std::vector<KernelContract> kernels;
  std::map<std::string, std::string> constants;  // values of function constants, by name
  std::vector<Size> sizes;                       // in-distribution, in the order of evaluation
  std::optional<Size> held_out;  // searches do not see it; a plan file may have none
  Size small;  // for the checked mode: every part of the problem, few threads and steps
  Ceiling ceiling = Ceiling::bandwidth;
  std::string_view unit;  // "GB/s (effective, 8 B/cell)"

  // The pass for one size. An Error is the run-time error of a Metal host, such as a thread limit
  // that is too small.
  std::function<Result<Plan>(const Size&, const Translation&)> plan;
  // The correct result, in the layout that `judge` expects; empty for tasks judged without one.
  std::function<Bytes(const Size&)> reference;
  // How many bytes that has; null for tasks without one.
  std::size_t (*reference_bytes)(const Size&) = nullptr;
  // `output` is from the untimed pass, `timed_output` from a timed pass (without timed passes, both
  // are the same).
  std::function<Verdict(const Size&, const Bytes& reference, const Outputs& output,
                        const Outputs& timed_output)>
      judge;
  // Bytes or flops of one pass, by the task's own model.
  std::function<double(const Size&)> work;
  // Floating-point operations of the reference per byte of device memory, if each step reads and
  // writes each array once: the position on a roofline's axis. Null for integer work.
  std::function<double(const Size&)> intensity;
  unsigned version = 1;  // part of the cache key of references: raise it when they change

  Stress stress;                // without sizes if the task has no strict verdict
  std::string_view derivation;  // JSON: how strict it is (evaluator/strict/strict_verdict.h)

  std::string_view seed;  // text of the seed kernel
  // Markdown: equations, contract, regime, lever, traps; and the launches and the wrong kernels
  // (tasks/battery.h) that tests read
  std::string_view page;
};

// All tasks, sorted by the benchmark's own order.
std::span<const Task* const> all_tasks();

// The task of that name, or an Error that lists the known ones (with the nearest first).
Result<const Task*> find_task(std::string_view name);
// The kernels that it requires. Errors: as of find_task().
Result<std::vector<KernelContract>> find_task_contract(std::string_view name);
// The tasks of those names, each once; "all" names all of them.
Result<std::vector<const Task*>> find_tasks(std::span<const std::string> names);

}  // namespace msci
