// Layers of a small network, each with an activation of the host's choice: a table holds the
// functions, and a number for each layer selects one.
#include <metal_stdlib>
using namespace metal;

[[visible]] float identity(float x) { return x; }
[[visible]] float rectified(float x) { return max(x, 0.0f); }
[[visible]] float bent(float x) { return x < 0.0f ? 0.125f * x : x; }
[[visible]] float squashed(float x) { return x / (1.0f + abs(x)); }

struct Layer {
  device const float* weights;  // rows of inputs, and a bias behind each
  uint inputs;
  uint outputs;
  uint activation;
};

kernel void forward(constant Layer& layer [[buffer(0)]],
                    visible_function_table<float(float)> activations [[buffer(1)]],
                    device const float* from [[buffer(2)]],
                    device float* to [[buffer(3)]],
                    uint2 at [[thread_position_in_grid]]) {
  const uint output = at.x, sample = at.y;
  if (output >= layer.outputs) return;
  device const float* row = layer.weights + output * (layer.inputs + 1);
  float sum = row[layer.inputs];
  for (uint i = 0; i < layer.inputs; ++i) sum += row[i] * from[sample * layer.inputs + i];
  to[sample * layer.outputs + output] = activations[layer.activation](sum);
}
