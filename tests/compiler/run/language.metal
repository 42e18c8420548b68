// C++ that Metal keeps: scoped enumerations, unions, aligned and nested types, templates with
// values, constexpr functions, overloads, operators, references to arrays, fall-through, `do`.
#include <metal_stdlib>
using namespace metal;

enum class Operation : uchar { add, subtract, multiply };

union Word {
  uint bits;
  float value;
  uchar bytes[4];
};

struct alignas(16) Row {
  float values[3];
  struct Tail {
    ushort count;
    bool last;
  } tail;
};
static_assert(sizeof(Row) == 16 && alignof(Row) == 16, "the host lays rows out like this");

constexpr uint triangle(uint n) {
  uint sum = 0;
  for (uint k = 1; k <= n; ++k) sum += k;
  return sum;
}
static_assert(triangle(4) == 10, "known before the kernel runs");

template <typename T, uint N>
struct Ring {
  T slots[N];
  uint used = 0;
  static constexpr uint size() { return N; }
  void push(T value) { slots[used++ % N] = value; }
  thread T& operator[](uint i) { return slots[i % N]; }
};

template <Operation op>
int apply(int a, int b) {
  if constexpr (op == Operation::add)
    return a + b;
  else if constexpr (op == Operation::subtract)
    return a - b;
  else
    return a * b;
}

int apply(Operation op, int a, int b) {
  switch (op) {
    case Operation::add:
      return apply<Operation::add>(a, b);
    case Operation::subtract:
      return apply<Operation::subtract>(a, b);
    default:
      return apply<Operation::multiply>(a, b);
  }
}

struct Fraction {
  int top, bottom;
};
Fraction operator*(Fraction a, Fraction b) { return {a.top * b.top, a.bottom * b.bottom}; }

int sum(thread const int (&values)[3]) { return values[0] + values[1] + values[2]; }

// kernel: language
// grid: 3
// threadgroup: 3
// in 0: float 1 2 3
// in 0: uint 0x10005
// in 0: float 4 5 6
// in 0: uint 7
// in 0: float 7 8 9
// in 0: uint 0x10009
// out 1: int 0x3f800000 0x40800000 0x40e00000
// out 1: int 128 128 224
// out 1: int 6 15 24
// out 1: int 5 -7 9
// out 1: int 9 -1 81
// out 1: int 10 10 10
// out 1: int 6 30 84
// out 1: int 1 8 27
// out 1: int 6 15 24
// out 1: int 12 11 11
kernel void language(device const Row* rows [[buffer(0)]], device int* out [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  const Row row = rows[i];
  Word word;
  word.value = row.values[0];
  out[i] = int(word.bits);
  out[3 + i] = word.bytes[2];
  out[6 + i] = int(row.values[0] + row.values[1] + row.values[2]);
  out[9 + i] = row.tail.last ? row.tail.count : -int(row.tail.count);
  out[12 + i] = apply(Operation(i), int(row.values[2]), int(row.tail.count) + (i == 0));
  out[15 + i] = triangle(4);
  const Fraction f =
      Fraction{int(i) + 1, 1} * Fraction{int(i) + 2, 1} * Fraction{2 * int(i) + 3, 1};
  out[18 + i] = f.top;
  Ring<int, 3> ring;
  for (uint k = 0; k <= i; ++k) ring.push(int(k + 1) * int(k + 1) * int(k + 1));
  out[21 + i] = ring[ring.used - 1];
  const int three[3] = {int(row.values[0]), int(row.values[1]), int(row.values[2])};
  out[24 + i] = sum(three);
  int steps = 0;
  switch (i) {
    case 0:
      steps += 10;
      [[fallthrough]];
    case 1:
      steps += 1;
      [[fallthrough]];
    default:
      do ++steps;
      while (steps < 11);
  }
  out[27 + i] = steps;
}
