// What a copy of the linter tells the one that started it.
#include "lint/wire.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto examination = msci::from_wire(msci::text_of(data, size));
  if (!examination) msci::promise(!examination.error().message.empty());
  return 0;
}
