// A kernel as it is in launches of which the facts are known.
#pragma once

#include <functional>

#include "analysis/facts/launch_facts.h"
#include "tasks/plan/program.h"

namespace llvm {
class Function;
}

namespace msci::prover {

// Brings loops into LLVM's LCSSA form, each with a preheader, one latch and exits of its own, and
// replaces switches by branches.
void normalise_loops(llvm::Function& kernel);

// Unrolls loops with a known small number of iterations that have a barrier, or a counter that is
// no sum, as that of `stride /= 2`. Normalises loops; returns whether it unrolled any.
bool unroll(llvm::Function& kernel);

// The names of the functions that stand for a thread's position afterwards, "msci.prover.local.0"
// and "msci.prover.group.0" for the dimensions 0 to 2. They return 32 bits.
inline constexpr const char* local_position = "msci.prover.local.";
inline constexpr const char* group_position = "msci.prover.group.";
// The function that stands for the size of the launches (AllSizes). It returns 64 bits.
inline constexpr const char* size_of_launch = "msci.prover.size";

// How much LLVM simplifies the code.
enum class Effort {
  quick,  // little: a tenth of the time. Values may have no terms that have some with `full`
  full,
};

// Puts in what the facts say: sizes, and the contents of small read-only memory. Then optimises,
// and unrolls loops with barriers or with counters that are no sums, if their number of iterations
// is known and small. No access that the calls record is lost. The function is the only one of its
// module with a body. Afterwards its loops have a preheader, one latch, and exits of their own.
//
// `goes_on`, unless it is null, is asked before loops are unrolled: a kernel that says enough as it
// is then is left so.
void specialise(llvm::Function& kernel, const KernelSignature& signature, const LaunchFacts& facts,
                Effort effort, const std::function<bool()>& goes_on = nullptr);

// The number of threads of the launch's last threadgroup in a dimension, 0 to 2.
unsigned last_threads(const LaunchFacts& facts, unsigned dimension);
unsigned side(const Extent& extent, unsigned dimension);
// Whether the grid depends on the size of the launches in a dimension.
bool is_open(const LaunchFacts& facts, unsigned dimension);
// The number of threadgroups in a dimension, at most.
unsigned groups(const LaunchFacts& facts, unsigned dimension);

}  // namespace msci::prover
