// The ways to time passes, by the names that options, requests and results use.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

enum class TimingProtocol {
  steady,     // until the mean is known to half a per cent
  metal_sci,  // as the benchmark times
  benchmark,  // as stand-alone benchmarks time
};

// The name that options and results use, such as "metal-sci".
std::string_view to_string(TimingProtocol protocol);

// The protocol with this name, if there is one.
std::optional<TimingProtocol> timing_protocol_of(std::string_view name);

std::vector<std::string> timing_protocol_names();

}  // namespace msci
