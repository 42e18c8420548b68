// The kernels of tests/bench/tuned: the seeds of tasks that memory limits, written for the bandwidth of a large GPU.
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
