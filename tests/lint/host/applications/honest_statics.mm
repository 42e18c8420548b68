// Honest: pipelines in statics, which one function fills and others use. An application calls them.
#import <Metal/Metal.h>

static id<MTLDevice> g_device;
static id<MTLCommandQueue> g_queue;
static id<MTLComputePipelineState> g_saxpy, g_row_sum;

static id<MTLComputePipelineState> make(id<MTLLibrary> library, NSString* name) {
  NSError* error = nil;
  // expect: whether 'row_sum' is dispatched is not known: other files may call or use what stands here
  id<MTLFunction> function = [library newFunctionWithName:name];
  return [g_device newComputePipelineStateWithFunction:function error:&error];
}

bool vec_setup(void) {
  g_device = MTLCreateSystemDefaultDevice();
  g_queue = [g_device newCommandQueue];
  id<MTLLibrary> library = [g_device newDefaultLibrary];
  g_saxpy = make(library, @"saxpy");
  g_row_sum = make(library, @"row_sum");  // another file dispatches it
  return g_saxpy != nil && g_row_sum != nil;
}

void vec_saxpy(id<MTLBuffer> x, id<MTLBuffer> y, float a, uint32_t n) {
  id<MTLCommandBuffer> commands = [g_queue commandBuffer];
  id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
  [encoder setComputePipelineState:g_saxpy];
  [encoder setBuffer:x offset:0 atIndex:0];
  [encoder setBuffer:y offset:0 atIndex:1];
  [encoder setBytes:&a length:sizeof(a) atIndex:2];
  [encoder setBytes:&n length:sizeof(n) atIndex:3];
  [encoder dispatchThreads:MTLSizeMake(n, 1, 1) threadsPerThreadgroup:MTLSizeMake(64, 1, 1)];
  [encoder endEncoding];
  [commands commit];
}
