// Honest: this file of several makes the pipelines; another one encodes.
#include "context.h"

static const char* const names[] = {"saxpy", "row_sum"};

bool Context::load(MTL::Device* device, const char* path) {
  NS::Error* error = nullptr;
  auto* library = device->newLibrary(NS::String::string(path, NS::UTF8StringEncoding), &error);
  if (!library) return false;
  for (int i = 0; i < 2; ++i) {
    // expect: whether 'saxpy' is dispatched is not known: other files may call or use what stands here
    auto* function = library->newFunction(NS::String::string(names[i], NS::UTF8StringEncoding));
    pipelines[i] = device->newComputePipelineState(function, &error);
  }
  return true;
}
