#include "evaluator/cli/chosen_protocol.h"

namespace msci {

std::uint64_t nonce_of(const EvaluatorOptions& options) {
  return options.nonce.empty() ? fresh_nonce() : nonce_from(options.nonce);
}

EvaluationOptions protocol_of(const EvaluatorOptions& options) {
  EvaluationOptions protocol{
      .repeats =
          options.verify_only ? verify_only : repeats_of(*timing_protocol_of(options.protocol)),
      .held_out = options.held_out,
      .stop_at_wrong = options.stop_at_wrong,
      .strict_nonce = nonce_of(options),
      .strict = {.fuzz_sizes = options.fuzz_sizes, .thorough = options.is_strict()},
      .execution = options.execution};
  protocol.repeats.cold = options.cold;
  return protocol;
}

}  // namespace msci
