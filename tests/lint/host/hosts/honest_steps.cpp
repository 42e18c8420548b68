// needs: saxpy
// Honest: many steps with buffers that trade places, a table of pipelines by name, lambdas, and a
// reference that is computed only to compare with.
#include <Metal/Metal.hpp>
#include <array>
#include <cstring>
#include <functional>
#include <iostream>
#include <unordered_map>
#include <vector>

struct KernelInfo {
  const char* name;
  unsigned threads;
};
static constexpr std::array<KernelInfo, 2> table = {{{"saxpy", 256}, {"row_sum", 64}}};

struct Arguments {
  float a;
  uint32_t n;
};

static std::unordered_map<std::string, MTL::ComputePipelineState*> make_all(MTL::Device* device,
                                                                            MTL::Library* library) {
  std::unordered_map<std::string, MTL::ComputePipelineState*> all;
  for (const auto& info : table) {
    auto* function = library->newFunction(NS::String::string(info.name, NS::ASCIIStringEncoding));
    NS::Error* error = nullptr;
    auto* pipeline = device->newComputePipelineState(function, &error);
    if (pipeline == nullptr) {
      std::cerr << error->localizedDescription()->utf8String() << '\n';
      std::exit(2);
    }
    all.emplace(info.name, pipeline);
  }
  return all;
}

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* library = device->newDefaultLibrary();
  auto* queue = device->newCommandQueue();
  auto pipelines = make_all(device, library);
  Arguments arguments{.a = 0.1f, .n = 1024};
  const auto bytes = arguments.n * sizeof(float);
  MTL::Buffer* front = device->newBuffer(bytes, MTL::ResourceStorageModeShared);
  MTL::Buffer* back = device->newBuffer(bytes, MTL::ResourceStorageModeShared);
  std::vector<float> initial(arguments.n);
  for (size_t i = 0; i < initial.size(); ++i) initial[i] = static_cast<float>(i % 17) / 17.0f;
  std::memcpy(front->contents(), initial.data(), bytes);
  std::memcpy(back->contents(), initial.data(), bytes);
  auto step = [&](MTL::CommandBuffer* commands) {
    auto* encoder = commands->computeCommandEncoder();
    encoder->setComputePipelineState(pipelines.at("saxpy"));
    NS::UInteger index = 0;
    for (auto* buffer : {front, back}) encoder->setBuffer(buffer, 0, index++);
    encoder->setBytes(&arguments.a, sizeof(arguments.a), index++);
    encoder->setBytes(&arguments.n, sizeof(arguments.n), index);
    encoder->dispatchThreadgroups(MTL::Size(4, 1, 1), MTL::Size(256, 1, 1));
    encoder->endEncoding();
  };
  for (int i = 0; i < 50; ++i) {
    auto* commands = queue->commandBuffer();
    step(commands);
    commands->commit();
    commands->waitUntilCompleted();
    std::swap(front, back);
  }
  std::vector<float> a = initial, b = initial;
  for (int i = 0; i < 50; ++i) {
    for (size_t k = 0; k < a.size(); ++k) b[k] += arguments.a * a[k];
    std::swap(a, b);
  }
  std::vector<float> result(arguments.n);
  std::memcpy(result.data(), front->contents(), bytes);
  for (size_t k = 0; k < a.size(); ++k)
    if (std::abs(result[k] - a[k]) > 1e-3f) return 1;
  for (auto& [name, pipeline] : pipelines) pipeline->release();
}
