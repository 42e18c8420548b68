// needs: saxpy
// A loop stands in for the kernel, which is only fetched.
#include <Metal/Metal.hpp>

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* library = device->newDefaultLibrary();
  auto* function = library->newFunction(MTLSTR("saxpy"));  // expect: 'saxpy' is fetched here but never dispatched
  auto* pipeline = device->newComputePipelineState(function, nullptr);
  const unsigned n = 4096;
  auto* x = device->newBuffer(n * 4, MTL::ResourceStorageModeShared);
  auto* y = device->newBuffer(n * 4, MTL::ResourceStorageModeShared);
  auto* xs = reinterpret_cast<float*>(x->contents());
  auto* ys = reinterpret_cast<float*>(y->contents());
  for (unsigned i = 0; i < n; ++i) xs[i] = i;
  const float a = 2.0f;
  for (unsigned i = 0; i < n; ++i) {
    const float product = a * xs[i];
    ys[i] = product + ys[i];  // expect: a loop computes into 'y' on the CPU: no kernel is dispatched for it
  }
  pipeline->release();
}
