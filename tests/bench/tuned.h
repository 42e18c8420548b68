// The kernels of tests/bench/tuned: for tasks that memory limits, with the seeds' buffers and a
// host that dispatches a quarter of the threads.
#pragma once

#include <vector>

#include "tests/bench/embedded_text.h"

namespace msci {

extern const std::vector<EmbeddedText> tuned_kernels;  // written by the build

}  // namespace msci
