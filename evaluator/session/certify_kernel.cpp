#include "evaluator/session/certify_kernel.h"

#include <fmt/format.h>

#include "base/msgpack_result.h"
#include "base/process/isolated_process.h"
#include "instrument/coverage/certificate_json.h"
#include "instrument/coverage/passes/certify.h"

namespace msci {

Result<Certificate> certify_isolated(const Translation& translation,
                                     const OutcomeRecords& records) {
  constexpr Limits limits{.seconds = 30};
  auto process = IsolatedProcess::start(
      [&] { return to_msgpack<Certificate>(certify(translation, records)); }, limits);
  if (!process) return process.error();
  while (!process->read_available()) {
  }
  const auto ended = process->finish();
  if (!ended) return ended.error();
  if (const auto* bytes = std::get_if<std::string>(&*ended))
    return from_msgpack<Certificate>(*bytes);
  return Error{fmt::format("could not make the certificate of {}: {}", translation.source_name,
                           std::get<WorkFailure>(*ended).reason)};
}

}  // namespace msci
