// What every fuzz target defines; libFuzzer's name for it. Returns 0; a broken promise aborts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace msci {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the run where a promise does not hold, in builds without assertions, too.
inline void promise(bool holds) {
  if (!holds) std::abort();
}

}  // namespace msci
