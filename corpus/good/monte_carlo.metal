// The value of a European call by simulation. Random numbers come from Philox 4x32-10 (Salmon et
// al. 2011), a function of a counter and a key, so that threads share no state.
#include <metal_stdlib>
using namespace metal;

constant uint2 multipliers = uint2(0xD2511F53, 0xCD9E8D57);
constant uint2 key_steps = uint2(0x9E3779B9, 0xBB67AE85);

static uint4 philox(uint4 counter, uint2 key) {
  for (uint round = 0; round < 10; ++round) {
    const uint2 factors = uint2(counter.x, counter.z);
    const uint2 high = mulhi(factors, multipliers);
    const uint2 low = factors * multipliers;
    counter = uint4(high.y ^ counter.y ^ key.x, low.y, high.x ^ counter.w ^ key.y, low.x);
    key += key_steps;
  }
  return counter;
}

// Uniform in (0, 1): the upper 24 bits, which a float holds exactly, and half a step.
static float2 uniform_from(uint2 bits) { return (float2(bits >> 8) + 0.5f) * 0x1p-24f; }

// Two independent normal numbers, after Box and Muller.
static float2 normal_from(uint2 bits) {
  const float2 u = uniform_from(bits);
  const float radius = sqrt(-2.0f * log(u.x));
  const float angle = 2.0f * M_PI_F * u.y;
  return radius * float2(cos(angle), sin(angle));
}

struct Option {
  float price;
  float strike;
  float drift;       // (rate - volatility² / 2) * time
  float volatility;  // times the root of the time
};

// Each thread's mean over its own paths; the host takes the mean of those and discounts it.
kernel void price_call(device float* means [[buffer(0)]],
                       constant Option& option [[buffer(1)]],
                       constant uint& threads [[buffer(2)]],
                       constant uint& rounds [[buffer(3)]],  // of four paths
                       constant uint& seed [[buffer(4)]],
                       uint i [[thread_position_in_grid]]) {
  if (i >= threads) return;
  float sum = 0.0f;
  for (uint round = 0; round < rounds; ++round) {
    const uint4 bits = philox(uint4(i, round, 0, 0), uint2(seed, 0));
    const float4 normals = float4(normal_from(bits.xy), normal_from(bits.zw));
    const float4 prices = option.price * exp(option.drift + option.volatility * normals);
    const float4 gains = max(prices - option.strike, 0.0f);
    sum += gains.x + gains.y + gains.z + gains.w;
  }
  means[i] = sum / (4.0f * float(rounds));
}
