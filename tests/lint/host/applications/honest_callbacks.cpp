// Honest: main() gives a library functions to call.
#include <Metal/Metal.hpp>
#include "loop.h"

static MTL::ComputePipelineState* saxpy;
static MTL::ComputePipelineState* sums;
static MTL::CommandQueue* queue;

// expect: whether 'saxpy' is dispatched is not known: other files may call or use what stands here
static MTL::ComputePipelineState* load(MTL::Library* library, const char* name) {
  return library->device()->newComputePipelineState(
      library->newFunction(NS::String::string(name, NS::UTF8StringEncoding)), nullptr);
}

static void on_start(void* device) {
  auto* library = static_cast<MTL::Device*>(device)->newDefaultLibrary();
  saxpy = load(library, "saxpy");
  sums = load(library, "row_sum");
}

static void on_step(void* memory) {
  auto* encoder = queue->commandBuffer()->computeCommandEncoder();
  encoder->setComputePipelineState(saxpy);
  encoder->dispatchThreads(MTL::Size(64, 1, 1), MTL::Size(64, 1, 1));
}

static const struct loop_functions functions = {.start = on_start, .step = on_step};

int main() {
  loop_create(&functions);
  return loop_run();
}
