// What the process that runs a kernel reports: the kernel may have written it.
#include "engine/device/worker_protocol.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = msci::parse_json<msci::Json>(msci::text_of(data, size));
  if (!json) return 0;
  try {
    const auto reply = msci::to_json(msci::run_from(*json));
    msci::promise(msci::to_json(msci::run_from(reply)) == reply);
  } catch (const msci::Json::exception&) {
    // Malformed, which the worker's owner reports.
  }
  return 0;
}
