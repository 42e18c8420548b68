// What arithmetic on floats means in a translation; a header without Clang and LLVM.
#pragma once

namespace msci {

// Fast math allows the compiler to choose among these, at each place of a kernel.
struct NumericMeaning {
  enum class Kind {
    as_written,      // each operation is rounded once, in the order of the source
    contracted,      // a product is added without being rounded first
    reassociated,    // sums and products in another order, without terms that cancel
    reciprocal,      // division by way of a rounded reciprocal
    fast_functions,  // exp, tanh, sin and others by their fast variants
    flushed,         // operands and results below the least normal number are zero
    nan_ignored,     // tests for NaN and infinity are decided as if there were none
    together,        // all of these at once
  };
  Kind kind = Kind::as_written;
  // The lines of the source with this meaning, both ends included; other lines mean what is
  // written.
  unsigned first_line = 0;
  unsigned last_line = ~0U;

  bool covers_all_lines() const { return first_line == 0 && last_line == ~0U; }
  // Whether all arithmetic flushes denormal numbers, so that the processor can do it.
  bool flushes_everywhere() const {
    return (kind == Kind::flushed || kind == Kind::together) && covers_all_lines();
  }
};

// An attribute of kernels whose floats keep denormal numbers; the engine flushes them otherwise.
inline constexpr const char* keeps_denormals = "msci-keeps-denormals";

}  // namespace msci
