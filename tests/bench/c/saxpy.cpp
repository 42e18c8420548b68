#include "tests/bench/c/kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {
namespace {

unsigned count(Bound bound) { return value<unsigned>(bound, 3); }

void run(Bound bound, unsigned first, unsigned end) {
  const float* __restrict x = buffer<float>(bound, 0);
  float* __restrict y = buffer<float>(bound, 1);
  const auto a = value<float>(bound, 2);
  for (std::size_t i = first; i < end; ++i) y[i] = a * x[i] + y[i];
}

}  // namespace

const Kernel saxpy{.name = "saxpy", .count = count, .run = run, .least = 4096};

}  // namespace msci::c::MSCI_C_NAMESPACE
