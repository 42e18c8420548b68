// What a kernel writes for the host's indirect draws and dispatches.
#include <metal_stdlib>
using namespace metal;

kernel void prepare(device MTLDrawPrimitivesIndirectArguments& draw [[buffer(0)]],
                    device MTLDrawIndexedPrimitivesIndirectArguments& indexed [[buffer(1)]],
                    device MTLDispatchThreadgroupsIndirectArguments& groups [[buffer(2)]],
                    device MTLDrawPatchIndirectArguments& patches [[buffer(3)]],
                    device MTLStageInRegionIndirectArguments& region [[buffer(4)]],
                    constant uint& count [[buffer(5)]]) {
  draw = {count, 1, 0, 0};
  draw.vertexStart = draw.baseInstance + draw.instanceCount;
  indexed.indexCount = count;
  indexed.baseVertex = -1;
  indexed.indexStart = indexed.baseInstance + indexed.instanceCount;
  groups.threadgroupsPerGrid[0] = (count + 255) / 256;
  patches.patchCount = patches.patchStart + patches.instanceCount + patches.baseInstance;
  region.stageInOrigin[0] = region.stageInSize[2];
}
