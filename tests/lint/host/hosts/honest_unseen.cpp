// needs: saxpy
// What happens in a header that is not there is not ours to judge.
#include "gpu_runtime.h"

int main() {
  gpu::Runtime runtime("kernels.metallib");
  auto kernel = runtime.load("saxpy");
  auto x = runtime.array<float>(1024);
  auto y = runtime.array<float>(1024);
  kernel.launch(1024, x, y, 2.0f, 1024u);
  runtime.wait();
}
