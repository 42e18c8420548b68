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
