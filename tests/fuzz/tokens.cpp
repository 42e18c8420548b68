// The pass over raw tokens: any bytes, and every place in its text stands for one in the original.
#include "lint/metal/tokens.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto metal = msci::text_of(data, size);
  const auto rewritten = msci::rewrite_tokens(metal);
  unsigned last = 0;
  for (unsigned i = 0; i <= rewritten.text().size(); ++i) {
    const auto original = rewritten.original_offset(i);
    msci::promise(original >= last && original <= size);
    last = original;
  }
  return 0;
}
