// Members whose objects, results or attributes name address spaces, where libraries write them.
#include <metal_stdlib>
using namespace metal;

#define shader_function __attribute__((always_inline))
#define global_memory device
#define private_memory thread

struct Loader {
  device float* data;
  float values[4];
  __attribute__((always_inline)) device float* at(int i) { return data + i; }
  __attribute__((always_inline)) device float* at(int i) const { return data + i; }
  inline __attribute__((always_inline)) constant float* same(constant float* x) const { return x; }
  __attribute__((noinline)) static device float* start(device float* x) { return x; }
  METAL_FUNC device float& first() { return data[0]; }
  [[clang::always_inline]] device float* second() { return data + 1; }
  shader_function global_memory float* get(int i) { return &data[i]; }
  shader_function global_memory const float& look(int i) const { return data[i]; }
  shader_function void set(private_memory float* x) { *x = values[0]; }
};

struct Scene {
  struct {
    float a;
    float get() const constant { return a; }
    float twice() constant { return a + a; }
  } camera;
  struct {
    float table[2];
    constant float* pointer() constant { return table; }
    void fill(thread float* to) constant { to[0] = *pointer(); }
  } lights;
  struct Named {
    float c;
    float get() const constant { return c; }
  } named;
  float both() const constant { return camera.get() + named.get(); }
};

struct Table {
  float x;
  float v[4];
  float value() constant { return x; }
  float value() thread { return x + 1; }
  constant float* row() constant { return v; }
  constant float& at(int i) constant { return v[i]; }
  void copy(thread float& to) constant { to = value() + *row() + this->at(1); }
  float later() constant;
  void fill(device float* to) device;
  template <typename T>
  T as() constant { return T(x); }
  float operator()(int i) constant { return v[i]; }
};
float Table::later() constant { return x + value(); }
void Table::fill(device float* to) device {
  device float* from = v;
  *to = from[1] + x;
}
constant Table table = {1, {1, 2, 3, 4}};

template <typename T, size_t N>
struct Elements {
  T elements[N];
  thread T& operator[](size_t i) thread { return elements[i]; }
  constexpr const thread T& operator[](size_t i) const thread { return elements[i]; }
  device T& operator[](size_t i) device { return elements[i]; }
  constexpr const device T& operator[](size_t i) const device { return elements[i]; }
  constexpr const constant T& operator[](size_t i) const constant { return elements[i]; }
  threadgroup T& operator[](size_t i) threadgroup { return elements[i]; }
  constexpr const threadgroup T& operator[](size_t i) const threadgroup { return elements[i]; }
  object_data T& operator[](size_t i) object_data { return elements[i]; }
  constexpr const object_data T& operator[](size_t i) const object_data { return elements[i]; }
};
struct Payload {
  Elements<float, 4> values;
};
void store(threadgroup float& to) { to = 1; }
void store(object_data float& to) { to = 2; }
[[object]] void prepare(object_data Payload& payload [[payload]], mesh_grid_properties grid,
                        uint t [[thread_index_in_threadgroup]]) {
  threadgroup Elements<float, 4> shared;
  store(shared[t]);
  store(payload.values[t]);
  grid.set_threadgroups_per_grid(uint3(1, 1, 1));
}

// A member of a type without a name, in functions that are defined elsewhere.
struct Settings {
  struct {
    float4 weights;
    float first() const constant { return weights.x; }
  } nested;
  enum { low, high } level;
  void put(device float* to) const constant;
};
void Settings::put(device float* to) const constant {
  to[0] = nested.first() + nested.weights.y;
  if (level == high) to[1] = 0;
}
kernel void put(device float* to [[buffer(0)]], constant Settings& settings [[buffer(1)]]) { settings.put(to); }

kernel void f(device float* out [[buffer(0)]], constant Scene& scene [[buffer(1)]],
              constant Table& t [[buffer(2)]], device Table& u [[buffer(3)]]) {
  Loader loader;
  loader.data = out;
  *loader.at(1) = loader.first() + *loader.second() + loader.look(2);
  device float* third = loader.get(3);
  *third = *Loader::start(out);
  loader.set(loader.values);
  float copied = 0, filled = 0;
  t.copy(copied);
  scene.lights.fill(&filled);
  u.fill(out + 4);
  out[0] = copied + filled + scene.both() + scene.camera.twice() + scene.named.get() + t.value() +
           *t.row() + t.at(1) + table.value() + t.later() + t.as<float>() + t(1);
}
