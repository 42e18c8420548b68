// Honest: one piece of memory holds values of several types, each behind its offset.
#include <Metal/Metal.hpp>
#include <cstdint>

struct Step {
  MTL::ComputePipelineState* pipeline = nullptr;
  uint32_t n = 0;
};

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* library = device->newDefaultLibrary();
  auto* heap = device->newBuffer(1 << 20, MTL::ResourceStorageModeShared);
  auto* bytes = static_cast<uint8_t*>(heap->contents());
  auto* halves = reinterpret_cast<uint16_t*>(heap->contents());
  for (int i = 0; i < 64; ++i) halves[i] = 0x3c00;
  bytes[4096] = 1;
  auto* saxpy = device->newComputePipelineState(library->newFunction(MTLSTR("saxpy")), nullptr);
  auto* sums = device->newComputePipelineState(library->newFunction(MTLSTR("row_sum")), nullptr);
  auto* commands = device->newCommandQueue()->commandBuffer();
  auto* encoder = commands->computeCommandEncoder();
  float a = 2.0f;
  uint32_t n = 64;
  encoder->setComputePipelineState(saxpy);
  encoder->setBuffer(heap, 4096, 0);
  encoder->setBuffer(heap, 8192, 1);
  encoder->setBytes(&a, sizeof(a), 2);
  encoder->setBytes(&n, sizeof(n), 3);
  encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(64, 1, 1));
  encoder->setComputePipelineState(sums);
  encoder->setBytes(&n, sizeof(n), 2);
  encoder->dispatchThreads(MTL::Size(8, 1, 1), MTL::Size(8, 1, 1));
  encoder->endEncoding();
  commands->commit();
}
