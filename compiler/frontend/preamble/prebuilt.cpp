#include "compiler/frontend/preamble/prebuilt.h"

// clang-format off
#define MSCI_OLD_VERSION(number)
#define MSCI_VERSION(number)                                                                       \
  asm(".section .rodata\n"                                                                         \
      ".balign 64\n"                                                                               \
      ".globl msci_prebuilt_" #number "\n"                                                         \
      "msci_prebuilt_" #number ":\n"                                                               \
      ".incbin \"" MSCI_PREBUILT_FOLDER "/" #number ".ast\"\n"                                     \
      ".globl msci_prebuilt_" #number "_end\n"                                                     \
      "msci_prebuilt_" #number "_end:\n"                                                           \
      ".previous\n");                                                                              \
  extern "C" const char msci_prebuilt_##number[], msci_prebuilt_##number##_end[];
#include "compiler/frontend/versions.def"
#undef MSCI_VERSION
// clang-format on

namespace msci {

std::string_view prebuilt_headers(LanguageVersion version) {
  switch (version.number) {
#define MSCI_VERSION(number) \
  case number:               \
    return {msci_prebuilt_##number, msci_prebuilt_##number##_end};
#include "compiler/frontend/versions.def"
#undef MSCI_VERSION
#undef MSCI_OLD_VERSION
    default:
      return {};
  }
}

}  // namespace msci
