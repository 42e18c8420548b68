// Facts: bans. ../README.md explains the lines that begin a source.
// --- long_long: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  long long a = 1;
  x[i] = int(a);
}

// --- long_long_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  long a = 1;
  x[i] = int(a);
}

// --- long_long_in_a_typedef: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
typedef long long wide;
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = int(wide(1));
}

// --- long_long_in_a_typedef_beside: accepted
// evidence: Metal Shading Language specification
typedef long wide;
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = int(wide(1));
}

// --- long_long_in_a_field: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  unsigned long long n;
};
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  x[i] = int(s.n);
}

// --- long_long_in_a_field_beside: accepted
// evidence: Metal Shading Language specification
struct S {
  ulong n;
};
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  x[i] = int(s.n);
}

// --- long_long_in_a_cast: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = int((long long)x[i]);
}

// --- long_long_in_a_cast_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = int((long)x[i]);
}

// --- int128: refused | is not supported on this target
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  __int128 a = 1;
  x[i] = int(a);
}

// --- int128_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  long a = 1;
  x[i] = int(a);
}

// --- variable_length: refused | variable length arrays are not supported in Metal
// evidence: MoltenVK issue 1106
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int n = int(i) + 1;
  int a[n];
  a[0] = 1;
  x[i] = a[0];
}

// --- variable_length_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr int n = 4;
  int a[n];
  a[0] = 1;
  x[i] = a[0];
}

// --- zero_length: refused | zero-length arrays are not permitted in C++
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int a[0];
  x[i] = sizeof(a);
}

// --- zero_length_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int a[1];
  x[i] = sizeof(a);
}

// --- flexible: refused | flexible array members are a C99 feature
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct F {
  int n;
  int a[];
};
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(F);
}

// --- flexible_beside: accepted
// evidence: Metal Shading Language specification
struct F {
  int n;
  int a[1];
};
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(F);
}

// --- noexcept_of_a_function: refused | 'noexcept' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
int f(int v) noexcept { return v; }
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = f(1);
}

// --- noexcept_of_a_function_beside: accepted
// evidence: Metal Shading Language specification
int f(int v) { return v; }
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = f(1);
}

// --- noexcept_of_a_member: accepted
// evidence: MLX has it on a conversion
struct S {
  int a;
  int get() const noexcept { return a; }
};
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  x[i] = s.get();
}

// --- noexcept_operator: refused | 'noexcept' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = noexcept(i + 1);
}

// --- noexcept_operator_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(i + 1);
}

// --- dynamic_cast: refused | 'dynamic_cast' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  int a;
};
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  thread S* p = &s;
  x[i] = dynamic_cast<thread S*>(p)->a;
}

// --- dynamic_cast_beside: accepted
// evidence: Metal Shading Language specification
struct S {
  int a;
};
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  thread S* p = &s;
  x[i] = static_cast<thread S*>(p)->a;
}

// --- asm: refused | illegal asm statement
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  asm("nop");
  x[i] = 1;
}

// --- asm_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}

// --- kernel_as_a_member: refused | kernel function cannot be a member function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  static kernel void f(device int* x [[buffer(0)]]) { x[0] = 1; }
};

// --- kernel_as_a_member_beside: accepted
// evidence: Metal Shading Language specification
namespace S {
kernel void f(device int* x [[buffer(0)]]) { x[0] = 1; }
}

// --- main: refused | non-qualified function cannot be called 'main'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
int main() { return 0; }

// --- main_beside: accepted
// evidence: Metal Shading Language specification
int start() { return 0; }

// --- register: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  register int r = 1;
  x[i] = r;
}

// --- register_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int r = 1;
  x[i] = r;
}

// --- goto: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  goto end;
end:
  x[i] = 1;
}

// --- goto_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i) x[i] = 1;
}

// --- new: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device int* p = new int;
  x[i] = *p;
}

// --- new_beside: accepted
// evidence: Metal Shading Language specification
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int p = 1;
  x[i] = p;
}

// --- union_before: refused at metal1.1 | unions are not supported in Metal
// evidence: TVM issue 874 and pull request 1105: at least metal1.2
union U {
  int a;
  float b;
};
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  U u;
  u.a = 1;
  x[i] = u.a;
}

// --- union: accepted
// evidence: TVM issue 874 and pull request 1105: at least metal1.2
union U {
  int a;
  float b;
};
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  U u;
  u.a = 1;
  x[i] = u.a;
}

// --- unsigned_long_long: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  unsigned long long a = x[i];
  x[i] = uint(a);
}

// --- long_long_int: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  long long int a[2] = {1, 2};
  x[i] = int(a[i % 2]);
}

// --- long_long_parameter: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
int low(long long a) { return int(a); }
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = low(x[i]);
}

// --- long_long_result: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
long long square(int a) { return a * a; }
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = int(square(x[i]));
}

// --- long_long_as_a_template_argument: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
template <typename T>
int low(T a) { return int(a); }
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = low<long long>(x[i]);
}

// --- long_long_in_a_buffer: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device long long* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}

// --- long_long_of_a_macro: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
#define WIDE long long
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  WIDE a = x[i];
  x[i] = int(a);
}

// --- long_long_by_static_cast: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = int(static_cast<long long>(x[i]) >> 1);
}

// --- size_of_long_long: refused | 'long long' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(long long);
}

// --- unsigned_int128: refused | is not supported on this target
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  unsigned __int128 a = x[i];
  x[i] = uint(a);
}

// --- int128_parameter: refused | is not supported on this target
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
int low(__int128 a) { return int(a); }
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = low(x[i]);
}

// --- variable_length_of_a_parameter: refused | variable length arrays are not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float sum(int n) {
  float a[n];
  a[0] = 1;
  return a[0];
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sum(3);
}

// --- variable_length_of_a_constant: refused | variable length arrays are not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const uint n = i + 1;
  float a[n];
  a[0] = x[i];
  x[i] = a[0];
}

// --- variable_length_of_the_second_dimension: refused | variable length arrays are not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint n = 4;
  float a[2][n];
  a[0][0] = x[i];
  x[i] = a[0][0];
}

// --- variable_length_in_threadgroup: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float a[i + 1];
  a[0] = x[i];
  x[i] = a[0];
}

// --- variable_length_of_a_buffer_value: refused | variable length arrays are not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float a[n];
  a[0] = x[i];
  x[i] = a[0];
}

// --- zero_length_field: refused | zero-length arrays are not permitted in C++
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  float a;
  float more[0];
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(S);
}

// --- zero_length_in_threadgroup: refused | zero-length arrays are not permitted in C++
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float t[0];
  x[i] = sizeof(t);
}

// --- zero_length_of_a_template: refused | zero-length arrays are not permitted in C++
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
template <int n>
float f(float a) {
  float b[n];
  return a + sizeof(b);
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = f<0>(x[i]);
}

// --- negative_length: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a[1 - 2];
  x[i] = sizeof(a);
}

// --- noexcept_of_a_template: refused | 'noexcept' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
template <typename T>
T twice(T a) noexcept { return a + a; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = twice(x[i]);
}

// --- noexcept_of_a_condition: refused | 'noexcept' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float twice(float a) noexcept(true) { return a + a; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = twice(x[i]);
}

// --- dynamic_cast_of_a_reference: refused | 'dynamic_cast' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S { float a; };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{x[i]};
  x[i] = dynamic_cast<thread S&>(s).a;
}

// --- dynamic_cast_in_a_template: refused | 'dynamic_cast' is not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
template <typename T>
float first(thread T* p) { return dynamic_cast<thread T*>(p)->a; }
struct S { float a; };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{x[i]};
  x[i] = first(&s);
}

// --- typeid: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = typeid(x[i]) == typeid(float) ? 1 : 2;
}

// --- asm_volatile: refused | illegal asm statement
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  asm volatile("nop");
  x[i] = 1;
}

// --- asm_with_operands: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int a = 1;
  __asm__("mov %0, %0" : "+r"(a));
  x[i] = a;
}

// --- kernel_as_a_plain_member: refused | kernel function cannot be a member function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  kernel void f(device int* x [[buffer(0)]]) { x[0] = 1; }
};

// --- vertex_function_as_a_member: refused | vertex function cannot be a member function
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  static vertex float4 v(uint n [[vertex_id]]) { return float4(n); }
};

// --- main_with_parameters: refused | non-qualified function cannot be called 'main'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
int main(int a, constant char* b) { return a; }

// --- register_parameter: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float twice(register float a) { return 2 * a; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = twice(x[i]);
}

// --- goto_backwards: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a = x[i];
  again:
  a *= 2;
  if (a < 10) goto again;
  x[i] = a;
}

// --- array_new: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  thread float* p = new float[4];
  x[i] = p[0];
}

// --- delete: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a = x[i];
  thread float* p = &a;
  delete p;
}

// --- throw: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (x[i] < 0) throw 1;
  x[i] = 1;
}

// --- try: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  try {
    x[i] = 1;
  } catch (...) {
  }
}

// --- thread_local_variable: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  thread_local float a = 1;
  x[i] = a;
}

// --- virtual_member: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  float a;
  virtual float get() { return a; }
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(S);
}

// --- static_in_a_function: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  static int n = 0;
  x[i] = ++n;
}

// --- static_in_a_helper: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float next(float a) {
  static float last = 0;
  last += a;
  return last;
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = next(x[i]);
}

// --- variable_at_program_scope: refused | program scope variable must reside in constant address space
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
int n = 1;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = n;
}

// --- static_variable_at_program_scope: refused | program scope variable must reside in constant address space
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
static float scale = 2;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = scale;
}

// --- constant_table_without_a_space: refused | program scope variable must reside in constant address space
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
const float table[2] = {1, 2};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = table[i % 2];
}

// --- threadgroup_at_program_scope: refused | program scope variable must reside in constant address space
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
threadgroup float tile[64];
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  tile[i % 64] = x[i];
  x[i] = tile[0];
}

// --- device_at_program_scope: refused | program scope variable must reside in constant address space
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
device float total;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  total = x[i];
}

// --- variable_in_a_namespace: refused | program scope variable must reside in constant address space
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
namespace own {
float scale = 2;
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = own::scale;
}

// --- constant_without_a_value: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
constant float scale;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = scale;
}

// --- constant_changed: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
constant float scale = 2;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  scale = x[i];
}

// --- constant_in_a_function: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constant float scale = x[i];
  x[i] = scale;
}

// --- device_variable_in_a_function: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device float a = 1;
  x[i] = a;
}

// --- threadgroup_in_a_helper: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float f(float a) {
  threadgroup float t[4];
  t[0] = a;
  return t[0];
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = f(x[i]);
}

// --- double_variable: refused | 'double' is not supported in Metal
// evidence: Metal Shading Language specification: double is not supported
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  double a = x[i];
  x[i] = float(a);
}

// --- double_parameter: refused | 'double' is not supported in Metal
// evidence: Metal Shading Language specification: double is not supported
float narrow(double a) { return float(a); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = narrow(x[i]);
}

// --- double_cast: refused | 'double' is not supported in Metal
// evidence: Metal Shading Language specification: double is not supported
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float((double)x[i] * 2);
}

// --- double_in_a_template_argument: refused | 'double' is not supported in Metal
// evidence: Metal Shading Language specification: double is not supported
template <typename T>
float twice(T a) { return float(2 * a); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = twice<double>(x[i]);
}

// --- double_in_a_buffer: refused | 'double' is not supported in Metal
// evidence: Metal Shading Language specification: double is not supported
kernel void k(device double* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}

// --- double_vector: refused
// evidence: Metal Shading Language specification: double is not supported
kernel void k(device double2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}

// --- double_in_a_struct: refused | 'double' is not supported in Metal
// evidence: Metal Shading Language specification: double is not supported
struct S { double a; };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(S);
}

// --- header_of_cpp: refused | file not found
// evidence: Metal Shading Language specification: the C++ standard library is not there
#include <metal_stdlib>
#include <vector>
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- header_of_c: refused | file not found
// evidence: Metal Shading Language specification: the C++ standard library is not there
#include <metal_stdlib>
#include <stdio.h>
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- name_of_std: refused | use of undeclared identifier 'std'
// evidence: Metal Shading Language specification: the C++ standard library is not there
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = std::max(x[i], 1.0f);
}

// --- printf_of_c: refused | use of undeclared identifier 'printf'
// evidence: Metal Shading Language specification: the C++ standard library is not there
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  printf("x");
  x[i] = 1;
}

// --- malloc: refused | use of undeclared identifier 'malloc'
// evidence: Metal Shading Language specification: the C++ standard library is not there
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = *(thread float*)malloc(4);
}

// --- memcpy: refused | use of undeclared identifier 'memcpy'
// evidence: Metal Shading Language specification: the C++ standard library is not there
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a[4];
  memcpy(a, x, 16);
  x[i] = a[0];
}

// --- wide_integers: accepted
// evidence: Metal Shading Language specification: scalar types
kernel void k(device long* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  ulong a = ulong(x[i]) << 40;
  int64_t b = 1;
  uint64_t c = 2;
  x[i] = long(a) + b + long(c) + 0x100000000;
}

// --- integers_of_each_size: accepted
// evidence: Metal Shading Language specification: scalar types
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int8_t a = 1;
  uint16_t b = 2;
  unsigned char c = 3;
  short int d = 4;
  unsigned e = 5;
  size_t f = sizeof(x[i]);
  ptrdiff_t g = &x[i] - x;
  x[i] = a + b + c + d + int(e) + int(f) + int(g);
}

// --- literals_of_each_kind: accepted
// evidence: Metal Shading Language specification: scalar types
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  half a = 1.5h;
  float b = 1.5, c = 1e3f, d = 0x1p-3f;
  uint e = 0xffu, f = 0b101u;
  long g = 5l;
  char h = 'a';
  x[i] = a + b + c + d + e + f + g + h;
}

// --- array_length_of_a_constant: accepted
// evidence: Metal Shading Language specification: arrays
constant constexpr uint n = 4;
constant uint m = 3;
enum { rows = 2 };
template <uint length>
float last() {
  float a[length] = {};
  return a[length - 1];
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a[n][rows] = {};
  float b[sizeof(float) * 2] = {};
  x[i] = a[1][1] + b[7] + last<n + 1>() + m;
}

// --- array_of_a_struct: accepted
// evidence: Metal Shading Language specification: arrays
struct Tile {
  float a[4][4];
  uint n;
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup Tile t[2];
  t[i % 2].a[1][2] = x[i];
  Tile own = {{{1, 2}, {3}}, 4};
  x[i] = t[0].a[1][2] + own.a[0][1];
}

// --- constants_at_program_scope: accepted
// evidence: Metal Shading Language specification: address spaces
constant float scale = 2;
constant float table[] = {1, 2, 3};
static constant int small = 3;
constexpr constant uint2 size(1, 2);
namespace own {
constant half h = 1;
}
struct S {
  static constant constexpr int n = 5;
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = scale + table[i % 3] + small + size.y + own::h + S::n;
}

// --- constexpr_in_a_function: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr int n = 4;
  const float a = x[i];
  constexpr float table[2] = {1, 2};
  x[i] = a * n + table[i % 2];
}

// --- control_flow: accepted
// evidence: Metal Shading Language specification: C++14 with its restrictions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a = x[i];
  switch (i % 4) {
    case 0: a += 1; break;
    case 1: a += 2; [[fallthrough]];
    default: a += 3;
  }
  do {
    a /= 2;
    if (a < 0.1f) continue;
    if (a > 100) break;
  } while (a > 1);
  x[i] = a;
}

// --- casts_of_each_kind: accepted
// evidence: Metal Shading Language specification: C++14 with its restrictions
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const float a = x[i];
  thread const float* p = &a;
  x[i] = float(int(a)) + (float)(uint)a + static_cast<float>(short(a)) + *const_cast<thread float*>(p);
}

// --- anonymous_union: accepted
// evidence: Metal Shading Language specification: C++14 with its restrictions
struct Bits {
  union {
    float a;
    uint b;
  };
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Bits bits;
  bits.a = x[i];
  x[i] = float(bits.b);
}

// --- static_member_without_a_space: refused | program scope variable must reside in constant address space
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data); MLX writes `static constant` there
struct Limits {
  static constexpr int most = 4;
};
kernel void k(device float* x [[buffer(0)]]) { x[0] = Limits::most; }

// --- static_member_of_a_template_without_a_space: refused | program scope variable must reside in constant address space
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data); MLX writes `static constant` there
template <int N>
struct Limits {
  static const int most = N;
};
kernel void k(device float* x [[buffer(0)]]) { x[0] = Limits<3>::most; }

// --- static_member_in_constant_memory: accepted
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data); MLX writes `static constant` there
template <int N>
struct Limits {
  static constant constexpr int most = N;
  enum { least = 1 };
};
kernel void k(device float* x [[buffer(0)]]) { x[0] = Limits<3>::most + Limits<3>::least; }

// --- asm_at_program_scope: refused | illegal asm statement
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
asm("nop");
kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- virtual_base: refused | are not supported in Metal
// evidence: Metal Shading Language specification: restrictions: the virtual function attribute
struct Base {
  int x;
};
struct Derived : virtual Base {};
kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- static_in_a_function_in_words: refused | variables in function scope cannot be declared static
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float next() {
  static float n = 0;
  return ++n;
}
kernel void k(device float* x [[buffer(0)]]) { x[0] = next(); }

// --- call_of_a_vertex_function: refused | call to vertex function 'f'
// evidence: Metal Shading Language specification: a function with the qualifier of a stage calls no other one
vertex float4 f(uint i [[vertex_id]]) { return i; }
vertex float4 g(uint i [[vertex_id]]) { return f(i) * 2; }

// --- call_of_a_fragment_function: refused | call to fragment function 'f'
// evidence: Metal Shading Language specification: a function with the qualifier of a stage calls no other one
fragment float4 f() { return 1; }
kernel void k(device float* x [[buffer(0)]]) { x[0] = f().x; }

// --- derived_struct: refused | derived classes are not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data); specification: restrictions of C++
struct Base { float a; };
struct Derived : Base { float b; };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { Derived d; d.a = 1; x[i] = d.a; }

// --- derived_template: refused | derived classes are not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data); specification: restrictions of C++
template <typename T> struct Base { T a; };
template <typename T> struct Derived : Base<T> {};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { Derived<float> d; d.a = 1; x[i] = d.a; }

// --- derived_with_internals: accepted
// evidence: headers of MLX, which Apple's compiler builds
#pragma METAL internals : enable
template <typename T> struct is_small : metal::bool_constant<(sizeof(T) <= 4)> {};
#pragma METAL internals : disable
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = is_small<half>::value; }

// --- derived_behind_internals: refused | derived classes are not supported in Metal
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data); specification: restrictions of C++
#pragma METAL internals : enable
#pragma METAL internals : disable
struct Base { float a; };
struct Derived : Base {};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { Derived d; d.a = 1; x[i] = d.a; }
