// The source of a host, interpreted.
#include "lint/host/host.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto host = msci::read_host({{"host.mm", std::string(msci::text_of(data, size))}});
  for (const auto& dispatch : host.dispatched) msci::promise(dispatch.range.begin.line > 0);
  return 0;
}
