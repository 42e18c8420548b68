// Names in templates.
#include <metal_stdlib>
using namespace metal;
struct Pair { float first; float second; };
struct Other { float first; };
template <typename P> float sum(P p) { return p.first; }
float both(thread Pair& a, thread Other& b) { return sum(a) + sum(b) + a.first + b.first; }
//                                                              ^ prepare
//                                                                       ^ references
//                                                                       ^ rename one
template <typename P> float never(P p) { return p.second; }
float second_of(thread Pair& a) { return a.second; }
//                                         ^ rename last
template <typename T>
T scaled(T x, T scale) {
//^ references
  T local = x * scale;
//              ^ rename by
//  ^ rename result
  return local;
}
template <typename T>
kernel void apply(device T* data, uint i [[thread_position_in_grid]]) {
//          ^ references
//          ^ rename use
  data[i] = scaled(data[i], T(2));
//          ^ rename grown
}
template [[host_name("apply_float")]] kernel void apply<float>(device float*, uint);
template [[host_name("apply_half")]] kernel void apply<half>(device half*, uint);
template <typename T> struct Box {
  T held;
  T get() const { return held; }
};
template <> struct Box<int> { int held; };
float unbox(thread Box<float>& b, thread Box<int>& c) { return b.get() + b.held + c.held; }
//                 ^ rename Crate
//                                                                         ^ rename kept
//                                                               ^ rename take
struct Doubled { static float apply(float x) { return 2 * x; } };
struct Wrapped { float value; };
template <typename Op, typename W>
kernel void map(device W* x, uint i [[thread_position_in_grid]]) { x[i].value = Op::apply(x[i].value); }
//                                                                         ^ rename content
template [[host_name("doubled")]] kernel void map<Doubled, Wrapped>(device Wrapped*, uint);
//                                                ^ references
//                                                ^ rename Twice
//                                                         ^ rename Held
float local(float x) {
  float value = x;
//      ^ rename amount
  return value;
}
