// For targets that must survive anything: a crash is one of the test's own.
#include "tests/fuzz/run_input.h"
#include "tests/fuzz/target.h"

namespace msci {

bool run_input(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  return true;
}

}  // namespace msci
