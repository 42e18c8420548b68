// The option --order of programs that run kernels.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "plan/execution.h"

namespace msci {

inline void add_order_option(CLI::App& app, Execution& execution) {
  app.add_option_function<std::string>(
         "--order", [&execution](const std::string& text) { execution = *execution_from(text); },
         "on the device cpu: run threadgroups and simdgroups forward, reversed or in an order "
         "drawn from a hexadecimal key, on one core; parallel, the default, uses all cores; with "
         "lanes: before it, each lane runs alone, in that order, too")
      ->check([](const std::string& text) {
        const auto execution = execution_from(text);
        return execution ? std::string() : execution.error().message;
      });
}

}  // namespace msci
