// The option --order of programs that run kernels.
#pragma once

#include "base/command_line/option_table.h"
#include "tasks/plan/execution.h"

namespace msci {

inline OptionRow order_option(Execution& execution) {
  const TextTarget target{
      .set = [&execution](const std::string& text) { execution = *execution_from(text); },
      .get = [&execution] { return to_string(execution); }};
  const auto complaint = [](const std::string& text) {
    const auto read = execution_from(text);
    return read ? std::string() : read.error().message;
  };
  return option(
      "--order", target,
      "on the device cpu: run threadgroups and simdgroups forward, reversed or in an order "
      "drawn from a hexadecimal key, on one core; parallel, the default, uses all cores; "
      "with lanes: before it, each lane runs alone, in that order, too",
      {.check = complaint, .kind = "judging", .in_key = true});
}

}  // namespace msci
