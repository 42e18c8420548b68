// String literals are constant memory.
#include <metal_stdlib>
using namespace metal;
constant char letters[] = "0123456789abcdef";
struct Entry { constant char* name; uint value; };
static uint length_of(constant char* text) { uint n = 0; while (text[n]) ++n; return n; }
template <int N> uint size_of(constant const char (&text)[N]) { return N; }
static constant char* name_of(uint i) { return i & 1 ? "odd" : "even"; }
kernel void all(device char* out, device uint* sizes, uint i [[thread_position_in_grid]]) {
  constant char* own = "kernel";
  const Entry entry = {"entry", 3};
  out[i] = letters[i & 15];
  sizes[i] = length_of("text") + length_of(own) + length_of(entry.name) + length_of(name_of(i)) + size_of("four");
}
