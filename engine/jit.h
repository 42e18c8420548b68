// LLVM IR of kernels → machine code of this processor.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/threadgroup/simdgroup.h"
#include "engine/vectors/vectorise.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci::engine {

struct CompiledKernel {
  KernelFunction run = nullptr;
  LaneFunction lane = nullptr;  // where `run` is Lanes::run
  VectorKernel needs;
  bool keeps_denormals = false;  // compiler/numeric_meaning.h
  bool has_shape = false;        // it serves threadgroups of one shape only
};

// How much the launches of a kernel compute. Code for little work is made quickly: LLVM's time for
// good code exceeds what it saves.
enum class Work {
  much,
  little,  // up to some ten thousand threads: short code is good, long code is made quickly
  least,   // a few threadgroups
};

class Jit {
 public:
  // Errors: LLVM cannot generate code for this processor.
  static Result<std::unique_ptr<Jit>> make();
  ~Jit();

  // Code for one kernel of a module, which lives as long as this. `ir`: bitcode or text.
  Result<CompiledKernel> compile(std::string_view ir, const std::string& kernel,
                                 VectorOptions options, bool lane_by_lane, Work work);
  // Whether a kernel's threads may run in threadgroups of another shape (vectors/specialise.h).
  static bool knows_only_its_grid(std::string_view ir, const std::string& kernel);
  // The assembly of that code, for people to read: instructions, labels and constants.
  Result<std::string> assembly(std::string_view ir, const std::string& kernel,
                               const VectorOptions& options);

 private:
  struct Parts;
  struct Code;
  Result<Code> code_of(std::string_view ir, const std::string& kernel, VectorOptions options,
                       bool lane_by_lane, Work work);
  explicit Jit(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

// The compiled kernels of one translation: one for each shape of threadgroups that is asked for.
class Kernels {
 public:
  // Both must outlive it.
  Kernels(Jit& jit, const Translation& translation) : jit_(jit), translation_(translation) {}

  const Translation& translation() const { return translation_; }
  // For threadgroups of that shape, or of any. `distinct`: no two parameters share a buffer.
  // `is_clipped`: as in VectorOptions.
  // `counted`: it counts what it does. Unless `work` is much, code for any shape serves it, if
  // there is none for that shape already.
  Result<const CompiledKernel*> find(const std::string& symbol, std::optional<Extent> shape,
                                     const Execution& execution, bool distinct, bool counted,
                                     Work work, bool is_clipped = false);
  // The shape of threadgroups in which the threads of a grid may run: one without smaller ones at
  // the edges, of rows that fill simdgroups, where the kernel cannot tell. Otherwise the one that
  // is asked for.
  Extent shape_for(const std::string& symbol, const Extent& grid, const Extent& threadgroup);
  // The code for threadgroups of any shape, for people to read.
  Result<std::string> assembly(const std::string& symbol);

 private:
  // What the translation says of a kernel.
  VectorOptions options_of(const std::string& symbol, bool distinct) const;

  Jit& jit_;
  const Translation& translation_;
  std::map<std::string, CompiledKernel> compiled_;
  std::map<std::string, bool> knows_only_its_grid_;  // of kernels that were asked for
};

}  // namespace msci::engine
