// LLVM IR of kernels → machine code of this processor.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/engine/vectors/vectorise.h"
#include "runtime/threadgroup/simdgroup.h"

namespace msci::engine {

struct CompiledKernel {
  KernelFunction run = nullptr;
  LaneFunction lane = nullptr;  // where `run` is Lanes::run
  VectorKernel needs;
  bool keeps_denormals = false;  // compiler/numeric_meaning.h
  bool has_shape = false;        // it serves threadgroups of one shape only
};

class Jit {
 public:
  // Errors: LLVM cannot generate code for this processor.
  static Result<std::unique_ptr<Jit>> make();
  ~Jit();

  // Code for one kernel of a module, which lives as long as this. `ir`: bitcode or text. `brief`:
  // its launches end soon, so long code is made quickly.
  Result<CompiledKernel> compile(std::string_view ir, const std::string& kernel,
                                 VectorOptions options, bool lane_by_lane, bool brief);
  // The assembly of that code, for people to read: instructions, labels and constants.
  Result<std::string> assembly(std::string_view ir, const std::string& kernel,
                               const VectorOptions& options);

 private:
  struct Parts;
  struct Code;
  Result<Code> code_of(std::string_view ir, const std::string& kernel, VectorOptions options,
                       bool lane_by_lane, bool brief);
  explicit Jit(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace msci::engine
