// needs: saxpy
// Computed elsewhere by a function of the host's, then copied over the kernel's output.
#include <Metal/Metal.hpp>
#include <cstring>
#include <vector>

static float one(float a, float x, float y) { return a * x + y; }

static std::vector<float> solve(float a, const float* x, const float* y, unsigned n) {
  std::vector<float> all;
  // expect: a loop computes into 'y' on the CPU: it overwrites what 'saxpy' stored in index 1
  for (unsigned i = 0; i < n; ++i) all.push_back(one(a, x[i], y[i]));
  return all;
}

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* pipeline = device->newComputePipelineState(
      device->newDefaultLibrary()->newFunction(MTLSTR("saxpy")), nullptr);
  unsigned n = 1024;
  float a = 2.0f;
  auto* x = device->newBuffer(n * 4, MTL::ResourceStorageModeShared);
  auto* y = device->newBuffer(n * 4, MTL::ResourceStorageModeShared);
  auto answer = solve(a, (const float*)x->contents(), (const float*)y->contents(), n);
  auto* encoder = device->newCommandQueue()->commandBuffer()->computeCommandEncoder();
  encoder->setComputePipelineState(pipeline);
  encoder->setBuffer(x, 0, 0);
  encoder->setBuffer(y, 0, 1);
  encoder->setBytes(&a, 4, 2);
  encoder->setBytes(&n, 4, 3);
  encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(64, 1, 1));
  std::memcpy(y->contents(), answer.data(), n * sizeof(float));
}
