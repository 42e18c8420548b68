// Honest: the same structs as the kernel's, and views of the bytes.
#include <Metal/Metal.hpp>
#include <simd/simd.h>
#include <cstring>
#include <vector>

struct Particle {
  simd::float4 position;
  simd::float4 velocity;
  float mass;
};

struct Settings {
  simd::float3 gravity;
  float step;
  uint32_t count;
};

struct Header {
  uint32_t magic;
  uint32_t count;
};

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* function = device->newDefaultLibrary()->newFunction(MTLSTR("move"));
  std::vector<Particle> start(64);
  auto* particles = device->newBuffer(64 * sizeof(Particle), MTL::ResourceStorageModeShared);
  std::memcpy(particles->contents(), start.data(), 64 * sizeof(Particle));
  auto* all = static_cast<Particle*>(particles->contents());
  for (int i = 0; i < 64; ++i) all[i].mass = 1.0f;
  auto* file = device->newBuffer(4096, MTL::ResourceStorageModeShared);
  const auto* header = static_cast<const Header*>(file->contents());
  auto* commands = device->newCommandQueue()->commandBuffer();
  auto* encoder = commands->computeCommandEncoder();
  encoder->setComputePipelineState(device->newComputePipelineState(function, nullptr));
  encoder->setBuffer(particles, 0, 0);
  Settings settings{{0, -9.8f, 0}, 0.01f, header->count};
  encoder->setBytes(&settings, sizeof(settings), 1);
  encoder->dispatchThreads(MTL::Size(64, 1, 1), MTL::Size(64, 1, 1));
  encoder->setBuffer(file, sizeof(Header), 0);
  encoder->dispatchThreads(MTL::Size(8, 1, 1), MTL::Size(8, 1, 1));
  encoder->endEncoding();
  commands->commit();
}
