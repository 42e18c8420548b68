// Follows a host through its functions and notes what it does with kernels.
#pragma once

#include "lint/host/host.h"
#include "lint/host/syntax.h"

namespace msci::host {

// Fills in what `host` does; `tree` is the syntax of its source.
void follow(const Tree& tree, Host& host);

}  // namespace msci::host
