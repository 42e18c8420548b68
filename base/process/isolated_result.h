// Work in an isolated process that returns a value or an error.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <variant>

#include "base/msgpack_result.h"
#include "base/process/isolated_process.h"

namespace msci {

// What a caller says where the work did not end: "FAILED: it takes more than 5 s of processor
// time", then the advice. The reason alone without FAILED.
struct IsolatedMessage {
  std::string_view failed = "";
  std::string_view advice = "";
};

// The result in an outcome of work that returns to_msgpack<T>().
template <typename T>
Result<T> result_in(const Result<IsolatedOutcome>& outcome, const IsolatedMessage& message,
                    const JsonOptions& options = {}) {
  if (!outcome) return outcome.error();
  if (const auto* bytes = std::get_if<std::string>(&*outcome))
    return from_msgpack<T>(*bytes, options);
  const auto& reason = std::get<WorkFailure>(*outcome).reason;
  if (message.failed.empty()) return Error{reason};
  return Error{fmt::format("{}: {}{}", message.failed, reason, message.advice)};
}

// Runs work that returns a Result<T> in a copy of this process. Errors: also work that fails, and
// that no process can be started.
template <typename T, typename ResultWork>
Result<T> run_isolated_for(const ResultWork& work, const Limits& limits,
                           const IsolatedMessage& message) {
  return result_in<T>(run_isolated([&] { return to_msgpack<T>(work()); }, limits), message);
}

}  // namespace msci
