// needs: saxpy
// Honest: a class that owns what it makes, a wrapper, names as constants.
#include <Metal/Metal.hpp>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace kernels {
constexpr const char* saxpy = "saxpy";
}

class Gpu {
 public:
  Gpu() : device_(NS::TransferPtr(MTL::CreateSystemDefaultDevice())) {
    if (!device_) throw std::runtime_error("no device");
    NS::Error* error = nullptr;
    library_ = NS::TransferPtr(device_->newLibrary(source(), nullptr, &error));
    if (error) throw std::runtime_error("no library");
    queue_ = NS::TransferPtr(device_->newCommandQueue());
  }

  NS::SharedPtr<MTL::ComputePipelineState> pipeline(const std::string& name) {
    auto text = NS::String::string(name.c_str(), NS::UTF8StringEncoding);
    auto function = NS::TransferPtr(library_->newFunction(text));
    NS::Error* error = nullptr;
    auto made = NS::TransferPtr(device_->newComputePipelineState(function.get(), &error));
    if (!made) throw std::runtime_error(error->localizedDescription()->utf8String());
    return made;
  }

  NS::SharedPtr<MTL::Buffer> buffer(const std::vector<float>& values) {
    return NS::TransferPtr(device_->newBuffer(values.data(), values.size() * sizeof(float),
                                              MTL::ResourceStorageModeShared));
  }

  template <typename Encode>
  void run(Encode encode) {
    auto* commands = queue_->commandBuffer();
    auto* encoder = commands->computeCommandEncoder();
    encode(encoder);
    encoder->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
  }

 private:
  NS::SharedPtr<MTL::Device> device_;
  NS::SharedPtr<MTL::Library> library_;
  NS::SharedPtr<MTL::CommandQueue> queue_;
};

static std::vector<float> reference(float a, const std::vector<float>& x, std::vector<float> y) {
  for (size_t i = 0; i < x.size(); ++i) y[i] = std::fma(a, x[i], y[i]);
  return y;
}

int main(int argc, char** argv) {
  const uint32_t n = argc > 1 ? std::stoul(argv[1]) : 1 << 20;
  const float a = 2.5f;
  std::vector<float> x(n), y(n);
  for (uint32_t i = 0; i < n; ++i) {
    x[i] = 0.25f * i;
    y[i] = std::sin(x[i]);
  }
  Gpu gpu;
  auto pipeline = gpu.pipeline(kernels::saxpy);
  auto xs = gpu.buffer(x);
  auto ys = gpu.buffer(y);
  gpu.run([&](MTL::ComputeCommandEncoder* encoder) {
    encoder->setComputePipelineState(pipeline.get());
    encoder->setBuffer(xs.get(), 0, 0);
    encoder->setBuffer(ys.get(), 0, 1);
    encoder->setBytes(&a, sizeof(a), 2);
    encoder->setBytes(&n, sizeof(n), 3);
    encoder->dispatchThreads(MTL::Size::Make(n, 1, 1), MTL::Size::Make(256, 1, 1));
  });
  const auto* result = static_cast<const float*>(ys->contents());
  const auto expected = reference(a, x, y);
  float worst = 0;
  for (uint32_t i = 0; i < n; ++i) worst = std::max(worst, std::fabs(result[i] - expected[i]));
  std::printf("%g\n", worst);
  return worst < 1e-5f ? 0 : 1;
}
