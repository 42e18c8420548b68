// needs: saxpy row_sum
// Honest: Objective-C objects, a dictionary of pipelines, blocks, early exits.
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

static NSString* const kNames[] = {@"saxpy", @"row_sum"};

@interface Runner : NSObject
@property(nonatomic, strong) id<MTLDevice> device;
@property(nonatomic, strong) id<MTLCommandQueue> queue;
@property(nonatomic, strong) NSMutableDictionary<NSString*, id<MTLComputePipelineState>>* pipelines;
- (void)encode:(void (^)(id<MTLComputeCommandEncoder> encoder))work;
@end

@implementation Runner
- (instancetype)initWithSource:(NSString*)source {
  if (!(self = [super init])) return nil;
  _device = MTLCreateSystemDefaultDevice();
  _queue = [_device newCommandQueue];
  _pipelines = [NSMutableDictionary dictionary];
  NSError* error = nil;
  id<MTLLibrary> library = [_device newLibraryWithSource:source options:nil error:&error];
  if (!library) {
    NSLog(@"%@", error);
    return nil;
  }
  for (NSString* name in @[ @"saxpy", @"row_sum" ]) {
    id<MTLFunction> function = [library newFunctionWithName:name];
    _pipelines[name] = [_device newComputePipelineStateWithFunction:function error:&error];
  }
  return self;
}

- (void)encode:(void (^)(id<MTLComputeCommandEncoder>))work {
  id<MTLCommandBuffer> commands = [self.queue commandBuffer];
  id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
  work(encoder);
  [encoder endEncoding];
  [commands commit];
  [commands waitUntilCompleted];
}
@end

int main(int argc, const char* argv[]) {
  @autoreleasepool {
    Runner* runner = [[Runner alloc] initWithSource:[NSString stringWithContentsOfFile:@"k.metal"]];
    if (!runner) return 1;
    const uint32_t n = 4096, width = 64;
    float a = 0.5f;
    id<MTLBuffer> x = [runner.device newBufferWithLength:n * sizeof(float)
                                                 options:MTLResourceStorageModeShared];
    id<MTLBuffer> y = [runner.device newBufferWithLength:n * sizeof(float)
                                                 options:MTLResourceStorageModeShared];
    float* xs = (float*)[x contents];
    float* ys = (float*)y.contents;
    for (uint32_t i = 0; i < n; i++) {
      xs[i] = (float)arc4random_uniform(1000) / 1000.0f;
      ys[i] = 0;
    }
    [runner encode:^(id<MTLComputeCommandEncoder> encoder) {
      [encoder setComputePipelineState:runner.pipelines[@"saxpy"]];
      [encoder setBuffer:x offset:0 atIndex:0];
      [encoder setBuffer:y offset:0 atIndex:1];
      [encoder setBytes:&a length:sizeof(a) atIndex:2];
      [encoder setBytes:&n length:sizeof(n) atIndex:3];
      [encoder dispatchThreads:MTLSizeMake(n, 1, 1) threadsPerThreadgroup:MTLSizeMake(64, 1, 1)];
    }];
    [runner encode:^(id<MTLComputeCommandEncoder> encoder) {
      [encoder setComputePipelineState:[runner.pipelines objectForKey:kNames[1]]];
      [encoder setBuffer:y offset:0 atIndex:0];
      [encoder setBuffer:x offset:0 atIndex:1];
      [encoder setBytes:&width length:sizeof(width) atIndex:2];
      [encoder dispatchThreads:MTLSizeMake(n / width, 1, 1)
          threadsPerThreadgroup:MTLSizeMake(64, 1, 1)];
    }];
    double total = 0;
    for (uint32_t i = 0; i < n / width; i++) total += xs[i];
    NSLog(@"%f", total);
  }
  return 0;
}
