#include "base/judging/timing_protocol.h"

#include <array>

namespace msci {
namespace {

constexpr std::array protocols = {TimingProtocol::steady, TimingProtocol::metal_sci,
                                  TimingProtocol::benchmark};

}  // namespace

std::string_view to_string(TimingProtocol protocol) {
  switch (protocol) {
    case TimingProtocol::steady:
      return "steady";
    case TimingProtocol::metal_sci:
      return "metal-sci";
    case TimingProtocol::benchmark:
      return "benchmark";
  }
  return "";
}

std::optional<TimingProtocol> timing_protocol_of(std::string_view name) {
  for (const auto protocol : protocols)
    if (to_string(protocol) == name) return protocol;
  return std::nullopt;
}

std::vector<std::string> timing_protocol_names() {
  std::vector<std::string> names;
  for (const auto protocol : protocols) names.emplace_back(to_string(protocol));
  return names;
}

}  // namespace msci
