// Facts: address spaces. ../README.md explains the lines that begin a source.
// --- argument_from_device: refused | no matching function for call to 'first'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float first(thread float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], device float* p [[buffer(1)]], uint i [[thread_position_in_grid]]) { out[i] = first(p); }

// --- argument_in_device: accepted
// evidence: Metal Shading Language specification: address spaces
float first(device float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], device float* p [[buffer(1)]], uint i [[thread_position_in_grid]]) { out[i] = first(p); }

// --- variable_from_device: refused | cannot initialize a variable of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], device float* p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  thread float* x = p;
  out[i] = x[0];
}

// --- variable_in_device: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* out [[buffer(0)]], device float* p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  device float* x = p;
  out[i] = x[0];
}

// --- argument_from_constant: refused | no matching function for call to 'first'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float first(thread const float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], constant float* p [[buffer(1)]], uint i [[thread_position_in_grid]]) { out[i] = first(p); }

// --- argument_in_constant: accepted
// evidence: Metal Shading Language specification: address spaces
float first(constant const float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], constant float* p [[buffer(1)]], uint i [[thread_position_in_grid]]) { out[i] = first(p); }

// --- variable_from_constant: refused | cannot initialize a variable of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], constant float* p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  thread const float* x = p;
  out[i] = x[0];
}

// --- variable_in_constant: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* out [[buffer(0)]], constant float* p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constant const float* x = p;
  out[i] = x[0];
}

// --- argument_from_threadgroup: refused | no matching function for call to 'first'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float first(thread float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], threadgroup float* p [[threadgroup(0)]], uint i [[thread_position_in_grid]]) { out[i] = first(p); }

// --- argument_in_threadgroup: accepted
// evidence: Metal Shading Language specification: address spaces
float first(threadgroup float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], threadgroup float* p [[threadgroup(0)]], uint i [[thread_position_in_grid]]) { out[i] = first(p); }

// --- variable_from_threadgroup: refused | cannot initialize a variable of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], threadgroup float* p [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  thread float* x = p;
  out[i] = x[0];
}

// --- variable_in_threadgroup: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* out [[buffer(0)]], threadgroup float* p [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float* x = p;
  out[i] = x[0];
}

// --- array_of_a_threadgroup: refused | no matching function for call to 'first'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float first(thread float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float t[4];
  t[i & 3] = i;
  out[i] = first(t);
}

// --- array_of_a_thread: accepted
// evidence: Metal Shading Language specification: address spaces
float first(thread float* x) { return x[0]; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  float t[4] = {1, 2, 3, 4};
  out[i] = first(t);
}

// --- array_in_a_buffer: refused | no matching function for call to 'first'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct Row {
  float values[4];
};
float first(const thread float* x) { return x[0]; }
kernel void k(device Row& row [[buffer(1)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = first(row.values); }

// --- array_in_a_copy: accepted
// evidence: Metal Shading Language specification: address spaces
struct Row {
  float values[4];
};
float first(const thread float* x) { return x[0]; }
kernel void k(device Row& row [[buffer(1)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Row own = row;
  out[i] = first(own.values);
}

// --- reference_to_a_threadgroup: refused | could not bind to an lvalue of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float t;
  thread float& r = t;
  r = 1;
  out[i] = t;
}

// --- reference_in_a_threadgroup: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float t;
  threadgroup float& r = t;
  r = 1;
  out[i] = t;
}

// --- reference_parameter: refused | no matching function for call to 'clear'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
void clear(thread float& x) { x = 0; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { clear(out[i]); }

// --- constant_reference_parameter: accepted
// evidence: C++: a reference to a constant binds to a copy
float twice(const thread float& x) { return 2 * x; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = twice(out[i]); }

// --- assignment: refused | changes address space of pointer
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float own = 1;
  thread float* p = &own;
  p = out;
  out[i] = *p;
}

// --- assignment_in_thread: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float own[2] = {1, 2};
  thread float* p = own;
  p = own + 1;
  out[i] = *p;
}

// --- result: refused | cannot initialize return object of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
thread float* same(device float* x) { return x; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = *same(out); }

// --- result_in_device: accepted
// evidence: Metal Shading Language specification: address spaces
device float* same(device float* x) { return x; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = *same(out); }

// --- member_plain_on_device: refused | cannot initialize object parameter of type
// evidence: ogre-next issue 323: address space mismatch in 'this' argument
struct Box {
  float n;
  float get() const { return n; }
};
kernel void k(device float* out [[buffer(0)]], device Box& b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  out[i] = b.get();
}

// --- member_thread_on_device: refused | cannot initialize object parameter of type
// evidence: ogre-next issue 323: address space mismatch in 'this' argument
struct Box {
  float n;
  float get() const thread { return n; }
};
kernel void k(device float* out [[buffer(0)]], device Box& b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  out[i] = b.get();
}

// --- member_device_on_device: accepted
// evidence: Metal Shading Language specification: member functions of an address space
struct Box {
  float n;
  float get() const device { return n; }
};
kernel void k(device float* out [[buffer(0)]], device Box& b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  out[i] = b.get();
}

// --- member_device_on_constant: refused | cannot initialize object parameter of type
// evidence: ogre-next issue 323: address space mismatch in 'this' argument
struct Box {
  float n;
  float get() const device { return n; }
};
kernel void k(device float* out [[buffer(0)]], constant Box& b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  out[i] = b.get();
}

// --- member_constant_on_constant: accepted
// evidence: Metal Shading Language specification: member functions of an address space
struct Box {
  float n;
  float get() const constant { return n; }
};
kernel void k(device float* out [[buffer(0)]], constant Box& b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  out[i] = b.get();
}

// --- member_plain_on_threadgroup: refused | cannot initialize object parameter of type
// evidence: ogre-next issue 323: address space mismatch in 'this' argument
struct Box {
  float n;
  float get() const { return n; }
};
kernel void k(device float* out [[buffer(0)]], threadgroup Box& b [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = b.get();
}

// --- member_threadgroup_on_threadgroup: accepted
// evidence: Metal Shading Language specification: member functions of an address space
struct Box {
  float n;
  float get() const threadgroup { return n; }
};
kernel void k(device float* out [[buffer(0)]], threadgroup Box& b [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = b.get();
}

// --- member_plain_on_thread: accepted
// evidence: Metal Shading Language specification: member functions of an address space
struct Box {
  float n;
  float get() const { return n; }
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Box b{2};
  out[i] = b.get();
}

// --- member_of_two_spaces: accepted
// evidence: Metal Shading Language specification: member functions of an address space
struct Box {
  float n;
  float get() const thread { return n; }
  float get() const device { return n; }
};
kernel void k(device float* out [[buffer(0)]], device Box* b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Box own = b[i];
  out[i] = own.get() + b[i].get();
}

// --- operator_on_device: refused | cannot initialize object parameter of type
// evidence: ogre-next issue 323: address space mismatch in 'this' argument
struct Sum {
  float n;
  thread Sum& operator+=(float x) {
    n += x;
    return *this;
  }
};
kernel void k(device Sum* s [[buffer(0)]], uint i [[thread_position_in_grid]]) { s[i] += 1; }

// --- objects_are_copied: accepted
// evidence: Metal Shading Language specification: address spaces
struct Pair {
  float a, b;
};
kernel void k(device Pair* x [[buffer(0)]], constant Pair& y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Pair own = x[i];
  own.a += y.b;
  x[i] = own;
  x[i + 1] = y;
}

// --- library_functions_take_any_space: accepted
// evidence: Metal Shading Language specification: mathematical and atomic functions
kernel void k(device float* out [[buffer(0)]], device atomic_int* a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  threadgroup float t[4];
  float c;
  int e;
  t[i & 3] = sincos(out[i], c) + frexp(out[i], e);
  atomic_fetch_add_explicit(a, 1, memory_order_relaxed);
  out[i] = t[0] + c + e;
}
