// Honest: a view calls its delegate, which encodes.
#import <MetalKit/MetalKit.h>

@interface Renderer : NSObject <MTKViewDelegate>
- (instancetype)initWithView:(MTKView*)view;
@end

@implementation Renderer {
  id<MTLDevice> _device;
  id<MTLCommandQueue> _queue;
  id<MTLComputePipelineState> _pipeline;
  id<MTLComputePipelineState> _sums;
  id<MTLBuffer> _x;
  id<MTLBuffer> _y;
}
- (instancetype)initWithView:(MTKView*)view {
  self = [super init];
  _device = view.device;
  _queue = [_device newCommandQueue];
  id<MTLLibrary> library = [_device newDefaultLibrary];
  _pipeline = [_device newComputePipelineStateWithFunction:[library newFunctionWithName:@"saxpy"] error:nil];
  _sums = [_device newComputePipelineStateWithFunction:[library newFunctionWithName:@"row_sum"] error:nil];
  _x = [_device newBufferWithLength:4096 options:0];
  _y = [_device newBufferWithLength:4096 options:0];
  return self;
}
- (void)drawInMTKView:(MTKView*)view {
  id<MTLCommandBuffer> commands = [_queue commandBuffer];
  id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
  float a = 1.0f;
  uint32_t n = 1024;
  [encoder setComputePipelineState:_pipeline];
  [encoder setBuffer:_x offset:0 atIndex:0];
  [encoder setBuffer:_y offset:0 atIndex:1];
  [encoder setBytes:&a length:4 atIndex:2];
  [encoder setBytes:&n length:4 atIndex:3];
  [encoder dispatchThreads:MTLSizeMake(n, 1, 1) threadsPerThreadgroup:MTLSizeMake(32, 1, 1)];
  uint32_t width = 32;
  [encoder setComputePipelineState:_sums];
  [encoder setBytes:&width length:4 atIndex:2];
  [encoder dispatchThreads:MTLSizeMake(32, 1, 1) threadsPerThreadgroup:MTLSizeMake(32, 1, 1)];
  [encoder endEncoding];
  [commands commit];
}
- (void)mtkView:(MTKView*)view drawableSizeWillChange:(CGSize)size {
}
@end
