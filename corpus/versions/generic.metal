// What a pointer, reference or `this` without an address space means. README.md explains the lines that begin a source.
// --- pointer_parameter: metal4.1.. | pointer type must have explicit address space qualifier
#include <metal_stdlib>
using namespace metal;
float first(float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float own[2] = {1, 2};
  out[i] = first(own);
}

// --- reference_parameter: metal4.1.. | reference type must have explicit address space qualifier
#include <metal_stdlib>
using namespace metal;
void clear(float& x) { x = 0; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float own = 1;
  clear(own);
  out[i] = own;
}

// --- pointer_to_device: metal4.1..
#include <metal_stdlib>
using namespace metal;
float first(float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = first(out);
}

// --- pointer_to_threadgroup: metal4.1..
#include <metal_stdlib>
using namespace metal;
float first(float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float s[2];
  s[i & 1] = 1;
  out[i] = first(s);
}

// --- pointer_to_constant: none
#include <metal_stdlib>
using namespace metal;
float first(const float* x) { return x[0]; }
kernel void k(constant float* x [[buffer(1)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = first(x);
}

// --- local_pointer: metal4.1..
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float* p = out;
  p[i] = 1;
}

// --- thread_pointer_to_device: none | no matching function for call to 'first'
#include <metal_stdlib>
using namespace metal;
float first(thread float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = first(out);
}

// --- kernel_argument_without_space: none | pointer type must have explicit address space qualifier
#include <metal_stdlib>
using namespace metal;
kernel void k(float* x [[buffer(0)]]) {
  x[0] = 1;
}

// --- thread_pointer: ..
#include <metal_stdlib>
using namespace metal;
float first(thread float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float own[2] = {1, 2};
  out[i] = first(own);
}

// --- returns_element: ..metal4.0 | reference to type 'thread float' could not bind to an lvalue of type '__metal_ge
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  thread float& at(short i) { return vals[i]; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- returns_element_of_thread: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  thread float& at(short i) thread { return vals[i]; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- returns_const_element: ..metal4.0 | reference to type
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  thread const float& at(short i) const { return vals[i]; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- returns_pointer: ..metal4.0 | cannot initialize return object
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  thread float* begin() { return vals; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- returns_pointer_of_thread: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  thread float* begin() thread { return vals; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- returns_address: ..metal4.0 | cannot initialize return object
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  thread float* last() { return &vals[3]; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- returns_value: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  float at(short i) const { return vals[i]; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- returns_itself: ..metal4.0 | reference to type
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  thread S& self() { return *this; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- returns_itself_of_thread: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  thread S& self() thread { return *this; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- index_operator: ..metal4.0 | reference to type
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  thread float& operator[](short i) { return vals[i]; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- binds_variable: ..metal4.0 | reference to type
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  void clear() {
    thread float& x = vals[0];
    x = 0;
  }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- binds_variable_of_thread: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  void clear() thread {
    thread float& x = vals[0];
    x = 0;
  }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- points_variable: ..metal4.0 | cannot initialize a variable
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  void clear() {
    thread float* x = &vals[1];
    *x = 0;
  }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- passes_element: ..metal4.0 | no matching function for call to 'clear'
#include <metal_stdlib>
using namespace metal;
void clear(thread float& x) { x = 0; }
struct S {
  float vals[4];
  void reset() { clear(vals[0]); }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- passes_element_of_thread: ..
#include <metal_stdlib>
using namespace metal;
void clear(thread float& x) { x = 0; }
struct S {
  float vals[4];
  void reset() thread { clear(vals[0]); }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- passes_array: ..metal4.0 | no matching function for call to 'clear'
#include <metal_stdlib>
using namespace metal;
void clear(thread float* x) { *x = 0; }
struct S {
  float vals[4];
  void reset() { clear(vals); }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- passes_value: ..
#include <metal_stdlib>
using namespace metal;
float value(float x) { return x; }
struct S {
  float vals[4];
  float twice(short i) { return 2 * value(vals[i]); }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- calls_thread_member: ..metal4.0 | cannot initialize object parameter
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  void set(float x) thread { vals[0] = x; }
  void set_two() { set(2); }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- calls_member: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  void set(float x) { vals[0] = x; }
  void set_two() { set(2); }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- thread_member_calls_member: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  void set(float x) { vals[0] = x; }
  void set_two() thread { set(2); }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- local_of_member: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  float sum() const {
    float s[1] = {0};
    thread float& r = s[0];
    r += vals[0];
    return r;
  }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- auto_reference: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  void clear() {
    auto& x = vals[0];
    x = 0;
  }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- static_member: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float vals[4];
  static float twice(float x) { return 2 * x; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {};
  out[i] = s.vals[0];
}

// --- template_member: ..metal4.0
#include <metal_stdlib>
using namespace metal;
template <typename T>
struct S {
  T vals[4];
  thread T& at(short i) { return vals[i]; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S<float> s = {};
  out[i] = s.at(0);
}

// --- template_member_of_thread: ..
#include <metal_stdlib>
using namespace metal;
template <typename T>
struct S {
  T vals[4];
  thread T& at(short i) thread { return vals[i]; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S<float> s = {};
  out[i] = s.at(0);
}

// --- constructor_of_thread: ..
#include <metal_stdlib>
using namespace metal;
struct complex64 {
  float re, im;
  constexpr complex64(float r, float i) thread : re(r), im(i) {}
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  complex64 c = complex64(1, 2);
  out[i] = c.re;
}

// --- constructor: ..
#include <metal_stdlib>
using namespace metal;
struct complex64 {
  float re, im;
  constexpr complex64(float r, float i) : re(r), im(i) {}
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  complex64 c = complex64(1, 2);
  out[i] = c.re;
}

// --- thread_and_threadgroup_members: ..
#include <metal_stdlib>
using namespace metal;
struct S {
  float x;
  float get() const thread { return x; }
  float get() const threadgroup { return x; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s = {1};
  out[i] = s.get();
}
