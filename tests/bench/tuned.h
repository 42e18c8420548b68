// The kernels of tests/bench/tuned: for tasks that memory limits, with the seeds' buffers and a host
// that dispatches a quarter of the threads.
#pragma once

#include <string_view>
#include <vector>

namespace msci {

// A file of that folder: "saxpy.metal" and its text.
struct TunedKernel {
  std::string_view name;
  std::string_view text;
};

extern const std::vector<TunedKernel> tuned_kernels;  // written by the build

}  // namespace msci
