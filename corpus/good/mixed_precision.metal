// An update of half-precision weights from a float copy: Adam with its moments in float, and
// rounding that is random but repeatable where the weights are bfloat.
#include <metal_stdlib>
using namespace metal;

struct Adam {
  float rate;
  float beta1;
  float beta2;
  float epsilon;
  float correction1;  // 1 / (1 - beta1^step)
  float correction2;
  uint count;
};

struct Update {
  float weight;
  float2 moments;
};

static Update updated(float weight, float2 moments, float gradient, constant Adam& adam) {
  const float first = mix(gradient, moments.x, adam.beta1);
  const float second = mix(gradient * gradient, moments.y, adam.beta2);
  const float step = first * adam.correction1 / (sqrt(second * adam.correction2) + adam.epsilon);
  return {weight - adam.rate * step, float2(first, second)};
}

kernel void adam_half(device const half* gradients [[buffer(0)]],
                      device float* weights [[buffer(1)]],
                      device half* rounded [[buffer(2)]],
                      device float2* moments [[buffer(3)]],
                      constant Adam& adam [[buffer(4)]],
                      uint i [[thread_position_in_grid]]) {
  if (i >= adam.count) return;
  const Update update = updated(weights[i], moments[i], float(gradients[i]), adam);
  weights[i] = update.weight;
  rounded[i] = half(update.weight);
  moments[i] = update.moments;
}

static uint scrambled(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ (x >> 16);
}

// Adds a random part of the last bit that stays, then cuts.
kernel void adam_bfloat(device const bfloat* gradients [[buffer(0)]],
                        device bfloat* weights [[buffer(1)]],
                        device float2* moments [[buffer(2)]],
                        constant Adam& adam [[buffer(3)]],
                        constant uint& seed [[buffer(4)]],
                        uint i [[thread_position_in_grid]]) {
  if (i >= adam.count) return;
  const Update update = updated(float(weights[i]), moments[i], float(gradients[i]), adam);
  const uint bits = as_type<uint>(update.weight) + (scrambled(i ^ seed) & 0xffff);
  weights[i] = bfloat(as_type<float>(bits & 0xffff0000));
  moments[i] = update.moments;
}
