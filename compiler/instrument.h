// An instrument changes the code of kernels so that a run also records something: the faults of the
// checked mode, the counts of a profile, or which conditions were seen. It consists of
//
//   passes      IR passes that insert calls into the kernels: InstrumentPasses, here
//   runtime     the functions that these calls run on the engine: RuntimeFunctions, here
//   the rest    what a run records, its decoder, and its results: in the instrument's own folder
//
// The compiler and the engine know this interface only. analysis/instruments.cpp and engine/jit.cpp
// list the instruments.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/optimise.h"
#include "tasks/plan/program.h"

namespace llvm {
class CallInst;
class Instruction;
class Module;
}  // namespace llvm

namespace msci {

// What an instrument does at each point of the pipeline (compiler/translate_kernels.cpp), in this
// order.
class InstrumentPasses {
 public:
  virtual ~InstrumentPasses() = default;

  // Whether accesses, variables, and calls of assert() and of an os_log stay those of the source
  // until before_optimisation(). Otherwise they may be merged and removed earlier.
  virtual bool keeps_source_form() const { return false; }
  // Whether instructions know their source locations.
  virtual bool needs_locations() const { return true; }
  // Whether the kernels are printed before finish(), for devices that run text.
  virtual bool leaves_text() const { return false; }
  virtual UnrollHints unroll_hints() const { return UnrollHints::ignore; }
  // Whether the code is only read, not run: then nothing follows before_optimisation() but
  // finish(). Kernels of which not all is known are left out, without a reason.
  virtual bool is_only_read() const { return false; }

  // A call through a table of functions, or through a pointer, has found no function. May insert
  // code before the instruction.
  virtual void at_missing_function(llvm::Instruction& /*before*/, const llvm::CallInst& /*call*/,
                                   bool /*is_entry_of_table*/) {}
  // While instructions are those of the source.
  virtual void before_inlining(llvm::Module&) {}
  // When only kernels are left.
  virtual void after_inlining(llvm::Module&) {}
  // When the address spaces of pointers are known; accesses have not been moved or merged.
  virtual void before_optimisation(llvm::Module&, std::vector<KernelSignature>&) {}
  virtual void after_optimisation(llvm::Module&) {}
  // Before instructions get their last order.
  virtual void before_scheduling(llvm::Module&) {}

  // Whether the kernels must be lowered once more, with other settings than before: the functions
  // above then return those.
  virtual bool wants_other_code(const llvm::Module&) { return false; }
  // After all other steps. Adds what devices and decoders need to the translation.
  virtual void finish(llvm::Module& ir, Translation& translation) = 0;
};

class SourceLocations;

// Makes the passes of a translation, whose locations outlive them. Without it, or where it makes
// none, kernels are translated as they are.
using Instrument = std::function<std::unique_ptr<InstrumentPasses>(SourceLocations&)>;

// The functions that instrumented code calls, by the names that generated code has for them.
using RuntimeFunctions = std::vector<std::pair<std::string, void*>>;

}  // namespace msci
