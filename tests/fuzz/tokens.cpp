// Whether a name would be an attribute's: any bytes, at every place.
#include "compiler/frontend/tokens/tokens.h"

#include <algorithm>

#include "tests/fuzz/target.h"

// Each place reads all that stands before it, so a table of 70 KiB took most of the test's time.
// No Metal source among the seeds is as long.
constexpr std::size_t most_bytes = 16 << 10;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto metal = msci::text_of(data, std::min(size, most_bytes));
  for (unsigned i = 0; i <= metal.size(); ++i)
    if (msci::names_attribute(metal, i)) msci::promise(metal.find("[") < i);
  return 0;
}
