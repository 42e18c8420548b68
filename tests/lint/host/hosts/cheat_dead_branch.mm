// needs: saxpy
// The dispatch is there to be seen; it never runs.
#import <Metal/Metal.h>

enum { kModeGPU = 1, kModeCPU = 2 };
static const int mode = kModeCPU;

static void on_gpu(id<MTLComputeCommandEncoder> encoder, id<MTLComputePipelineState> pipeline) {
  [encoder setComputePipelineState:pipeline];
  [encoder dispatchThreads:MTLSizeMake(64, 1, 1) threadsPerThreadgroup:MTLSizeMake(64, 1, 1)];
}

int main() {
  id<MTLDevice> device = MTLCreateSystemDefaultDevice();
  id<MTLLibrary> library = [device newDefaultLibrary];
  // expect: 'saxpy' is fetched here but never dispatched
  id<MTLComputePipelineState> pipeline = [device newComputePipelineStateWithFunction:[library newFunctionWithName:@"saxpy"] error:nil];
  id<MTLBuffer> x = [device newBufferWithLength:256 options:0];
  id<MTLBuffer> y = [device newBufferWithLength:256 options:0];
  if (mode == kModeGPU) {
    id<MTLCommandBuffer> commands = [[device newCommandQueue] commandBuffer];
    on_gpu([commands computeCommandEncoder], pipeline);
  } else {
    float* p = (float*)x.contents;
    float* q = (float*)y.contents;
    // expect: a loop computes into 'y' on the CPU
    for (int i = 0; i < 64; i++) *q++ += 2.0f * *p++;
  }
  return 0;
}
