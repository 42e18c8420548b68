// Honest: a library of kernels by generated names, as large C projects have it.
#import <Metal/Metal.h>
#include <stdio.h>

enum kernel_type { KERNEL_SAXPY_F32, KERNEL_ROW_SUM_F32, KERNEL_COUNT };

struct backend {
  id<MTLDevice> device;
  id<MTLLibrary> library;
  id<MTLComputePipelineState> pipelines[KERNEL_COUNT];
};

static id<MTLComputePipelineState> compile(struct backend* ctx, const char* base, const char* type) {
  char name[256];
  snprintf(name, sizeof(name), "kernel_%s_%s", base, type);
  id<MTLFunction> function = [ctx->library newFunctionWithName:[NSString stringWithUTF8String:name]];
  return [ctx->device newComputePipelineStateWithFunction:function error:nil];
}

#define ADD_KERNEL(e, base) ctx->pipelines[e] = compile(ctx, base, "f32")

struct backend* backend_init(void) {
  struct backend* ctx = calloc(1, sizeof(struct backend));
  ctx->device = MTLCreateSystemDefaultDevice();
  ctx->library = [ctx->device newDefaultLibrary];
  ADD_KERNEL(KERNEL_SAXPY_F32, "saxpy");
  ADD_KERNEL(KERNEL_ROW_SUM_F32, "row_sum");
  return ctx;
}

static void op_saxpy(struct backend* ctx, id<MTLComputeCommandEncoder> encoder, id<MTLBuffer> x, int n) {
  [encoder setComputePipelineState:ctx->pipelines[KERNEL_SAXPY_F32]];
  [encoder setBuffer:x offset:0 atIndex:0];
  [encoder dispatchThreadgroups:MTLSizeMake((n + 31) / 32, 1, 1) threadsPerThreadgroup:MTLSizeMake(32, 1, 1)];
}

typedef void (*op_t)(struct backend*, id<MTLComputeCommandEncoder>, id<MTLBuffer>, int);
static const op_t ops[] = {op_saxpy};

void backend_compute(struct backend* ctx, id<MTLCommandBuffer> commands, const int* nodes, int count, id<MTLBuffer> x) {
  id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
  for (int i = 0; i < count; ++i) ops[nodes[i]](ctx, encoder, x, 64);
  [encoder endEncoding];
}
