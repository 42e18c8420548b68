// needs: saxpy
// Threads of the processor's do it over again.
#include <Metal/Metal.hpp>
#include <thread>
#include <vector>

static void part(float* out, const float* in, float a, int begin, int end) {
  for (int i = begin; i < end; ++i)
    out[i] = a * in[i];  // expect: a loop computes into 'y' on the CPU
}

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* pipeline = device->newComputePipelineState(
      device->newDefaultLibrary()->newFunction(MTLSTR("saxpy")), nullptr);
  float a = 2.0f;
  uint32_t n = 4096;
  auto* x = device->newBuffer(n * sizeof(float), MTL::ResourceStorageModeShared);
  auto* y = device->newBuffer(n * sizeof(float), MTL::ResourceStorageModeShared);
  auto* encoder = device->newCommandQueue()->commandBuffer()->computeCommandEncoder();
  encoder->setComputePipelineState(pipeline);
  encoder->setBuffer(x, 0, 0);
  encoder->setBuffer(y, 0, 1);
  encoder->setBytes(&a, sizeof(a), 2);
  encoder->setBytes(&n, sizeof(n), 3);
  encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(256, 1, 1));
  auto* out = static_cast<float*>(y->contents());
  const auto* in = static_cast<const float*>(x->contents());
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back(part, out, in, a, t * 512, t * 512 + 512);
  for (auto& thread : threads) thread.join();
}
