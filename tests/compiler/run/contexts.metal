// Members that variables of the same names hide, in functions of objects in one space.
// kernel: run
// grid: 2
// threadgroup: 2
// in 0: int 5 7 9
// in 1: int 3
// out 2: int 240 240
#include <metal_stdlib>
using namespace metal;

class Context {
 public:
  constant int& seed;
  Context(constant int& s) : seed(s) {}
  int times(int x) { return x * seed; }
};

struct Params {
  int kernel_index;
  int width;
  int out;
  void run(thread Context& context, device int* result, uint id) device const;
  device const int* place(uint i) device const {
    int sum = 0;
    for (int width = 0; width < 3; ++width) sum += width;
    {
      int out = 1;
      sum += out;
    }
    return &out + (i - i) * width + 0 * sum;
  }
};

void Params::run(thread Context& context, device int* result, uint id) device const {
  struct Filter {
    Filter(thread Context& c) : context(c) {}
    thread Context& context;
    int kernel_index;
    int operator()(const int state) const { return context.times(state) + kernel_index; }
  } filter(context);
  filter.kernel_index = kernel_index;
  int sum = 0;
  for (int width = 0; width < 7; ++width) sum += 1;
  sum += kernel_index;
  result[id] = filter(2) + (kernel_index < width ? 100 : 0) + 10 * sum + *place(id);
}

kernel void run(device const Params* params [[buffer(0)]], constant int& seed [[buffer(1)]],
                device int* result [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  Context context(seed);
  params->run(context, result, i);
}
