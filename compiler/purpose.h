// What a translation is for; a header without Clang and LLVM.
#pragma once

namespace msci {

enum class TranslationPurpose {
  running,
  checking,   // the checked mode
  profiling,  // counting what the kernels do
};

}  // namespace msci
