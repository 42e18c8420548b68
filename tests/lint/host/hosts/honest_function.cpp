// needs: saxpy
// Honest: no main(); what the caller gets is copied from the buffer that the kernel wrote.
#include <Metal/Metal.hpp>
#include <algorithm>
#include <vector>

#define SET(encoder, value, index) encoder->setBytes(&value, sizeof(value), index)
#define LAUNCH(encoder, n) \
  (encoder)->dispatchThreads(MTL::Size((n), 1, 1), MTL::Size(std::min<uint32_t>((n), 256), 1, 1))

static MTL::ComputePipelineState* cached(MTL::Device* device, const char* name) {
  static MTL::ComputePipelineState* pipeline = nullptr;
  if (!pipeline) {
    auto* library = device->newDefaultLibrary();
    auto* function = library->newFunction(NS::String::string(name, NS::UTF8StringEncoding));
    pipeline = device->newComputePipelineState(function, nullptr);
  }
  return pipeline;
}

extern "C" void saxpy_reference(float a, const float* x, float* y, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

std::vector<float> saxpy(float a, const std::vector<float>& x, const std::vector<float>& y) {
  auto* device = MTL::CreateSystemDefaultDevice();
  const uint32_t n = x.size();
  auto* xs = device->newBuffer(n * sizeof(float), MTL::ResourceStorageModeShared);
  auto* ys = device->newBuffer(n * sizeof(float), MTL::ResourceStorageModeShared);
  std::copy(x.begin(), x.end(), static_cast<float*>(xs->contents()));
  std::copy(y.begin(), y.end(), static_cast<float*>(ys->contents()));
  auto* commands = device->newCommandQueue()->commandBuffer();
  auto* encoder = commands->computeCommandEncoder();
  encoder->setComputePipelineState(cached(device, "saxpy"));
  encoder->setBuffer(xs, 0, 0);
  encoder->setBuffer(ys, 0, 1);
  SET(encoder, a, 2);
  SET(encoder, n, 3);
  LAUNCH(encoder, n);
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  const auto* out = static_cast<const float*>(ys->contents());
  return std::vector<float>(out, out + n);
}
