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

// --- named_pointer: refused | cannot initialize a variable of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
using Values = thread float*;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Values p = x;
  x[i] = p[0];
}

// --- typedef_of_a_type: refused | cannot initialize a variable of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
typedef float Number;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  thread Number* p = x;
  x[i] = *p;
}

// --- pointer_to_a_pointer: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device float* p = x;
  thread float* thread* q = &p;
  x[i] = **q;
}

// --- member_of_an_aggregate: refused | cannot initialize a member subobject of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct View { thread float* values; };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  View view = {x};
  x[i] = view.values[0];
}

// --- member_assigned: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct View { thread float* values; };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  View view;
  view.values = x;
  x[i] = view.values[0];
}

// --- reference_member: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct View { thread float& value; };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  View view{x[i]};
  x[i] = view.value;
}

// --- row_of_a_threadgroup: refused | no matching function for call to 'sum'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float sum(thread float* a) { return a[0] + a[1]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float tile[4][4];
  tile[i % 4][0] = x[i];
  x[i] = sum(tile[1]);
}

// --- template_parameter_deduced: refused | no matching function for call to 'first'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
template <typename T>
T first(thread T* a) { return a[0]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = first(x);
}

// --- template_argument_given: refused | no matching function for call to 'first'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
template <typename P>
float first(P a) { return a[0]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = first<thread float*>(x);
}

// --- class_template_with_a_pointer: refused | no matching constructor
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
template <typename T>
struct Span {
  thread T* begin;
  Span(thread T* a) : begin(a) {}
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Span<float> s(x);
  x[i] = s.begin[0];
}

// --- reference_returned: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
thread float& at(device float* a, uint n) { return a[n]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = at(x, i) + 1;
}

// --- choice_of_two_pointers: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float own = 1;
  thread float* p = i > 3 ? x : &own;
  x[i] = *p;
}

// --- comparison_of_pointers: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float own = 1;
  x[i] = x == &own ? 1 : 2;
}

// --- difference_of_pointers: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], threadgroup float* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float(x - t);
}

// --- c_cast_to_thread: refused | converts between mismatching address spaces
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  thread float* p = (thread float*)x;
  x[i] = *p;
}

// --- c_cast_of_a_constant: refused | converts between mismatching address spaces
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], constant float* c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  device float* p = (device float*)c;
  x[i] = *p;
}

// --- static_cast_to_thread: refused | converts between mismatching address spaces
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  thread float* p = static_cast<thread float*>(x);
  x[i] = *p;
}

// --- reinterpret_cast_to_threadgroup: refused | reinterpret_cast from
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float* p = reinterpret_cast<threadgroup float*>(x);
  x[i] = *p;
}

// --- named_cast_to_thread: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
using Values = thread float*;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Values p = Values(x);
  x[i] = *p;
}

// --- macro_that_calls: refused | no matching function for call to 'first'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
#define FIRST(a) first(a)
float first(thread const float* a) { return a[0]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = FIRST(x);
}

// --- constant_to_device: refused | cannot initialize a variable of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], constant float* c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  const device float* p = c;
  x[i] = p[i];
}

// --- threadgroup_to_device: refused | cannot initialize a variable of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], threadgroup float* t [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  device float* p = t;
  x[i] = p[i];
}

// --- device_to_threadgroup: refused | no matching function for call to 'sum'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float sum(threadgroup float* a) { return a[0] + a[1]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sum(x);
}

// --- array_of_pointers: refused | cannot initialize an array element of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  thread float* all[2] = {x, x + 1};
  x[i] = *all[i % 2];
}

// --- pointer_from_auto: refused | cannot initialize a variable of type
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  auto p = &x[i];
  thread float* q = p;
  x[i] = *q;
}

// --- argument_of_a_lambda: refused | no matching function for call to
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  auto twice = [](thread float* p) { return *p * 2; };
  x[i] = twice(x);
}

// --- swap_of_elements: refused | no matching function for call to 'exchange'
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
void exchange(thread float& a, thread float& b) {
  float c = a;
  a = b;
  b = c;
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  exchange(x[i], x[i + 1]);
}

// --- pointer_result_in_constant: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
constant float* same(device float* a) { return a; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = same(x)[i];
}

// --- default_constructor_argument: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct View {
  float value;
  View(thread const float* p) : value(*p) {}
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  View view(x + i);
  x[i] = view.value;
}

// --- loop_over_a_pointer: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  for (thread float* p = x; p != nullptr; p = nullptr) *p = 1;
}

// --- call_operator_on_device: refused
// evidence: Metal Shading Language specification: member functions of an address space
struct Scale {
  float by;
  float operator()(float a) { return a * by; }
};
kernel void k(device Scale* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].by = x[i](2);
}

// --- subscript_on_threadgroup: refused
// evidence: Metal Shading Language specification: member functions of an address space
struct Row {
  float a[4];
  float operator[](uint n) { return a[n]; }
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup Row rows[2];
  rows[i % 2].a[0] = x[i];
  x[i] = rows[0][1];
}

// --- member_of_a_member_on_device: refused
// evidence: Metal Shading Language specification: member functions of an address space
struct Inner {
  float a;
  float get() { return a; }
};
struct Outer { Inner inner; };
kernel void k(device Outer* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].inner.a = x[i].inner.get();
}

// --- member_of_a_class_template_on_constant: refused
// evidence: Metal Shading Language specification: member functions of an address space
template <typename T>
struct Cell {
  T a;
  T get() const { return a; }
};
kernel void k(device float* x [[buffer(0)]], constant Cell<float>& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = c.get();
}

// --- compound_operator_on_device: refused
// evidence: Metal Shading Language specification: member functions of an address space
struct Sum {
  float a;
  thread Sum& operator+=(float b) {
    a += b;
    return *this;
  }
};
kernel void k(device Sum* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] += 1.0f;
}

// --- member_through_a_device_reference: refused
// evidence: Metal Shading Language specification: member functions of an address space
struct Cell {
  float a;
  void clear() { a = 0; }
};
kernel void k(device Cell* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device Cell& cell = x[i];
  cell.clear();
}

// --- threadgroup_member_on_device: refused
// evidence: Metal Shading Language specification: member functions of an address space
struct Cell {
  float a;
  void clear() threadgroup { a = 0; }
};
kernel void k(device Cell* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].clear();
}

// --- constant_member_on_device: refused
// evidence: Metal Shading Language specification: member functions of an address space
struct Cell {
  float a;
  float get() const constant { return a; }
};
kernel void k(device Cell* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].a = x[i].get();
}

// --- changing_member_on_const_device: refused
// evidence: Metal Shading Language specification: member functions of an address space
struct Cell {
  float a;
  void clear() device { a = 0; }
};
kernel void k(device float* x [[buffer(0)]], const device Cell* c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  c[i].clear();
  x[i] = 1;
}

// --- modf_into_a_buffer: refused | no matching function for call to 'modf'
// evidence: Metal Shading Language specification: functions with a reference to thread memory
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = modf(x[i], x[i + 1]);
}

// --- sincos_into_threadgroup: refused | no matching function for call to 'sincos'
// evidence: Metal Shading Language specification: functions with a reference to thread memory
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float c;
  x[i] = sincos(x[i], c);
}

// --- frexp_into_a_buffer: refused | no matching function for call to 'frexp'
// evidence: Metal Shading Language specification: functions with a reference to thread memory
kernel void k(device float* x [[buffer(0)]], device int* e [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = frexp(x[i], e[i]);
}

// --- pointer_of_a_template: accepted
// evidence: Metal Shading Language specification: address spaces
template <typename P>
float first(P a) { return a[0]; }
kernel void k(device float* x [[buffer(0)]], constant float* c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  threadgroup float t[2];
  float own[2] = {1, 2};
  t[i % 2] = own[1];
  x[i] = first(x) + first(c) + first(t) + first(own);
}

// --- three_overloads: accepted
// evidence: Metal Shading Language specification: address spaces
float first(thread const float* a) { return a[0]; }
float first(device const float* a) { return a[1]; }
float first(threadgroup const float* a) { return a[2]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float t[4];
  float own[4] = {1, 2, 3, 4};
  t[i % 4] = own[i % 4];
  x[i] = first(x) + first(t) + first(own);
}

// --- pointer_to_a_device_pointer: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device float* p = x;
  device float* thread* q = &p;
  x[i] = **q;
}

// --- named_device_pointer: accepted
// evidence: Metal Shading Language specification: address spaces
using Values = device float*;
float first(Values a) { return a[0]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Values p = x + 1;
  x[i] = first(p);
}

// --- struct_with_a_device_pointer: accepted
// evidence: Metal Shading Language specification: address spaces
struct View {
  device float* values;
  uint length;
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  View view = {x, 4};
  x[i] = view.values[i % view.length];
}

// --- cast_within_device: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device uint* bits = (device uint*)x;
  x[i] = float(bits[i]) + float(reinterpret_cast<device int*>(x)[i]);
}

// --- row_in_threadgroup: accepted
// evidence: Metal Shading Language specification: address spaces
float sum(threadgroup float* a) { return a[0] + a[1]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float tile[4][4];
  tile[i % 4][0] = x[i];
  x[i] = sum(tile[1]);
}

// --- pointer_to_rows: accepted
// evidence: Metal Shading Language specification: address spaces
float corner(threadgroup float (*t)[4]) { return t[3][3]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float tile[4][4];
  tile[i % 4][i % 3] = x[i];
  x[i] = corner(tile);
}

// --- reference_to_an_array: accepted
// evidence: Metal Shading Language specification: address spaces
template <uint n>
float sum(thread const float (&a)[n]) {
  float s = 0;
  for (uint j = 0; j < n; ++j) s += a[j];
  return s;
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float own[3] = {1, 2, x[i]};
  x[i] = sum(own);
}

// --- device_reference_of_an_element: accepted
// evidence: Metal Shading Language specification: address spaces
struct Cell {
  float a;
  float b;
};
kernel void k(device Cell* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device Cell& cell = x[i];
  cell.a = cell.b;
}

// --- table_in_constant: accepted
// evidence: Metal Shading Language specification: address spaces
constant float table[3] = {1, 2, 3};
float at(constant const float* t, uint n) { return t[n % 3]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = at(table, i);
}

// --- null_pointer: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device float* p = nullptr;
  if (i > 3) p = x;
  if (p != nullptr) *p = 1;
}

// --- const_from_device: accepted
// evidence: Metal Shading Language specification: address spaces
float first(const device float* a) { return a[0]; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const device float* p = x;
  x[i] = first(p) + first(x) + float(p - x);
}

// --- captured_device_pointer: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  auto read = [=](uint n) { return x[n]; };
  x[i] = read(i + 1);
}

// --- swap_of_copies: accepted
// evidence: Metal Shading Language specification: address spaces
void exchange(thread float& a, thread float& b) {
  float c = a;
  a = b;
  b = c;
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a = x[i], b = x[i + 1];
  exchange(a, b);
  x[i] = a - b;
}

// --- results_in_thread: accepted
// evidence: Metal Shading Language specification: address spaces
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float whole, c;
  int e;
  float s = sincos(x[i], c);
  x[i] = modf(x[i], whole) + frexp(x[i], e) + s + c + whole + float(e);
}

// --- member_copied_from_device: accepted
// evidence: Metal Shading Language specification: member functions of an address space
struct Cell {
  float a;
  float get() const { return a; }
};
kernel void k(device Cell* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Cell cell = x[i];
  x[i].a = cell.get() + Cell(x[i + 1]).get();
}

// --- compound_operator_of_device: accepted
// evidence: Metal Shading Language specification: member functions of an address space
struct Sum {
  float a;
  device Sum& operator+=(float b) device {
    a += b;
    return *this;
  }
};
kernel void k(device Sum* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] += 1.0f;
}

// --- const_member_of_constant: accepted
// evidence: Metal Shading Language specification: member functions of an address space
template <typename T>
struct Cell {
  T a;
  T get() const constant { return a; }
};
kernel void k(device float* x [[buffer(0)]], constant Cell<float>& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = c.get();
}

// --- pointer_to_an_array_without_a_space: refused | pointer type must have explicit address space qualifier
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float first(float (*rows)[4]) { return rows[0][0]; }
kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- reference_to_an_array_without_a_space: refused | reference type must have explicit address space qualifier
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float first(float (&row)[4]) { return row[0]; }
kernel void k(device float* x [[buffer(0)]]) { x[0] = 1; }

// --- references_to_arrays: accepted
// evidence: Metal Shading Language specification: address spaces; MLX has such references
float first(thread float (&row)[4], threadgroup float (&shared)[4], constant float (*rows)[2]) {
  return row[0] + shared[1] + rows[0][1];
}
kernel void k(device float* x [[buffer(0)]], constant float (*rows [[buffer(1)]])[2]) {
  threadgroup float shared[4];
  shared[1] = 1;
  float row[4] = {1};
  x[0] = first(row, shared, rows);
}

// --- members_by_every_space: accepted
// evidence: sources of SPIRV-Cross, which Apple's compiler builds
template <typename T>
struct Box {
  T value;
  Box() = default;
  Box(const thread Box& b) thread = default;
  Box(const constant Box& b) thread = default;
  Box(const device Box& b) thread = default;
  Box(const threadgroup Box& b) thread = default;
  Box(const threadgroup_imageblock Box& b) thread = default;
  Box(const ray_data Box& b) thread = default;
  Box(const object_data Box& b) thread = default;
};
kernel void k(device Box<float>* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i].value = 1; }

// --- functions_by_space_of_tiles: accepted
// evidence: Metal Shading Language specification: address spaces
float first(threadgroup float* p) { return p[0]; }
float first(threadgroup_imageblock float* p) { return p[0]; }
kernel void k(device float* x [[buffer(0)]]) { threadgroup float t[2]; t[0] = 1; x[0] = first(t); }
