// Numbers packed into integers, and back: rounded to the nearest, clamped to the format's range.
#include <metal_stdlib>
using namespace metal;

// kernel: pack
// grid: 4
// threadgroup: 4
// in 0: float 0.0 0.5 1.0 -1.0 0.25 0.10000000149011612 0.8999999761581421 2.0
// in 0: float -0.30000001192092896 -2.0 0.003000000026077032 0.699999988079071 0.3333333432674408
// in 0: float 0.6666666865348816 0.03999999910593033 0.6000000238418579
// out 1: uint 0x817f4000 0x7f720d20 0x590081da 0x4c05552a
// out 1: uint 0xff8000 0xffe61a40 0xb2010000 0x990aaa55
// out 1: uint 0xffbc00 0xfff35989 0xb20a0000 0x9938d59c
// out 1: uint 0x40000000 0xccd2000 0x8001d99a 0x55552aaa
// out 1: uint 0x80000000 0x199a4000 0x0 0xaaaa5555
// out 1: uint 0x3ff80000 0xf9919900 0x80300000 0x829aa955
// out 1: uint 0x41f 0x40dc 0x0 0x5541
kernel void pack(device const float4* in [[buffer(0)]], device uint* out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  const float4 v = in[i];
  out[i] = pack_float_to_snorm4x8(v);
  out[4 + i] = pack_float_to_unorm4x8(v);
  out[8 + i] = pack_float_to_srgb_unorm4x8(v);
  out[12 + i] = pack_float_to_snorm2x16(v.xy);
  out[16 + i] = pack_float_to_unorm2x16(v.xy);
  out[20 + i] = pack_float_to_unorm10a2(v);
  out[24 + i] = pack_float_to_unorm565(v.xyz);
}

// kernel: unpack
// grid: 4
// threadgroup: 4
// in 0: uint 0x0 0xffffffff 0x80ff7f01 0x12345678
// out 1 within 1e-6: float 0 0 0 0 -0.00787401575 -0.00787401575 -0.00787401575 -0.00787401575
// out 1 within 1e-6: float 0.00787401575 1 -0.00787401575 -1 0.94488189 0.677165354 0.409448819
// out 1 within 1e-6: float 0.141732283
// out 2 within 1e-6: float 0 0 0 0 1 1 1 1 0.00392156863 0.498039216 1 0.501960784 0.470588235
// out 2 within 1e-6: float 0.337254902 0.203921569 0.0705882353
// out 3 within 1e-5: float 0 0 0 0 1 1 1 1 0.000303526984 0.212230757 1 0.501960784 0.187820772
// out 3 within 1e-5: float 0.0930589628 0.0343398068 0.0705882353
// out 4 within 1e-6: float 0 0 0 0 -3.05185095e-05 -3.05185095e-05 1 1 0.992248299 -0.992248299
// out 4 within 1e-6: float 0.496116579 0.50389868 0.675557726 0.142216254 0.337773709 0.071107042
// out 5 within 1e-6: float 0 0 0 0 1 1 1 1 0.751710655 0.968719453 0.0146627566 0.666666667
// out 5 within 1e-6: float 0.617790811 0.270772239 0.284457478 0
// out 6 within 1e-6: float 0 0 0 0 1 1 1 0 0.483870968 0.888888889 0.0322580645 0 0.322580645
// out 6 within 1e-6: float 0.80952381 0.774193548 0
kernel void unpack(device const uint* in [[buffer(0)]], device float4* snorm [[buffer(1)]],
                   device float4* unorm [[buffer(2)]], device float4* srgb [[buffer(3)]],
                   device float4* pairs [[buffer(4)]], device float4* tens [[buffer(5)]],
                   device float4* small [[buffer(6)]], uint i [[thread_position_in_grid]]) {
  const uint word = in[i];
  snorm[i] = unpack_snorm4x8_to_float(word);
  unorm[i] = unpack_unorm4x8_to_float(word);
  srgb[i] = unpack_unorm4x8_srgb_to_float(word);
  pairs[i] = float4(unpack_snorm2x16_to_float(word), unpack_unorm2x16_to_float(word));
  tens[i] = unpack_unorm10a2_to_float(word);
  small[i] = float4(unpack_unorm565_to_float(ushort(word)), 0);
}

// kernel: halves
// grid: 2
// threadgroup: 2
// in 0: half 0.25 0.5 -0.75 1.0 -1.0 0.125 2.0 0.0
// out 1: uint 0x7fa14020 0x7f1081
// out 1: uint 0x80004000 0x20000000
// out 1: uint 0x4400 0x11f
// out 2: half 0x1.0100000000000p-2 0x1.0100000000000p-1 0x0.0p+0 0x1.0000000000000p+0 0x0.0p+0
// out 2: half 0x1.0100000000000p-3 0x1.0000000000000p+0 0x0.0p+0
kernel void halves(device const half4* in [[buffer(0)]], device uint* out [[buffer(1)]],
                   device half4* back [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  out[i] = pack_half_to_snorm4x8(in[i]);
  out[2 + i] = pack_half_to_unorm2x16(in[i].xy);
  out[4 + i] = pack_half_to_unorm565(in[i].xyz);
  back[i] = unpack_unorm4x8_to_half(pack_half_to_unorm4x8(in[i]));
}
