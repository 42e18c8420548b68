// A translated program's file: what is read is written again as it was meant.
#include "tasks/plan/program.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto translation = msci::from_program_file(msci::text_of(data, size));
  if (!translation) return 0;
  const auto again = msci::from_program_file(msci::to_program_file(*translation));
  msci::promise(again && *again == *translation);
  return 0;
}
