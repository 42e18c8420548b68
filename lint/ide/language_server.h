// msci-lint --lsp: a language server for editors (docs/guide/editors.md).
#pragma once

#include "lint/service/server.h"

namespace msci {

// Speaks the Language Server Protocol on standard input and output until "exit". Returns the exit
// status of the protocol: 0, or 1 if no "shutdown" came first. Errors: a malformed message header.
Result<int> serve_editor(const ServerOptions& options);

}  // namespace msci
