// Fault: the elements of the host's buffer are closer together than the kernel's.
#include <Metal/Metal.hpp>
#include <simd/simd.h>
#include <vector>

struct Particle {
  simd::packed_float4 position;
  simd::packed_float4 velocity;
  float mass;
};

struct Settings {
  simd::float3 gravity;
  float step;
  uint32_t count;
};

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* function = device->newDefaultLibrary()->newFunction(MTLSTR("move"));
  auto* particles = device->newBuffer(64 * sizeof(Particle), MTL::ResourceStorageModeShared);
  auto* all = static_cast<Particle*>(particles->contents());
  for (int i = 0; i < 64; ++i) all[i].mass = 1.0f;
  auto* encoder = device->newCommandQueue()->commandBuffer()->computeCommandEncoder();
  encoder->setComputePipelineState(device->newComputePipelineState(function, nullptr));
  // expect: the structs in the buffer for index 0 lie 36 bytes apart, but 'move' reads them 48 bytes apart
  encoder->setBuffer(particles, 0, 0);
  Settings settings{{0, -9.8f, 0}, 0.01f, 64};
  encoder->setBytes(&settings, sizeof(settings), 1);
  encoder->dispatchThreads(MTL::Size(64, 1, 1), MTL::Size(64, 1, 1));
}
