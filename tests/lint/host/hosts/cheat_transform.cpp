// needs: saxpy
// The kernel is dispatched, and its result thrown away.
#include <Metal/Metal.hpp>
#include <algorithm>

struct Host {
  MTL::Device* device;
  MTL::ComputePipelineState* pipeline;

  explicit Host(MTL::Device* d) : device(d), pipeline(nullptr) {
    auto* library = device->newDefaultLibrary();
    auto* function = library->newFunction(NS::String::string("saxpy", NS::UTF8StringEncoding));
    pipeline = device->newComputePipelineState(function, nullptr);
  }

  void run(MTL::Buffer* x, MTL::Buffer* y, float a, uint32_t n) {
    auto* commands = device->newCommandQueue()->commandBuffer();
    auto* encoder = commands->computeCommandEncoder();
    encoder->setComputePipelineState(pipeline);
    encoder->setBuffer(x, 0, 0);
    encoder->setBuffer(y, 0, 1);
    encoder->setBytes(&a, sizeof(float), 2);
    encoder->setBytes(&n, sizeof(uint32_t), 3);
    encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(64, 1, 1));
    encoder->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
    finish(static_cast<float*>(x->contents()), static_cast<float*>(y->contents()), a, n);
  }

  void finish(const float* x, float* y, float a, uint32_t n) {
    // expect: std::transform computes into 'y' on the CPU: it overwrites what 'saxpy' stored in index 1
    std::transform(x, x + n, y, y, [a](float p, float q) { return a * p + q; });
  }
};

int main() {
  Host host(MTL::CreateSystemDefaultDevice());
  auto* x = host.device->newBuffer(4096, MTL::ResourceStorageModeShared);
  auto* y = host.device->newBuffer(4096, MTL::ResourceStorageModeShared);
  host.run(x, y, 2.0f, 1024);
}
