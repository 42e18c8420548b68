// A generator's answer: the source in it is a part of it, and not empty.
#include "evaluator/server/answer_source.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto answer = msci::text_of(data, size);
  const auto source = msci::find_source(answer);
  if (source)
    msci::promise(!source->empty());
  else
    msci::promise(!source.error().message.empty());
  return 0;
}
