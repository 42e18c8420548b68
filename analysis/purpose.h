// What a translation is for; a header without Clang and LLVM.
#pragma once

namespace msci {

enum class TranslationPurpose {
  running,
  covering,   // running, and recording which outcomes of conditions a run sees
  checking,   // the checked mode
  tracing,    // the checked mode, and where infinity and NaN come from
  widening,   // the checked mode, with variables of 32 bits in place of narrower ones
  proving,    // quick proofs: the accesses, barriers and indices of `checking`, barely optimised
  profiling,  // counting what the kernels do
  numerics,   // running under one meaning of arithmetic (numeric_meaning.h)
  reading,    // by people: the code of `running`, with the lines of the source (reading.h)
};

}  // namespace msci
