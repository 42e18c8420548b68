// Reads hosts in Swift, Rust and Python: which kernels they fetch and dispatch, with what bound to
// which index.
#pragma once

#include "lint/host/host.h"
#include "lint/host/words/host_language.h"

namespace msci::host {

// Adds what a file does. It is read from top to bottom without following calls, so it never claims
// to know all dispatches. Bindings count as all only where the function that dispatches has made
// the encoder itself and passed it to nothing else. `lines_before`: of the host's earlier files.
void read_text_host(const Source& file, HostLanguage language, unsigned lines_before, Host& host);

}  // namespace msci::host
