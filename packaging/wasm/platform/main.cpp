// msci-lint as a WebAssembly module.
//   MSCI_FOLDER (in the environment): the current folder, which WASI does not know
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "driver/tools.h"

int main(int argc, char** argv) {
  if (const char* folder = std::getenv("MSCI_FOLDER")) ::chdir(folder);
  const int status = msci::lint_main(argc, argv);
  std::fflush(nullptr);
  std::_Exit(status);
}
