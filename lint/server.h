// msci-lint --server: answers for as long as it is asked (docs/server.md).
#pragma once

#include <string>

#include "lint/check.h"

namespace msci {

// How the server is to lint where a request says nothing of it.
struct Service {
  Wishes wishes;
  Configs configs;
};

// Serves requests on standard input until it ends. Errors: standard output is closed to us.
Result<std::monostate> serve_standard_input(const Service& service);

// Serves all who connect to a Unix socket made at `path`, for this user alone, until SIGTERM or
// SIGINT; then the socket is gone. Errors: the path is taken, or the system says no.
Result<std::monostate> serve_socket(const Service& service, const std::string& path);

}  // namespace msci
