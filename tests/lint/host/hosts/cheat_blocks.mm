// needs: saxpy
// What the kernel wrote is overwritten by a block, by vForce, by an algorithm, by a loop.
#import <Accelerate/Accelerate.h>
#import <Metal/Metal.h>
#include <algorithm>

int main() {
  @autoreleasepool {
    id<MTLDevice> device = MTLCreateSystemDefaultDevice();
    id<MTLFunction> function = [[device newDefaultLibrary] newFunctionWithName:@"saxpy"];
    id<MTLComputePipelineState> pipeline = [device newComputePipelineStateWithFunction:function error:nil];
    id<MTLBuffer> x = [device newBufferWithLength:64 options:0], y = [device newBufferWithLength:64 options:0];
    float a = 2;
    uint32_t n = 16;
    id<MTLCommandBuffer> commands = [[device newCommandQueue] commandBuffer];
    id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
    [encoder setComputePipelineState:pipeline];
    id<MTLBuffer> both[] = {x, y};
    for (int i = 0; i < 2; i++) [encoder setBuffer:both[i] offset:0 atIndex:i];
    [encoder setBytes:&a length:sizeof a atIndex:2];
    [encoder setBytes:&n length:sizeof n atIndex:3];
    [encoder dispatchThreads:MTLSizeMake(n, 1, 1) threadsPerThreadgroup:MTLSizeMake(16, 1, 1)];
    [encoder endEncoding];
    [commands commit];
    [commands waitUntilCompleted];
    float *in = x.contents, *out = y.contents;
    dispatch_apply(16, dispatch_get_global_queue(0, 0), ^(size_t i) {
      out[i] = a * in[i] + out[i];  // expect: a loop computes into 'y' on the CPU
    });
    int count = 16;
    vvsqrtf(out, out, &count);  // expect: vvsqrtf computes into 'y' on the CPU
    for (size_t i = 0; i < 16; ++i) out[i] = sqrtf(out[i]);  // expect: a loop computes into 'y'
  }
}
