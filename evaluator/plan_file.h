// A task of a user's own: a JSON file beside their kernel that says what a host would bind and
// dispatch, and what must come out. docs/plan_file.md has a worked example.
//
//   {
//     "sizes": [{"label": "1000", "n": 1000}],     at least one; beside the label, parameters of
//                                                  any name, non-negative integers
//     "held_out": {"label": "4096", "n": 4096},    optional: for --held-out, --gate
//     "small": {"label": "64", "n": 64},           optional: for --check; else the first size
//     "buffers": {                                 by name
//       "x": {"type": "float", "count": "n", "fill": {"uniform": [-1, 1], "seed": 7}},
//       "y": {"file": "y_{label}.npy"},
//       "n": {"type": "uint", "values": ["n"]}
//     },
//     "launches": [{"kernel": "saxpy", "grid": ["n"], "threadgroup": [256],
//                   "bind": {"0": "x", "1": "y", "2": {"buffer": "n", "offset": 0}},
//                   "threadgroup_memory": {"0": 1024}}],
//     "repeat": 1,                                 optional: how often all launches are carried out
//     "swap": [["u", "v"]],                        optional: names that change places after each
//                                                  round
//     "expect": {"y": {"file": "expected_{label}.npy"}},
//     "reference": ["python3", "reference.py", "{folder}", "{n}"],
//     "tolerance": {"max_abs": 1e-6, "relative": 1e-6},
//     "work": {"bytes": "12*n"}
//   }
//
// Numbers: an integer, or a sum of products of integers and parameters ("nx*ny + 1"). Types are
// Metal's scalars: float, half, bool, and char, short, int and long with their unsigned kin; values
// are little-endian. `{label}` and `{parameter}` in file names and words of the command stand for
// the size's.
//
// A buffer's contents come from `values`, from `file` (.npy, or raw bytes of `type`; relative to
// the plan), or from `count` elements of `fill`: {"constant": c}, {"iota": [first, step]} or
// {"uniform": [low, high], "seed": s}; zeros without one. `grid` is in threads, one to three
// numbers, as `threadgroup`; grids that do not divide have smaller threadgroups at their edges, as
// in Metal. `bind` goes by [[buffer(n)]], `threadgroup_memory` (bytes) by [[threadgroup(n)]].
//
// `expect` names the results, after all changes of places: each with a `file`, or `{}` where the
// `reference` command makes it. That command is run once a size, in the plan's folder, without a
// shell; it finds each buffer's contents in {folder}/NAME.bin and leaves {folder}/NAME.out, raw.
// A result is right where no element is off by more than max_abs + relative * the largest expected
// magnitude; without a tolerance, where all bytes agree. `work` (bytes or flops of a pass) is what
// speed is counted in; without it, the bytes of all buffers.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "evaluator/task.h"
#include "lint/metal/result.h"

namespace msci {

// Owns what its task's names and functions refer to.
class PlanFile {
 public:
  virtual ~PlanFile() = default;
  virtual const Task& task() const = 0;
};

// Reads the plan and all that it names, and runs its reference, for each size at most that long.
// Errors begin with the file and the JSON pointer of the wrong field ("plan.json: /launches/0/grid:
// ...") and say what to write instead.
Result<std::unique_ptr<PlanFile>> read_plan_file(
    const std::string& path, std::chrono::milliseconds reference_limit = std::chrono::minutes(2));

}  // namespace msci
