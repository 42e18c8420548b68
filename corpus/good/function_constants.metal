// An epilogue of a matrix product that the host specialises when it builds the pipeline: with or
// without a bias, one of three activations. What is switched off costs nothing.
#include <metal_stdlib>
using namespace metal;

enum Activation : uint { identity, rectified, gaussian };

constant bool has_bias [[function_constant(0)]];
constant uint chosen [[function_constant(1)]];
constant uint activation = is_function_constant_defined(chosen) ? chosen : uint(identity);

static float activated(float x) {
  if (activation == rectified) return max(x, 0.0f);
  if (activation == gaussian) {
    // The usual approximation of x times the normal distribution's integral.
    const float inner = 0.7978845608f * fma(0.044715f * x * x, x, x);
    return 0.5f * x * (1.0f + precise::tanh(inner));
  }
  return x;
}

kernel void epilogue(device float* y [[buffer(0)]],
                     device const float* bias [[buffer(1), function_constant(has_bias)]],
                     constant uint& rows [[buffer(2)]],
                     constant uint& columns [[buffer(3)]],
                     uint2 at [[thread_position_in_grid]]) {
  if (at.x >= columns || at.y >= rows) return;
  const uint i = at.y * columns + at.x;
  float value = y[i];
  if (has_bias) value += bias[at.x];
  y[i] = activated(value);
}
