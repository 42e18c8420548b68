// Rounds that a host without threads resumes. A trap leaves the module without unwinding: the
// objects of its frames stay in its memory.
#include "base/process/rounds.h"

#include "module_host.h"

namespace msci {

// Called by the host, with the stack pointer as the trap has left it.
extern "C" __attribute__((export_name("msci_resume"))) void msci_resume(
    const std::function<bool()>* round) {
  while ((*round)())
    if (msci_leaves(round)) __builtin_trap();
}

void run_rounds(const std::function<bool()>& round) { msci_resume(&round); }

}  // namespace msci
