// A task: a problem for kernels, with its sizes, its CPU reference and its verdict. A task is a
// description: it does not measure, use a device or print. The task's page has the source of every
// number.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/argument_kind.h"
#include "base/files/cache.h"
#include "base/keyed_random.h"
#include "base/result.h"
#include "tasks/plan/elements.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

// What a host binds to the kernels that it dispatches: the interface that a kernel is written for.

// One binding, spelt as in Metal.
struct ContractArgument {
  unsigned index = 0;
  std::string type;  // "device const float *", "constant uint &"
  std::string name;
  std::string meaning;
  ArgumentKind kind = ArgumentKind::buffer;
  bool operator==(const ContractArgument&) const = default;
};

// A kernel that the host dispatches.
struct KernelContract {
  std::string name;
  std::vector<ContractArgument> arguments;  // all of them; empty if they are unknown
  bool operator==(const KernelContract&) const = default;
};

// The elements of a result that are wrong, for people: how many, and the first with both values.
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

class ImageFolder;

// One parameter set: {"256x256_50", {{"nx", 256}, {"ny", 256}, {"n_steps", 50}}}.
struct Size {
  std::string label;
  std::vector<std::pair<std::string_view, unsigned>> parameters;
  bool is_drawn = false;  // by the judge, so that its results may be zero by chance
  // What inputs of a drawn size hold in places, or nearly, where the contract allows it: numbers
  // that the kernel may compare them with.
  std::vector<float> numbers = {};

  unsigned operator[](std::string_view parameter) const {
    const auto found =
        std::ranges::find_if(parameters, [&](const auto& each) { return each.first == parameter; });
    assert(found != parameters.end() && "the task's own sizes have all its parameters");
    return found->second;
  }
};

// Whether one size's output is correct, and its error.
struct Verdict {
  bool correct = false;
  double error_value = 0;                       // NaN where an output is NaN
  std::string error_kind;                       // "max_abs", "spin_disagreements", ...
  std::optional<double> tolerance;              // of that kind, if it has one
  std::optional<Differences> differences = {};  // of a wrong result that is compared by elements
  bool operator==(const Verdict&) const = default;
};

// The correct value of one result, computed in double precision.
struct Expected {
  enum class Element {
    real,   // float
    point,  // float4, of which x, y and z count
    spin,   // signed byte
    count,  // uint
    typed,  // `type`
    exact,  // `type`; all bytes count, `contents` has them, and `values` is empty
  };
  Element element = Element::real;
  std::vector<double> values;
  // Elements that are not compared, because rounding alone decides between two distant values, as
  // for an accepted or a rejected step. As long as `values`, or empty.
  std::vector<bool> undecided = {};
  std::string type = {};  // Metal's scalar
  Bytes contents = {};
  // How the numbers of a `typed` result follow from its bytes, if they are not elements of `type`.
  std::function<std::vector<double>(const Bytes&)> numbers = {};
  // Differences up to these count as none: of element i, rounding[i % rounding.size()].
  std::vector<double> rounding = {};
  // Where number i lies: "[2, 1].g" of a texture. Null: "[i]".
  std::function<std::string(std::size_t)> place = {};
};

// The problem of a task's strict verdict: small sizes, inputs that depend on a key and make every
// term of the equations matter, and no zeros in buffers that the kernel must fill.
struct Stress {
  std::vector<Size> sizes;
  // Another size within the task's contract; the caller sets its label. Null if there is none.
  std::function<Size(KeyedRandom&)> random_size;
  // Sets the parameters that are not chosen to values that go with the chosen ones. The chosen
  // values are within the contract. False if it finds none. Null if any values go together.
  std::function<bool(Size&, const std::vector<std::string_view>& chosen, KeyedRandom&)> complete;
  // One beyond all declared sizes; null where it would take too long.
  std::function<Size(KeyedRandom&)> larger_size;
  std::string_view steps = "n_steps";  // the parameter that counts steps; empty without steps
  // Declared sizes are used, with few steps, up to this product of their other parameters.
  double largest_volume = 4.2e6;
  std::function<Result<Plan>(const Size&, const Translation&, Key)> plan;
  // One for each of the plan's results. Errors: a user's command fails.
  std::function<Result<std::vector<Expected>>(const Size&, Key)> reference;
  // A further error of the results, beside their distance from the reference, in the same measure:
  // 0 is right. Null if the reference says all. Errors: as of `reference`.
  std::function<Result<double>(const Size&, Key, const Outputs&)> check;
  // Of a task whose recorded verdict is statistical: how far some results of Task::plan, drawn
  // anew, are from the same in double precision, relative to the largest of them.
  std::function<double(const Size&, const Outputs&, KeyedRandom&)> recorded_error;
};

// What limits a task; its work is counted in bytes or in flops accordingly.
enum class Ceiling { bandwidth, compute };

// How a task reads what a plan file only names.
struct Loading {
  bool is_judged = true;  // otherwise no expected results are read or computed
  std::chrono::milliseconds reference_limit = std::chrono::minutes(2);  // for each size
  Cache* cache = nullptr;                                               // of expected results
  ImageFolder* images = nullptr;  // where results that are textures are saved; null: nowhere
};

// What a buffer, a texture or a sampler of a plan file holds, as Markdown.
struct TaskData {
  std::string name;
  std::string holds;    // "a 2d texture of `rgba8unorm`, `width` x `height`, read-only"
  std::string meaning;  // the user's words; may be empty
  bool operator==(const TaskData&) const = default;
};

// A problem, from C++ or from a plan file: whatever uses a task takes both.
struct Task {
  unsigned order = 0;  // its place in the benchmark, and so in all_tasks()
  std::string_view name;
  std::string_view title;  // one line: "2-D heat equation, five-point stencil"
  std::vector<KernelContract> kernels;
  // Of a plan file; empty for a task of the benchmark, whose page has it.
  std::vector<TaskData> data;
  std::vector<std::string> launches;             // grids and threadgroups, lines of Markdown
  std::map<std::string, std::string> constants;  // values of function constants, by name
  std::vector<Size> sizes;                       // in-distribution, in the order of evaluation
  std::optional<Size> held_out;  // searches do not see it; a plan file may have none
  Size small;  // for the checked mode: every part of the problem, few threads and steps
  Ceiling ceiling = Ceiling::bandwidth;
  std::string_view unit;  // "GB/s (effective, 8 B/cell)"
  // The user's own ceiling in 1e9 units of work a second; none: the device's.
  std::optional<double> best_rate;

  std::string_view plan_file;  // its absolute path; empty for a task of the benchmark
  // Reads the inputs and the expected results of a plan file, before `plan` and `judge` are used.
  // Null for a task of the benchmark. Errors: files and commands of the user's.
  std::function<std::optional<Error>(const Loading&)> load;
  // A digest of the plan and of the contents of all files that it names; null for a task of the
  // benchmark. Errors: a file cannot be read.
  std::function<Result<std::string>()> digest;

  // The pass for one size. An Error is the run-time error of a Metal host, such as a thread limit
  // that is too small; of a plan file, a mistake in it.
  std::function<Result<Plan>(const Size&, const Translation&)> plan;
  // The correct result, in the layout that `judge` expects; empty for tasks judged without one.
  std::function<Bytes(const Size&)> reference;
  // How many bytes that has; null for tasks without one.
  std::size_t (*reference_bytes)(const Size&) = nullptr;
  // `output` is from the untimed pass, `timed_output` from a timed pass (without timed passes, both
  // are the same). Errors: a user's command fails.
  std::function<Result<Verdict>(const Size&, const Bytes& reference, const Outputs& output,
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

// The task of that name: one of the benchmark's, the plan file of that path, or NAME.json or
// NAME/plan.json in a folder of $MSCI_TASK_PATH (folders separated by colons). What a plan file
// names is read by load_task(). It lives as long as the program. Errors: a mistake in a plan, or no
// such task, with the known ones (the nearest first).
Result<const Task*> find_task(std::string_view name);
// The plans in the folders of $MSCI_TASK_PATH, by name: each, or the mistake in it.
std::vector<Result<const Task*>> find_plans();
// What caches compare of a task: of a plan, its text, and the names, lengths and times of the files
// in its folder, which it or its commands may read, all as they were when find_task() returned it;
// empty for a task of the benchmark. Nothing if the files are unknown or too many.
std::optional<std::string> task_version(const Task& task);
// What results that are kept for long depend on beside the program: a digest of each plan among the
// tasks, by its file. Errors: as of Task::digest.
Result<std::map<std::string, std::string>> plan_digests(std::span<const Task* const> tasks);
// Reads what a plan file names; nothing to do for a task of the benchmark.
[[nodiscard]] std::optional<Error> load_task(const Task& task, const Loading& loading);
// The kernels that it requires. Errors: as of find_task().
Result<std::vector<KernelContract>> find_task_contract(std::string_view name);
// The tasks of those names, each once; "all" names all of the benchmark's.
Result<std::vector<const Task*>> find_tasks(std::span<const std::string> names);

// The references of a task, from the cache where it has them.

// The reference of that size; empty for a task without one.
Bytes reference_of(const Task& task, const Size& size, Cache& cache);

// Removes the references that were used least recently where all of them, with those of plans' own
// commands, have more bytes. Leaves a quarter of the room free.
void trim_references(Cache& cache, std::uintmax_t most_bytes);

}  // namespace msci
