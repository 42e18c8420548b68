// Result files: what msci-report gathers, and the proof that msci-eval asks for.
#include "evaluator/result/files/perf_result.h"
#include "search/report/summary.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = msci::text_of(data, size);
  const auto records = msci::records_in(text, "a.json");
  if (!records) msci::promise(records.error().message.find("a.json") != std::string::npos);
  const auto proof = msci::read_verify_result(text);
  if (proof) {
    const auto again = msci::read_verify_result(msci::to_json(*proof));
    msci::promise(bool(again));
  }
  return 0;
}
