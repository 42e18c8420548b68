// A user's own task: a JSON file that says what a host binds and dispatches, and what the results
// must be. docs/reference/plan_file.md has a worked example.
//
//   {
//     "name": "smooth", "title": "...",            optional, as "seed" and "page": files with the
//     "seed": "smooth.metal", "page": "smooth.md", seed kernel and a description in Markdown
//     "sizes": [{"label": "1000", "n": 1000}],     at least one; beside the label, parameters of
//                                                  any name, non-negative integers
//     "held_out": {"label": "4096", "n": 4096},    optional: for --held-out, --gate
//     "small": {"label": "64", "n": 64},           optional: for --check; else the first size
//     "buffers": {                                 by name
//       "x": {"type": "float", "count": "n", "fill": {"uniform": [-1, 1], "seed": 7},
//             "read_only": true},
//       "y": {"file": "y_{label}.npy"},
//       "n": {"type": "uint", "values": ["n"]},
//       "arguments": {"struct": [["uint", "n"], ["int", 1, 2, 3], {"buffer": "x", "offset": 4}]}
//     },
//     "textures": {"image": {"kind": "2d", "format": "rgba8unorm", "width": "n", "height": 4,
//                            "mip_levels": 1, "file": "image.png"}},
//     "samplers": {"smooth": {"filter": "linear", "address": "repeat"}},
//     "constants": {"width": 8, "wraps": true},    optional: values of function constants
//     "launches": [{"kernel": "saxpy", "grid": ["n"], "threadgroup": [256], "clamp": true,
//                   "bind": {"0": "x", "1": "y", "2": {"buffer": "n", "offset": 0},
//                            "3": {"type": "uint", "values": ["1 << level"]}},
//                   "textures": {"0": "image"}, "samplers": {"0": "smooth"},
//                   "threadgroup_memory": {"0": 1024},
//                   "times": "log2(n)", "index": "level", "if": "n > 1"}],
//     "repeat": 1,                                 optional: how often all launches run
//     "swap": [["u", "v"]],                        optional: names to swap after each repetition
//     "expect": {"y": {"file": "expected_{label}.npy"}},
//     "reference": ["python3", "reference.py", "{folder}", "{n}"],
//     "check": ["python3", "check.py", "{folder}"],
//     "tolerance": {"max_abs": 1e-6, "relative": 1e-6},
//     "work": {"bytes": "12*n"},
//     "stress": {"sizes": [{"label": "100", "n": 100}], "random": {"n": [1, 300]}}
//   }
//
// Numbers are integers or formulas of them and the parameters (file/plan_numbers.h), and in
// launches also of the indices of loops, of which "round" is that of "repeat". Types are Metal's
// scalars: float, half, bfloat, bool, and char, short, int and long, also unsigned; values are
// little-endian. In file names and commands, `{label}` and `{parameter}` are replaced by the
// size's.
//
// A buffer's contents come from `values`, from `file` (.npy, or raw bytes of `type`; relative to
// the plan), or from `count` elements of `fill`: {"constant": c}, {"iota": [first, step]} or
// {"uniform": [low, high], "seed": s}; zeros without one. The members of a `struct` lie as a
// compiler lays them out: each at a multiple of its element's size; file/plan_instance.h has the
// members that are pointers, tables of functions and structs. `grid` (threads) and
// `threadgroup` have one to three numbers; if the threadgroup does not divide the grid, those at
// the edges are smaller, as in Metal. `bind` is by [[buffer(n)]], `threadgroup_memory` (bytes) by
// [[threadgroup(n)]].
//
// A texture is a buffer of the plan with texels (texture/texture_memory.h), and a sampler one with
// a word (texture/sampler_bits.h). Files and commands have texels in the texture's format
// (file/texture/texture_contents.h, which also compares results).
//
// `expect` names the results, after all swaps (--check needs none): each with a `file`, or `{}` if
// the `reference` command makes it. That command runs once for each size, in the plan's folder,
// without a shell. It reads each buffer's contents from {folder}/NAME.bin and writes raw results to
// {folder}/NAME.out. A result is correct if no element's error exceeds max_abs + relative * the
// largest expected magnitude; without a tolerance, if all bytes are equal. With `check`, that
// command decides about the results marked `{}`: it finds them in {folder}/NAME.got, those of the
// reference, if there is one, in NAME.out, and writes "right" or "wrong" to {folder}/verdict. Speed
// is reported in `work` (bytes, flops or operations of a pass) per second; without it, in the bytes
// of all buffers.
//
// `stress` is the problem of the strict verdict: the numbers of "uniform" fills then depend on a
// key, and buffers without contents of their own are poisoned.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tasks/plan/sized_number.h"
#include "tasks/plan/task.h"

namespace msci {

// Owns everything that its task refers to.
class PlanFile {
 public:
  virtual ~PlanFile() = default;
  virtual const Task& task() const = 0;
};

// Reads the plan, with the seed and the page that it names, but no inputs and no expected results:
// those are read by Task::load. Errors of both begin with the file and the JSON pointer of the
// wrong field ("plan.json: /launches/0/grid: ...") and say what to write instead.
Result<std::unique_ptr<PlanFile>> read_plan_file(const std::string& path);

// The pass of a task for proofs, which need the lengths of buffers and what small ones hold: of a
// plan file, buffers of more than a MiB have no contents, so that it takes little memory whatever
// their lengths are. Needs no Task::load. Errors: as of Task::plan.
Result<Plan> plan_to_prove(const Task& task, const Size& size, const Translation& program);

// How the numbers of a plan file grow with the size's parameter of that index while the others
// stay: a number of a launch, and the count of a buffer, is one of these at each n, or the same at
// all n. None where that is not certain, as with a formula that compares the parameter; and for
// other tasks.
std::optional<std::vector<SizedNumber>> growing_numbers(const Task& task, const Size& size,
                                                        std::size_t parameter);

}  // namespace msci
