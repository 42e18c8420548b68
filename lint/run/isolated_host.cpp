#include <utility>

#include "lint/run/lint_files.h"
#include "lint/run/serialise.h"

namespace msci {
namespace {

// The files stay in this process; only what the host does travels.
std::string read_and_serialise(const std::vector<Source>& files) {
  auto host = read_host(files);
  host.files.clear();
  return serialise(host);
}

Host unread_host(std::string reason) {
  return {.names_known = false, .dispatches_known = false, .failure = std::move(reason)};
}

}  // namespace

Result<std::shared_ptr<const Host>> read_host_isolated(std::vector<Source> files,
                                                       const Limits& limits) {
  const auto outcome = run_isolated([&] { return read_and_serialise(files); }, limits);
  if (!outcome) return outcome.error();
  Host host;
  if (const auto* failure = std::get_if<WorkFailure>(&*outcome)) {
    host = unread_host(failure->reason);
  } else {
    auto read = deserialise_host(std::get<std::string>(*outcome));
    if (!read) return read.error();
    host = *std::move(read);
  }
  host.files = std::move(files);
  return std::make_shared<const Host>(std::move(host));
}

}  // namespace msci
