// A plan's reference: a command that computes the expected results.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "evaluator/plan/plan.h"

namespace msci {

struct ReferenceCommand {
  std::vector<std::string> words;        // the program and its arguments
  std::filesystem::path working_folder;  // the plan's
  std::filesystem::path data_folder;     // of inputs and outputs
  std::chrono::milliseconds limit{0};    // the process and its children are killed after it
  std::string size;                      // its label, for errors
};

struct ReferenceInput {
  std::string name;
  std::span<const std::byte> contents;
};

struct ReferenceOutput {
  std::string name;
  std::size_t bytes = 0;
};

// Writes the inputs to NAME.bin, runs the command without a shell, and reads the outputs from
// NAME.out, in their order. Errors complete "reference: ...": "'python3' ended with status 1".
Result<std::vector<Bytes>> run_reference(const ReferenceCommand& command,
                                         std::span<const ReferenceInput> inputs,
                                         std::span<const ReferenceOutput> outputs);

}  // namespace msci
