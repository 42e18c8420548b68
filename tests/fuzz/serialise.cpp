// The result that an isolated process of the linter returns to its parent.
#include "lint/run/serialise.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto result = msci::deserialise(msci::text_of(data, size));
  if (!result) msci::promise(!result.error().message.empty());
  return 0;
}
