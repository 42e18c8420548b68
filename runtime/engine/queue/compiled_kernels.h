// The compiled kernels of one translation.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "plan/plan.h"
#include "plan/program.h"
#include "runtime/engine/jit.h"

namespace msci::engine {

// One for each shape of threadgroups that is asked for.
class Kernels {
 public:
  // Both must outlive it.
  Kernels(Jit& jit, const Translation& translation) : jit_(jit), translation_(translation) {}

  const Translation& translation() const { return translation_; }
  // For threadgroups of that shape, or of any. `distinct`: no two parameters share a buffer.
  // `counted`: it counts what it does. `brief`: its launches end so soon that code for any shape
  // serves them, unless there is some for that shape already.
  Result<const CompiledKernel*> find(const std::string& symbol, std::optional<Extent> shape,
                                     const Execution& execution, bool distinct, bool counted,
                                     bool brief);
  // The code for threadgroups of any shape, for people to read.
  Result<std::string> assembly(const std::string& symbol);

 private:
  // What the translation says of a kernel.
  VectorOptions options_of(const std::string& symbol, bool distinct) const;

  Jit& jit_;
  const Translation& translation_;
  std::map<std::string, CompiledKernel> compiled_;
};

}  // namespace msci::engine
