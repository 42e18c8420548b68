// In the manner of tensor libraries: vectors, and functions under metal::, with neither an include nor a `using`.
struct ColumnShape {
  uint2 image;
  uint2 window;
  int2 padding;
  ulong2 strides;
};

template <typename T>
kernel void columns_of(device const T* image [[buffer(0)]], device T* columns [[buffer(1)]],
                       constant ColumnShape& shape [[buffer(2)]], uint2 at [[thread_position_in_grid]]) {
  const uint taps = shape.window.x * shape.window.y;
  const uint2 places = shape.image + uint2(2 * shape.padding) - shape.window + 1;
  if (metal::any(at >= uint2(places.x * places.y, taps))) return;
  const int2 place = int2(int(at.x % places.x), int(at.x / places.x));
  const int2 tap = int2(int(at.y % shape.window.x), int(at.y / shape.window.x));
  const int2 from = place + tap - shape.padding;
  const bool inside = metal::all(from >= 0 && from < int2(shape.image));
  const ulong source = ulong(from.y) * shape.strides.y + ulong(from.x) * shape.strides.x;
  columns[ulong(at.y) * places.x * places.y + at.x] = inside ? image[source] : T(0);
}
template [[host_name("columns_of_float")]] kernel void columns_of(device const float*, device float*,
                                                                  constant ColumnShape&, uint2);
template [[host_name("columns_of_half")]] kernel void columns_of(device const half*, device half*,
                                                                 constant ColumnShape&, uint2);
template [[host_name("columns_of_bfloat")]] kernel void columns_of(device const bfloat*, device bfloat*,
                                                                   constant ColumnShape&, uint2);
