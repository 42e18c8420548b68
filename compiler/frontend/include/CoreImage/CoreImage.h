// What Core Image gives to the functions of its kernels, after the "Metal Shading Language for Core
// Image Kernels".
#pragma clang system_header
#ifndef MSCI_CORE_IMAGE
#define MSCI_CORE_IMAGE
#include <metal_stdlib>

namespace coreimage {
using namespace metal;

// The premultiplied colour of an image at the place of the result.
typedef float4 sample_t;
typedef half4 sample_h;

// The place of the result, in pixels.
class destination {
 public:
  float2 coord() const { return place; }

 private:
  float2 place;
};

// Four results at once, of two rows and two columns.
namespace group {
#define $DESTINATION(name, T) \
  class name { \
   public: \
    float2 coord() const { return place; } \
    void write(T first, T second, T third, T fourth) { \
      pixels[0] = first, pixels[1] = second, pixels[2] = third, pixels[3] = fourth; \
    } \
    \
   private: \
    float2 place; \
    T pixels[4]; \
  };
$DESTINATION(destination, float4)
$DESTINATION(destination_h, half4)
#undef $DESTINATION
}  // namespace group

// An image that a kernel reads where it wants, in a space of its own, into which transform() leads.
#define $SAMPLER(name, T, V) \
  class name { \
   public: \
    V sample(float2 at) const { return image.sample(linear, at * scale); } \
    V gatherX(float2 at) const { \
      return image.gather(linear, at * scale, int2(0), component::x); \
    } \
    V gatherY(float2 at) const { \
      return image.gather(linear, at * scale, int2(0), component::y); \
    } \
    V gatherZ(float2 at) const { \
      return image.gather(linear, at * scale, int2(0), component::z); \
    } \
    V gatherW(float2 at) const { \
      return image.gather(linear, at * scale, int2(0), component::w); \
    } \
    float2 transform(float2 at) const { return at * scale + corner.xy; } \
    float2 coord() const { return place; } \
    float4 extent() const { return corner; } \
    float2 origin() const { return corner.xy; } \
    float2 size() const { return corner.zw; } \
    \
   private: \
    texture2d<T> image; \
    metal::sampler linear; \
    float2 scale, place; \
    float4 corner; \
  };
$SAMPLER(sampler, float, float4)
$SAMPLER(sampler_h, $half, half4)
#undef $SAMPLER

// A name with an underscore at its end wants an angle between -pi and pi.
#define $ANGLES(V) \
  inline V cos_(V x) { return cos(x); } \
  inline V sin_(V x) { return sin(x); } \
  inline V tan_(V x) { return tan(x); } \
  inline V compare(V x, V y, V z) { return select(z, y, x < V(0)); }
$ANGLES(float)
$ANGLES(float2)
$ANGLES(float3)
$ANGLES(float4)
$ANGLES($half)
$ANGLES(half2)
$ANGLES(half3)
$ANGLES(half4)
#undef $ANGLES

using metal::sincos;
#define $COLOURS(T, V2, V3, V4) \
  inline V2 cossin(T x) { return V2{cos(x), sin(x)}; } \
  inline V2 cossin_(T x) { return V2{cos(x), sin(x)}; } \
  inline V2 sincos(T x) { return V2{sin(x), cos(x)}; } \
  inline V2 sincos_(T x) { return V2{sin(x), cos(x)}; } \
  inline V4 premultiply(V4 c) { return V4{c.r * c.a, c.g * c.a, c.b * c.a, c.a}; } \
  inline V4 unpremultiply(V4 c) { \
    return c.a > 0 ? V4{c.r / c.a, c.g / c.a, c.b / c.a, c.a} : c; \
  } \
  inline V3 srgb_to_linear(V3 c) { \
    return V3{T($to_linear(c.r)), T($to_linear(c.g)), T($to_linear(c.b))}; \
  } \
  inline V3 linear_to_srgb(V3 c) { \
    return V3{T($to_srgb(c.r)), T($to_srgb(c.g)), T($to_srgb(c.b))}; \
  }
$COLOURS(float, float2, float3, float4)
$COLOURS($half, half2, half3, half4)
#undef $COLOURS

}  // namespace coreimage
#endif
