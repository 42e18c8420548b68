// A source through the front end and all rules; findings lie in its text.
#include "lint/lint.h"

#include "lint/fix.h"
#include "rules/rules.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const msci::Source source{"a.metal", std::string(msci::text_of(data, size))};
  const auto report = msci::examine(source, msci::all_rules(), {});
  if (!report) return 0;
  for (const auto& finding : report->findings) msci::promise(!finding.message.empty());
  msci::apply_fixes(source, report->findings, msci::Fixes::all);
  return 0;
}
