// The Metal headers as we understand them, held in memory: nothing is looked up on the user's disk.
#pragma once

#include <string_view>
#include <vector>

namespace msci {

// A header by the name that #include uses: "metal_stdlib". `__prelude` comes before every source.
struct Header {
  std::string_view name;
  std::string_view text;
};

const std::vector<Header>& metal_headers();

}  // namespace msci
