// A source through the gate and the translator: the same text twice, and a program that is read
// back as it was.
#include "evaluator/session/compile_kernel.h"
#include "rules/rules.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto prepared =
      msci::compile({"a.metal", std::string(msci::text_of(data, size))}, msci::all_rules());
  if (!prepared || !prepared->translation) return 0;
  auto translation = *prepared->translation;
  const auto again = msci::from_program_file(msci::to_program_file(translation));
  // What a program file does not hold.
  translation.ir.clear();
  translation.numbers = {};
  msci::promise(again && *again == translation);
  return 0;
}
