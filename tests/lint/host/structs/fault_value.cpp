// Fault: three floats where the kernel has a float3.
#include <Metal/Metal.hpp>

struct Settings {
  float gravity_x, gravity_y, gravity_z;
  float step;
  uint32_t count;
};

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* function = device->newDefaultLibrary()->newFunction(MTLSTR("move"));
  auto* encoder = device->newCommandQueue()->commandBuffer()->computeCommandEncoder();
  encoder->setComputePipelineState(device->newComputePipelineState(function, nullptr));
  encoder->setBuffer(device->newBuffer(4096, MTL::ResourceStorageModeShared), 0, 0);
  Settings settings{0, -9.8f, 0, 0.01f, 64};
  // expect: member 'step' of the value for index 1 lies at byte 12, but 'move' reads it at byte 16; float3 takes the room of four numbers
  encoder->setBytes(&settings, sizeof(settings), 1);
  encoder->dispatchThreads(MTL::Size(64, 1, 1), MTL::Size(64, 1, 1));
}
