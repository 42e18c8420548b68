#include <algorithm>
#include <array>

#include "lint/host/readers/readers.h"

namespace msci::host {
namespace {

constexpr auto calls = [] {
  using enum EncoderStep;
  return std::to_array<EncoderCall>({
      // Swift
      {"makeFunction", fetch},
      {"makeComputePipelineState", make},
      {"makeComputeCommandEncoder", begin},
      {"setBuffer", bind_buffer, 0, 0, 2},
      {"setBytes", bind_value, 0, 1, 2},
      {"setBuffers", bind_unknown},
      {"dispatchThreads", dispatch, 0, 1},
      {"dispatchThreadgroups", dispatch, 0, 1},
      // objc2-metal and PyObjC
      {"newFunctionWithName", fetch},
      {"newComputePipelineStateWithFunction_error", make},
      {"computeCommandEncoder", begin},
      {"computeCommandEncoderWithDispatchType", begin},
      {"computeCommandEncoderWithDescriptor", begin},
      {"setComputePipelineState", use},
      {"setBuffer_offset_atIndex", bind_buffer, 0, 0, 2},
      {"setBytes_length_atIndex", bind_value, 0, 1, 2},
      {"dispatchThreads_threadsPerThreadgroup", dispatch, 0, 1},
      {"dispatchThreadgroups_threadsPerThreadgroup", dispatch, 0, 1},
      {"endEncoding", end},
      // metal
      {"get_function", fetch},
      {"new_compute_pipeline_state_with_function", make},
      {"new_compute_command_encoder", begin},
      {"compute_command_encoder_with_dispatch_type", begin},
      {"set_compute_pipeline_state", use},
      {"set_buffer", bind_buffer, 1, 0, 0},
      {"set_bytes", bind_value, 2, 1, 0},
      {"dispatch_threads", dispatch, 0, 1},
      {"dispatch_thread_groups", dispatch, 0, 1},
      {"end_encoding", end},
      // Without an effect on buffers
      {"setTexture", other},
      {"setTexture_atIndex", other},
      {"set_texture", other},
      {"setSamplerState", other},
      {"setSamplerState_atIndex", other},
      {"set_sampler_state", other},
      {"setThreadgroupMemoryLength", other},
      {"setThreadgroupMemoryLength_atIndex", other},
      {"set_threadgroup_memory_length", other},
      {"memoryBarrier", other},
      {"memoryBarrierWithScope", other},
      {"memory_barrier_with_resources", other},
      {"pushDebugGroup", other},
      {"popDebugGroup", other},
      {"insertDebugSignpost", other},
      {"setLabel", other},
      {"set_label", other},
      {"useResource", other},
      {"useHeap", other},
      {"useResource_usage", other},
      {"use_resource", other},
      {"waitForFence", other},
      {"updateFence", other},
  });
}();

}  // namespace

const EncoderCall* encoder_call(std::string_view name) {
  const auto found = std::ranges::find(calls, name, &EncoderCall::name);
  return found == calls.end() ? nullptr : &*found;
}

}  // namespace msci::host
