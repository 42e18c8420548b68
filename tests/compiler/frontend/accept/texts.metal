// Literals lie in constant memory.
#include <metal_stdlib>
using namespace metal;

struct Entry {
  constant char* label;
  int value;
};
constant Entry entries[] = {{"one", 1}, {"two", 2}};
constant const char* constant names[] = {"a", "b" "c"};

static int length_of(constant char* s) {
  int n = 0;
  while (s[n]) ++n;
  return n;
}
static int first_of(constant const char* s) { return s[0]; }
template <typename T>
static int has_any(constant T* s) {
  return s[0] ? 1 : 0;
}
static constant char* name_of(int kind) {
  switch (kind) {
    case 0: return "none";
    default: return kind > 5 ? "many" : "few";
  }
}
static_assert(sizeof(Entry) == 16, "with room behind the number");

kernel void texts(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constant char* local = "local";
  local = i ? local : "other";
  out[i] = length_of("xyz") + first_of(local) + has_any("q") + entries[1].label[0] + names[1][1];
  out[i] += length_of(name_of(i)) + length_of("tab\t\"quoted\"");
}
