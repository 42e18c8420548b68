// What a process gives up for good before it runs kernels that nobody has vetted.
#pragma once

#include <cstddef>

namespace msci {

// No new privileges, no core dumps, no network where the system can forbid it; and large stacks for
// the driver's threads. Call it before anything of the driver's is loaded.
void restrict_process();

// At most so much address space from now on.
void limit_memory(std::size_t bytes);

}  // namespace msci
