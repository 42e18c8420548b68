// needs: row_sum
// Accelerate does half of the work after every launch.
#import <Accelerate/Accelerate.h>
#import <Metal/Metal.h>

void rows(id<MTLDevice> device, id<MTLBuffer> table, id<MTLBuffer> sums, uint32_t width, uint32_t n) {
  id<MTLLibrary> library = [device newDefaultLibrary];
  id<MTLFunction> function = [library newFunctionWithName:@"row_sum"];
  id<MTLComputePipelineState> pipeline = [device newComputePipelineStateWithFunction:function
                                                                               error:nil];
  id<MTLCommandBuffer> commands = [[device newCommandQueue] commandBuffer];
  id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
  [encoder setComputePipelineState:pipeline];
  [encoder setBuffer:table offset:0 atIndex:0];
  [encoder setBuffer:sums offset:0 atIndex:1];
  [encoder setBytes:&width length:sizeof(width) atIndex:2];
  [encoder dispatchThreads:MTLSizeMake(n, 1, 1) threadsPerThreadgroup:MTLSizeMake(32, 1, 1)];
  [encoder endEncoding];
  [commands commit];
  [commands waitUntilCompleted];
  const float* rest = (const float*)[table contents] + width / 2;
  float* out = (float*)[sums contents];
  // expect: vDSP_vadd computes into 'sums' on the CPU
  vDSP_vadd(rest, 1, out, 1, out, 1, n);
}
