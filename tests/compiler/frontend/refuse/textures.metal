// What a texture's kind or access forbids.
#include <metal_stdlib>
using namespace metal;

kernel void textures(texture2d<float> sampled [[texture(0)]], texture2d<float, access::write> written [[texture(1)]],
                     texture2d<float, access::read> read_only [[texture(2)]], texture3d<float> deep [[texture(3)]],
                     uint2 at [[thread_position_in_grid]]) {
  sampled.write(float4(1), at);  // expect: no member named 'write' in
  float4 v = written.read(at);  // expect: no member named 'read' in
  constexpr sampler s(filter::linear);
  v = read_only.sample(s, float2(at));  // expect: no member named 'sample' in
  v = sampled.sample(float2(at));  // expect: no matching member function for call to 'sample'
  v = deep.sample(s, float2(at));  // expect: no matching member function for call to 'sample'
  v = sampled.read(float2(at));  // expect: no matching member function for call to 'read'
  v.x = sampled.get_depth();  // expect: no member named 'get_depth' in
  texture4d<float> none;  // expect: no template named 'texture4d'
}
