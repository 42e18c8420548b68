// For targets with Clang in them, which garbage may crash: each input has a process of its own.
#include "base/process/isolated_process.h"
#include "tests/fuzz/run_input.h"
#include "tests/fuzz/target.h"

namespace msci {

bool run_input(const std::string& input) {
  const auto ended = run_isolated([&] {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    return std::string();
  });
  if (!ended) return false;
  const auto* broken = std::get_if<WorkFailure>(&*ended);
  // What a broken promise of ours does; Clang's own end otherwise.
  return !broken || broken->reason.find("Aborted") == std::string::npos;
}

}  // namespace msci
