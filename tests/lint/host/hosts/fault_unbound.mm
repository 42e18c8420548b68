// needs: saxpy
// The count is never bound, and the factor is an integer.
#import <Metal/Metal.h>

@implementation Saxpy {
  id<MTLComputePipelineState> _pipeline;
}
- (void)prepare:(id<MTLDevice>)device {
  _pipeline = [device newComputePipelineStateWithFunction:[[device newDefaultLibrary] newFunctionWithName:@"saxpy"]
                                                    error:nil];
}
- (void)encode:(id<MTLCommandBuffer>)commands x:(id<MTLBuffer>)x y:(id<MTLBuffer>)y {
  int factor = 2;
  id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
  [encoder setComputePipelineState:_pipeline];
  [encoder setBuffer:x offset:0 atIndex:0];
  [encoder setBuffer:y offset:0 atIndex:1];
  [encoder setBytes:&factor length:sizeof(int) atIndex:2];  // expect: 4-byte whole numbers are bound to index 2
  // expect: nothing is bound to index 3, which 'saxpy' uses for 'n'
  [encoder dispatchThreads:MTLSizeMake(64, 1, 1) threadsPerThreadgroup:MTLSizeMake(64, 1, 1)];
}
@end
