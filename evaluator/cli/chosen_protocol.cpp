#include "evaluator/cli/chosen_protocol.h"

#include <string>

#include "evaluator/cli/open_devices.h"

namespace msci {
namespace {

Repeats find_protocol(std::string_view name) {
  return name == "metal-sci" ? metal_sci : name == "benchmark" ? benchmark : steady;
}

}  // namespace

std::uint64_t nonce_of(const EvaluatorOptions& options) {
  return options.nonce.empty() ? fresh_nonce() : std::stoull(options.nonce, nullptr, 16);
}

Protocol protocol_of(const EvaluatorOptions& options) {
  Protocol protocol{.repeats = options.verify_only ? verify_only : find_protocol(options.protocol),
                    .held_out = options.held_out,
                    .stop_at_wrong = options.stop_at_wrong,
                    .strict_nonce = nonce_of(options),
                    .scrutiny = {.fuzz_sizes = options.fuzz_sizes, .thorough = options.is_strict()},
                    .execution = options.execution};
  protocol.repeats.cold = options.cold;
  if (counts_work(options)) protocol.chip = *find_chip(options.predict);
  return protocol;
}

}  // namespace msci
