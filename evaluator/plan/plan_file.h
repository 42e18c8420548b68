// A user's own task: a JSON file that says what a host binds and dispatches, and what the results
// must be. docs/plan_file.md has a worked example.
//
//   {
//     "sizes": [{"label": "1000", "n": 1000}],     at least one; beside the label, parameters of
//                                                  any name, non-negative integers
//     "held_out": {"label": "4096", "n": 4096},    optional: for --held-out, --gate
//     "small": {"label": "64", "n": 64},           optional: for --check; else the first size
//     "buffers": {                                 by name
//       "x": {"type": "float", "count": "n", "fill": {"uniform": [-1, 1], "seed": 7}},
//       "y": {"file": "y_{label}.npy"},
//       "n": {"type": "uint", "values": ["n"]},
//       "arguments": {"struct": [["uint", "n"], ["float", 0.5], ["int", 1, 2, 3]]}
//     },
//     "constants": {"width": 8, "wraps": true},    optional: values of function constants
//     "launches": [{"kernel": "saxpy", "grid": ["n"], "threadgroup": [256],
//                   "bind": {"0": "x", "1": "y", "2": {"buffer": "n", "offset": 0}},
//                   "threadgroup_memory": {"0": 1024}}],
//     "repeat": 1,                                 optional: how often all launches run
//     "swap": [["u", "v"]],                        optional: names to swap after each repetition
//     "expect": {"y": {"file": "expected_{label}.npy"}},
//     "reference": ["python3", "reference.py", "{folder}", "{n}"],
//     "tolerance": {"max_abs": 1e-6, "relative": 1e-6},
//     "work": {"bytes": "12*n"}
//   }
//
// Numbers: an integer, or a sum of products of integers and parameters ("nx*ny + 1"). Types are
// Metal's scalars: float, half, bfloat, bool, and char, short, int and long, also unsigned; values
// are little-endian. In file names and in the command, `{label}` and `{parameter}` are replaced by
// the size's.
//
// A buffer's contents come from `values`, from `file` (.npy, or raw bytes of `type`; relative to
// the plan), or from `count` elements of `fill`: {"constant": c}, {"iota": [first, step]} or
// {"uniform": [low, high], "seed": s}; zeros without one. The members of a `struct` lie as a
// compiler lays them out: each at a multiple of its element's size. `grid` (threads) and
// `threadgroup` have one to three numbers; if the threadgroup does not divide the grid, those at
// the edges are smaller, as in Metal. `bind` is by [[buffer(n)]], `threadgroup_memory` (bytes) by
// [[threadgroup(n)]].
//
// `expect` names the results, after all swaps (--check needs none): each with a `file`, or `{}` if the `reference`
// command makes it. That command runs once for each size, in the plan's folder, without a shell. It
// reads each buffer's contents from {folder}/NAME.bin and writes raw results to {folder}/NAME.out.
// A result is correct if no element's error exceeds max_abs + relative * the largest expected
// magnitude; without a tolerance, if all bytes are equal. Speed is reported in `work` (bytes or
// flops of a pass) per second; without it, in the bytes of all buffers.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "evaluator/plan/task.h"

namespace msci {

// Owns everything that its task refers to.
class PlanFile {
 public:
  virtual ~PlanFile() = default;
  virtual const Task& task() const = 0;
};

// Whether the results are compared with what the plan expects. Where they are not, a plan needs no
// "expect", and its reference does not run.
enum class Judging { yes, no };

// Reads the plan and all files that it names, and runs its reference, for each size at most that
// long. Errors begin with the file and the JSON pointer of the wrong field ("plan.json:
// /launches/0/grid: ...") and say what to write instead.
Result<std::unique_ptr<PlanFile>> read_plan_file(
    const std::string& path, std::chrono::milliseconds reference_limit = std::chrono::minutes(2),
    Judging judging = Judging::yes);

}  // namespace msci
