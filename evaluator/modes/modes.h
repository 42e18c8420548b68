// The modes of msci-eval, which driver/eval_main.cpp chooses from.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/isolated_process.h"
#include "base/result.h"
#include "compiler/mesa/mesa_compiler.h"
#include "engine/device/device.h"
#include "evaluator/batch.h"
#include "evaluator/check/check_result.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/profile/profile_result.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/session/candidate.h"
#include "tasks/plan/program.h"
#include "tasks/plan/task.h"

namespace msci {

// msci-eval --check: runs kernels once with every access checked, and prints what was found.

// One pass of a candidate, compiled for checking, at the task's small size, which also tests what
// is assumed: by the conditions, and by comments of the source.
CheckResult check_candidate_on(const Candidate& candidate, const Task* task, Device& device,
                               const std::vector<std::string>& assumed = {});

// Returns the exit code.
int check_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                Device& device);

// The code that msci makes of kernels, for people to read.
inline constexpr std::array code_languages = {"opencl", "llvm-ir", "assembly", "apple"};

// The kernels of a translation for reading in one of these languages; "assembly" is that of this
// processor, "apple" and "apple-m2" that of an M1 and an M2. A line ends with a
// comment that names the line of the source: "// line 12". Code is generated in isolated processes.
// Errors: it exceeds a limit; those of machine code.
Result<std::string> code_text(std::string_view language, const Translation& translation,
                              const Limits& limits);

// msci-eval --emit: the translation of a file, or code with the lines of its source.

// Prints the code, with --json as an object. Kernels that cannot be translated are left out and
// listed with their reasons: in the object, or as warnings. Returns the exit code:
// could_not_check where no kernel is left.
int emit_file(const EvaluatorOptions& options);

// Machine code of Apple's GPUs for the kernels of a translation.

// The kernels of a translation for reading, compiled by Mesa, with the lines of the source. Errors:
// Mesa's compiler is not installed, or does not start.
Result<CompiledByMesa> apple_code_of(const Translation& translation, const AppleGpu& gpu,
                                     const Limits& limits);

// The code as text: a line ends with a comment that names the line of the source: "// line 12".
// Errors: no kernel could be compiled.
Result<std::string> to_text(const CompiledByMesa& compiled);

// The list of devices as JSON: msci-eval --list-devices --json.

// One line a device: index (in --device), name, vendor, platform, driver, platform_index,
// device_index, kind, compute_units, max_threads_per_threadgroup, threadgroup_memory, global_memory
// and max_buffer (bytes).
std::string devices_json(std::span<const DeviceInfo> devices);

// msci-eval --profile: what kernels do, and what bounds them on an Apple GPU.

// A candidate, compiled for profiling, at each size of the task.
ProfileResult profile_candidate_on(const Candidate& candidate, const Task* task, const Chip& chip,
                                   Device& device);

// Profiles the files on their tasks and prints the results. The exit status.
int profile_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                  Device& device);

// Which options do not fit each other or the tasks that they name. What excludes or needs another
// option stands in the rows of the options.

// Why the options do not say what a batch, --emit or a judgement needs.
[[nodiscard]] std::optional<Error> refuse_incomplete(const EvaluatorOptions& options);

// Why the options do not fit these tasks.
[[nodiscard]] std::optional<Error> refuse(const EvaluatorOptions& options,
                                          std::span<const Task* const> tasks);

// The files of --verify-result and --perf-result.

// Checks the options of these files, and removes those that this run writes, so that an old file
// cannot pass for a new one. Reads the file that --perf-result times into its origin. Errors: not
// exactly one file and one task, or --perf-result without a verify result that allows it.
[[nodiscard]] std::optional<Error> prepare_result_files(const EvaluatorOptions& options,
                                                        std::vector<CandidateOrigin>& origins);

// Writes the files. For --perf-result, it evaluates the task's seed, too.
[[nodiscard]] std::optional<Error> write_result_files(const EvaluatorOptions& options,
                                                      const EvaluationResult& result,
                                                      const Candidate& candidate, const Task& task,
                                                      const EvaluationContext& context,
                                                      const BatchOptions& batch);

// What follows the verdict on a kernel that is wrong.

// Whether the kernel ran to its end and has a wrong result. Other failures say why they failed.
bool is_wrong(const EvaluationResult& result);
// Whether the strict verdict, which may not decide, has one.
bool is_wrong_strictly(const EvaluationResult& result);

// Why the kernel of a result that is wrong in either sense is wrong: what checked runs find at the
// task's small size and then at the first that is wrong, within about ten seconds, or else the
// faults of the strict verdict. Without a finding, where the kernel begins to differ from the
// task's own, within ten seconds more or --time-limit. `candidate`: for checks.
Diagnosis diagnose(const EvaluatorOptions& options, const Candidate& candidate, const Task& task,
                   const EvaluationResult& result);

// msci-eval --numerics: whether results depend on the freedom that fast math leaves.

// Runs each selected kernel at the first size under each meaning of fast math, and prints where
// results leave the task's tolerance. Returns the worst exit code.
int numerics_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                   Device& device);

// msci-eval --slurm: judges many files on the nodes of a Slurm cluster.

// Splits the files among the jobs of an array, each of which runs msci-eval with all other options
// on its share, and prints the results in the order of the files. Results that the folder has from
// an earlier run of the same batch are not computed again. Returns the exit code.
int judge_on_slurm(const EvaluatorOptions& options);

// The user's cache of verdicts, references and ceilings.

// Prints what it holds, as text or as a JSON object; returns the exit code.
int print_cache(bool json);

// Removes all of it; returns the exit code.
int clear_cache();

// Evaluates the kernels that the options of msci-eval select, and prints the results.

// Prints each result as soon as it is there; returns the exit code. `origins`: origins_of() the
// options.
int evaluate_files(const EvaluatorOptions& options, std::vector<CandidateOrigin> origins,
                   BatchOptions batch, const std::vector<EvaluationContext>& contexts);

// The exit code for one result; with `strict`, the strict verdict decides, too.
int exit_status(const EvaluationResult& result, bool strict);

// msci-eval --prove: proves what holds of kernels for all threads, orders and data, and runs what
// it refutes. The device runs checked kernels. Returns the exit code: a kernel is not right if a
// run shows that it is not.
int prove_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                Device& device);

}  // namespace msci
