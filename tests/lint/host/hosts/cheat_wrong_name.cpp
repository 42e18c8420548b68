// needs: saxpy
// The table of names leads to another kernel.
#include <Metal/Metal.hpp>
#include <map>
#include <string>

const std::map<std::string, std::string> names = {{"fast", "saxpy_v2"}, {"rows", "row_sum"}};

int main() {
  auto* device = MTL::CreateSystemDefaultDevice();
  auto* library = device->newDefaultLibrary();
  const auto name = names.at("fast");
  // expect: this host asks for kernel 'saxpy_v2', but no source defines it
  auto* function = library->newFunction(NS::String::string(name.c_str(), NS::UTF8StringEncoding));
  auto* pipeline = device->newComputePipelineState(function, nullptr);
  auto* encoder = device->newCommandQueue()->commandBuffer()->computeCommandEncoder();
  encoder->setComputePipelineState(pipeline);
  encoder->dispatchThreads(MTL::Size(64, 1, 1), MTL::Size(64, 1, 1));
}
// first: this host never asks for the kernel 'saxpy'
