#include "evaluator/modes/chosen_protocol.h"

#include "evaluator/session/certify_kernel.h"

namespace msci {

std::uint64_t nonce_of(const VerdictOptions& options) {
  return options.nonce.empty() ? fresh_nonce() : nonce_from(options.nonce);
}

EvaluationOptions protocol_of(const EvaluatorOptions& options) {
  EvaluationOptions protocol{
      .repeats = options.verdict.verify_only
                     ? verify_only
                     : repeats_of(*timing_protocol_of(options.timing.protocol)),
      .held_out = options.verdict.held_out,
      .stop_at_wrong = options.verdict.stop_at_wrong,
      .strict_nonce = nonce_of(options.verdict),
      .strict = {.fuzz_sizes = options.verdict.fuzz_sizes,
                 .thorough = options.is_strict(),
                 .refuses_unexecuted = options.verdict.refuses_unexecuted,
                 .certify = options.is_certified() ? certify_isolated : nullptr},
      .execution = options.verdict.execution};
  protocol.repeats.cold = options.timing.cold;
  return protocol;
}

}  // namespace msci
