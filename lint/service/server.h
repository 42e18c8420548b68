// msci-lint --server: responds to requests until they end (docs/reference/server.md).
#pragma once

#include <optional>
#include <string>

#include "lint/service/protocol.h"

namespace msci {

// Serves requests on standard input until it ends. Errors: the reader closed standard output.
[[nodiscard]] std::optional<Error> serve_standard_input(const ServerOptions& options);

// Creates a Unix socket at `path`, for this user alone, and serves its clients until SIGTERM or
// SIGINT; then removes the socket. Errors: the path exists, or the system refuses.
[[nodiscard]] std::optional<Error> serve_socket(const ServerOptions& options,
                                                const std::string& path);

}  // namespace msci
