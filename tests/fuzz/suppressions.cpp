// Comments that allow findings, and taking one out again.
#include "lint/lint.h"
#include "rules/rules.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const msci::Source source{"a.metal", std::string(msci::text_of(data, size))};
  const auto found = msci::suppressions_in(source, msci::all_rules());
  for (const auto& suppression : found.list)
    msci::promise(suppression.first_line > 0 && suppression.first_line <= suppression.last_line &&
                  !suppression.reason.empty());
  return 0;
}
