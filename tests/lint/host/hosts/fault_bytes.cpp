// needs: row_sum
// Two bytes where four are taken, and whole numbers where the table holds floats.
#include <Metal/Metal.hpp>
#include <cstdint>

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* pipeline = device->newComputePipelineState(
      device->newDefaultLibrary()->newFunction(MTLSTR("row_sum")), nullptr);
  auto* table = device->newBuffer(4096, MTL::ResourceStorageModeShared);
  auto* sums = device->newBuffer(256, MTL::ResourceStorageModeShared);
  int32_t* cells = static_cast<int32_t*>(table->contents());
  for (int i = 0; i < 1024; ++i) cells[i] = i;
  const uint16_t width = 16;
  auto* encoder = device->newCommandQueue()->commandBuffer()->computeCommandEncoder();
  encoder->setComputePipelineState(pipeline);
  encoder->setBuffer(table, 0, 0);  // expect: 4-byte whole numbers are bound to index 0
  encoder->setBuffer(sums, 0, 1);
  encoder->setBytes(&width, sizeof(width), 2);  // expect: 2 bytes are bound to index 2, but 'row_sum' needs 4
  encoder->dispatchThreads(MTL::Size(64, 1, 1), MTL::Size(64, 1, 1));
}
