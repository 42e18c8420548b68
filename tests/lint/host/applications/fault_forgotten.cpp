// Fault: the second kernel is fetched, and the first one is dispatched twice.
#include <Metal/Metal.hpp>

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* library = device->newDefaultLibrary();
  auto* first = device->newComputePipelineState(library->newFunction(MTLSTR("saxpy")), nullptr);
  // expect: 'row_sum' is fetched here but never dispatched
  auto* second = device->newComputePipelineState(library->newFunction(MTLSTR("row_sum")), nullptr);
  auto* x = device->newBuffer(4096, MTL::ResourceStorageModeShared);
  float a = 2.0f;
  uint32_t n = 64;
  for (int pass = 0; pass < 2; ++pass) {
    auto* encoder = device->newCommandQueue()->commandBuffer()->computeCommandEncoder();
    encoder->setComputePipelineState(first);
    encoder->setBuffer(x, 0, 0);
    encoder->setBuffer(x, 0, 1);
    encoder->setBytes(&a, sizeof(a), 2);
    encoder->setBytes(&n, sizeof(n), 3);
    encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(64, 1, 1));
    encoder->endEncoding();
  }
}
