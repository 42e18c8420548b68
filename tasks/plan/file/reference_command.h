// The commands of a plan: its reference, which computes the expected results, and its check, which
// judges the results of a kernel.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/cache.h"
#include "base/result.h"
#include "tasks/plan/plan.h"

namespace msci {

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
