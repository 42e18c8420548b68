// A configuration; what is wrong with one is said in words.
#include "lint/config.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto config = msci::parse_config(msci::text_of(data, size), "folder/.msci.json");
  if (!config)
    msci::promise(config.error().message.starts_with("folder/.msci.json"));
  else
    msci::excludes(*config, "folder/kernels/a.metal");
  return 0;
}
