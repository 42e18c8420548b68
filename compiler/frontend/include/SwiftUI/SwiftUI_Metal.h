// What SwiftUI gives to the shaders of its effects.
#pragma clang system_header
#ifndef MSCI_SWIFTUI_METAL
#define MSCI_SWIFTUI_METAL
#include <metal_stdlib>

#if __METAL_VERSION__ >= 310
namespace SwiftUI {

// The contents of a view.
struct Layer {
  metal::texture2d<$half> tex;
  metal::float2 info[5];
  // The colour at a position of the view, in points.
  metal::half4 sample(metal::float2 position) const {
    constexpr metal::sampler linear(metal::filter::linear);
    return tex.sample(linear, position * info[0] + info[1]);
  }
};

}  // namespace SwiftUI
#endif
#endif
