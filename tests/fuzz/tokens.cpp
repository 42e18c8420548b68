// Whether a name would be an attribute's: any bytes, at every place.
#include "frontend/tokens/tokens.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto metal = msci::text_of(data, size);
  for (unsigned i = 0; i <= metal.size(); ++i)
    if (msci::names_attribute(metal, i)) msci::promise(metal.find("[") < i);
  return 0;
}
