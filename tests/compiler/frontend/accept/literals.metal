// Numbers of each type, and the names of the types.
#include <metal_stdlib>
using namespace metal;

static_assert(sizeof(1.0) == 4 && sizeof(1.0h) == 2 && sizeof(1.0H) == 2 && sizeof(1.0bf) == 2, "");
static_assert(sizeof(1ul) == 8 && sizeof(0xffu) == 4 && sizeof(long) == 8 && sizeof(size_t) == 8, "");
static_assert(sizeof(half) == 2 && sizeof(bfloat) == 2 && sizeof(uint64_t) == 8 && sizeof(int8_t) == 1, "");
static_assert(0x1.8p1f == 3 && 0b101 == 5 && 1'000 == 1000 && 1e3h == 1000.0h, "");

constant float pi = 3.14159265358979;
constant half table[] = {0.5h, 1.5h, half(M_PI_F)};
constant uchar letters[4] = {'a', 'b', 0x80, 255};
enum class Mode : uchar { plain, fancy };
union Bits {
  float f;
  uint u;
};

kernel void literals(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Bits bits;
  bits.f = pi;
  const Mode mode = Mode(i & 1);
  int n = 0;
  switch (mode) {
    case Mode::plain: n = 1; break;
    case Mode::fancy: n = bits.u; break;
  }
  do {
    n += letters[i & 3];
  } while (n < 3);
  out[i] = table[i % 3] * 2.0h + float(n) * 1.5 + float(1.0bf) + half(1) + metal::uint(1);
}
