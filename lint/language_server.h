// msci-lint --lsp: a language server for editors (docs/editors.md).
#pragma once

#include "lint/server.h"

namespace msci {

// Speaks the Language Server Protocol on standard input and output until it is told to exit. The
// exit status that the protocol asks for: 0, or 1 where nobody said "shutdown" first. Errors: what
// comes is not framed as the protocol wants it.
Result<int> serve_editor(const Service& service);

}  // namespace msci
