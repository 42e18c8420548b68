// The results of a plan file: what they must be, and whether a kernel's are right.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/cache.h"
#include "base/result.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_instance.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/task.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {

// What a result of a plan file must hold, and how far from it a kernel may be.
struct ExpectedResult {
  std::string type;         // Metal's scalar; empty of a texture
  Bytes contents;           // of a texture: its texels in its format
  bool is_compared = true;  // otherwise the plan's checking command decides
  std::string name = {};    // of the result
  std::optional<TextureShape> texture = {};
};

struct Tolerance {
  double max_abs = 0;
  double relative = 0;  // of the largest finite expected magnitude
  bool exact = true;    // all bytes must be equal; the others do not count

  // The largest error that passes.
  double limit(const ExpectedResult& expected) const;
};

// Why the expected result of a buffer cannot judge kernels: a wrong length, a NaN, a tolerance that
// zeros would meet at a declared size.
std::optional<std::string> why_useless(const ExpectedResult& expected, const Tolerance& tolerance,
                                       const PlanBuffer& buffer, const Size& size);

// The verdict on the outputs; its error is that of the output that exceeds its limit most. Without
// a tolerance, the error is the number of elements that differ. Textures are compared component by
// component (texture/texture_contents.h): a difference up to the rounding of the format counts as
// none.
Verdict judge(std::span<const ExpectedResult> expected, const Tolerance& tolerance,
              const Outputs& outputs);

// A plan at one size with its contents, and how its commands run.
struct PlanRun {
  const PlanDocument& document;
  const Size& size;
  const PlanInstance& instance;
  std::chrono::milliseconds limit;  // of each command
  Cache* cache = nullptr;           // of references; null: none is kept
};

// The field "expect", in the order of Plan::results.
std::vector<ExpectedResult> read_expected(PlanFieldReader& reader, const PlanRun& run,
                                          const Tolerance& tolerance);

// Whether the command of the field "check" takes the results; true without one.
bool run_check(PlanFieldReader& reader, const PlanRun& run,
               const std::vector<ExpectedResult>& expected, const Outputs& outputs);

// The commands of a plan: its reference, which computes the expected results, and its check, which
// judges the results of a kernel.
struct PlanCommand {
  // The program and its arguments, in which "{folder}" stands for the folder of data files.
  std::vector<std::string> words;
  std::filesystem::path working_folder;  // the plan's
  std::chrono::milliseconds limit{0};    // the process and its children are killed after it
  std::string size;                      // its label, for errors
};

// A file of the data folder.
struct DataFile {
  std::string name;  // "x.bin"
  std::span<const std::byte> contents;
};

struct ReferenceOutput {
  std::string name;  // of the buffer
  std::size_t bytes = 0;
};

// Writes the inputs, runs the command without a shell, and reads the outputs from NAME.out, in
// their order. Errors complete "reference: ...": "'python3' ended with status 1".
Result<std::vector<Bytes>> run_reference(const PlanCommand& command,
                                         std::span<const DataFile> inputs,
                                         std::span<const ReferenceOutput> outputs);

// The same from the cache, if the command ran before with the same words, inputs and files. The
// files are those of the working folder: their names, lengths and times. A folder with very many
// files is not cached.
Result<std::vector<Bytes>> find_reference(const PlanCommand& command,
                                          std::span<const DataFile> inputs,
                                          std::span<const ReferenceOutput> outputs, Cache& cache);

// Runs the command on the files. It writes "right" or "wrong" to the file "verdict". Errors: it
// fails, as a script with a mistake does, or writes something else.
Result<bool> run_check(const PlanCommand& command, std::span<const DataFile> files);

// The names, lengths and times (also of the inode, which no program sets) of the files of a folder
// and below it; nothing if there are more
// than a thousand, or if they cannot be read.
std::optional<std::string> describe_files(const std::filesystem::path& folder);

}  // namespace msci
