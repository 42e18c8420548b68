// Honest: a table of pipelines by enumerators, filled from a table of names.
#include <Metal/Metal.hpp>
#include <array>

enum class Step { saxpy, row_sum, count };

struct Entry {
  Step step;
  const char* name;
};
static const Entry entries[] = {{Step::saxpy, "saxpy"}, {Step::row_sum, "row_sum"}};

class Pipelines {
 public:
  explicit Pipelines(MTL::Device* device) {
    auto* library = device->newDefaultLibrary();
    for (const auto& entry : entries) {
      auto* name = NS::String::string(entry.name, NS::UTF8StringEncoding);
      NS::Error* error = nullptr;
      table_[static_cast<int>(entry.step)] =
          device->newComputePipelineState(library->newFunction(name), &error);
    }
  }
  MTL::ComputePipelineState* operator[](Step step) const { return table_[static_cast<int>(step)]; }

 private:
  std::array<MTL::ComputePipelineState*, 2> table_{};
};

static void encode(MTL::CommandBuffer* commands, const Pipelines& pipelines, MTL::Buffer* x,
                   MTL::Buffer* y, uint32_t n) {
  auto* encoder = commands->computeCommandEncoder();
  float a = 2.0f;
  encoder->setBuffer(x, 0, 0);
  encoder->setBuffer(y, 0, 1);
  encoder->setComputePipelineState(pipelines[Step::saxpy]);
  encoder->setBytes(&a, sizeof(a), 2);
  encoder->setBytes(&n, sizeof(n), 3);
  encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(64, 1, 1));
  encoder->setComputePipelineState(pipelines[Step::row_sum]);
  encoder->setBytes(&n, sizeof(n), 2);
  encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(64, 1, 1));
  encoder->endEncoding();
}

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  Pipelines pipelines(device);
  auto* commands = device->newCommandQueue()->commandBuffer();
  encode(commands, pipelines, device->newBuffer(4096, MTL::ResourceStorageModeShared),
         device->newBuffer(4096, MTL::ResourceStorageModeShared), 32);
  commands->commit();
  commands->waitUntilCompleted();
}
