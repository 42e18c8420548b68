// first: whether 'saxpy' is dispatched is not known: these files ask for no kernel
// Honest: this file of several encodes; another one makes the pipelines.
#import "context.h"
#include <cmath>
#include <vector>

void context_saxpy(struct context* ctx, id<MTLBuffer> x, id<MTLBuffer> y, float a, uint32_t n) {
  id<MTLComputeCommandEncoder> encoder = [ctx->commands computeCommandEncoder];
  [encoder setComputePipelineState:ctx->pipelines[CONTEXT_SAXPY]];
  [encoder setBuffer:x offset:0 atIndex:0];
  [encoder setBuffer:y offset:0 atIndex:1];
  [encoder setBytes:&a length:sizeof(a) atIndex:2];
  [encoder setBytes:&n length:sizeof(n) atIndex:3];
  [encoder dispatchThreads:MTLSizeMake(n, 1, 1) threadsPerThreadgroup:MTLSizeMake(64, 1, 1)];
  [encoder endEncoding];
}

std::vector<float> window(unsigned n) {
  std::vector<float> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = 0.5f - 0.5f * std::cos(6.2831853f * i / n);
  return values;
}
