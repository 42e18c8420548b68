// Clang's optimiser on the IR of a unit.
#pragma once

namespace llvm {
class Module;
}

namespace msci {

// Simplifies each function where inlining will make a large one: a helper that is called a hundred
// times is simplified once. Changes nothing in other modules.
void simplify_before_inlining(llvm::Module& ir);

// Afterwards no function of the source calls another, and only kernels are left.
void inline_everything(llvm::Module& ir);

// Whether loops are unrolled where the source asks for it (`#pragma unroll`). Drivers unroll where
// it pays; followed, the hints can make texts of megabytes. `forbid`: no loop is unrolled.
enum class UnrollHints { ignore, follow, forbid };

// An integer attribute of a loop whose hint was ignored: how many copies of its body the source
// asks for; 0 for all iterations.
constexpr const char* ignored_unroll_hint = "msci.loop.unroll";

// Clang's O2 without vectorisation: the driver's compiler knows its device better. Loops with known
// bounds are unrolled, and small private arrays become registers, unless the hints forbid it.
void optimise(llvm::Module& ir, UnrollHints hints = UnrollHints::ignore);

// A small part of that, in a small part of its time: variables and known numbers are in their
// places, equal values are one, loops test their end at the end, and what nothing uses is gone.
void simplify(llvm::Module& ir);

}  // namespace msci
