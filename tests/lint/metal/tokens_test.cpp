#include "lint/metal/tokens.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

struct Case {
  const char* what;
  const char* metal;
  const char* rewritten;
};

class TokenPass : public testing::TestWithParam<Case> {};

TEST_P(TokenPass, rewrites) {
  EXPECT_EQ(rewrite_tokens(GetParam().metal).text(), GetParam().rewritten);
}

constexpr Case cases[] = {
    {"attributes", "kernel void f(device int* buffer [[buffer(0)]]) {}",
     "kernel void f(device int* buffer [[$uffer(0)]]) {}"},
    {"unknown_attributes", "void f(int i [[fancy, clang::annotate(\"x\")]]);",
     "void f(int i [[fancy, clang::annotate(\"x\")]]);"},
    {"attributes_behind_kernel", "kernel\n[[max_total_threads_per_threadgroup(1)]] void f();",
     "$kernel\n[[$ax_total_threads_per_threadgroup(1)]] void f();"},
    {"gnu_attributes", "__attribute__((max_total_threads_per_threadgroup(64))) kernel void f();",
     "__attribute__((annotate(\"max_total_threads_per_threadgroup\", 64))) kernel void f();"},
    {"explicit_instantiations", "template [[host_name(\"f\")]] [[kernel]] void f<int>(uint);",
     "template __attribute__((annotate(\"host_name\", \"f\"))) "
     "__attribute__((annotate(\"kernel\"))) void f<int>(uint);"},
    {"function_constants", "constant bool fast [[function_constant(0)]];",
     "extern constant bool fast [[$unction_constant(0)]];"},
    {"static_function_constants", "static constant int n [[function_constant(1)]];",
     "extern constant int n [[$unction_constant(1)]];"},
    {"vectors", "float4 f(float3 v) { return float4(v, 1); }",
     "float4 f(float3 v) { return $loat4(v, 1); }"},
    {"qualified_vectors", "auto v = metal::packed_half2(1);", "auto v = metal::$acked_half2(1);"},
    {"declarators", "void f(thread float4 (&rows)[4], float2 (*p)[2]);",
     "void f(thread float4 (&rows)[4], float2 (*p)[2]);"},
    {"lists_of_vectors", "auto v = float4{a.xy, 0, 1};", "auto v = $loat4(a.xy, 0, 1);"},
    {"lists_of_scalars", "auto v = float4{a, b, 0, 1};", "auto v = float4{a, b, 0, 1};"},
    {"dependent_types", "template <typename T> T f(int i) { return T(i, 1) + (T)i; }",
     "template <typename T> T f(int i) { return $make<T>(i, 1) + $as<T>()->*i; }"},
    {"aliases", "using V = float2; V f() { return V(1, 2); }",
     "using V = float2; V f() { return $make<V>(1, 2); }"},
    {"dependent_vectors", "template <int N> void f() { auto v = vec<float, N>(1); }",
     "template <int N> void f() { auto v = $ec<float, N>(1); }"},
    {"dependent_bool_vectors", "template <int N> vec<bool, N> f(vec<ushort, N> v);",
     "template <int N> $bools< N> f(vec<ushort, N> v);"},
    {"built_bool_vectors", "auto v = vec<bool, 2>(true);", "auto v = $make<$bools< 2>>(true);"},
    {"casts", "int4 f(float4 v) { return (int4)v * (int4)(v); }",
     "int4 f(float4 v) { return $as<int4>()->*v * $as<int4>()->*(v); }"},
    {"casts_to_vec", "auto u = (vec<bool, N>)v;", "auto u = $as<$bools< N>>()->*v;"},
    {"no_casts", "int n = sizeof(float4) * f(float4); void g(float4);",
     "int n = sizeof(float4) * f(float4); void g(float4);"},
    {"static_casts", "auto v = static_cast<float3>(u) + static_cast<device int*>(p);",
     "auto v = $make<float3>(u) + static_cast<device int*>(p);"},
    {"vector_variables", "void f() { float4 v(1, 2, 3, 4); float2 w(v.xy), u; }",
     "void f() { float4 v=$loat4(1, 2, 3, 4); float2 w=$loat2(v.xy), u; }"},
    {"vector_constants", "constant float2 v(1, 2); float2 f(int);",
     "constant float2 v=$loat2(1, 2); float2 f(int);"},
    {"member_initialisers", "struct S { float3 v; int i; S(float x) : v(x, 0, 0), i(int(x)) {} };",
     "struct S { float3 v; int i; S(float x) : v($loat3(x, 0, 0)), i(int(x)) {} };"},
    {"threadgroup_variables", "void f() { threadgroup float a[4]; threadgroup float* p = a; }",
     "void f() { $threadgrou float a[4]; threadgroup float* p = a; }"},
    {"threadgroup_variables_of_templates", "void f() { threadgroup array<float, 4> a; }",
     "void f() { $threadgrou array<float, 4> a; }"},
    {"array_parameters", "void f(threadgroup float a[4][8], threadgroup int b[2], float c[3]);",
     "void f(threadgroup float (*a)   [8], threadgroup int *b   , float c[3]);"},
    {"coherence", "void f(coherent(device) device int* p, coherent device int* q);",
     "void f(                 device int* p,          device int* q);"},
    {"members_of_address_spaces",
     "struct S { int a[2]; device int& operator[](int i) device { return a[i]; }"
     " int n() const constant { return 2; } };",
     "struct S { int a[2]; device int& operator[](this device S& $self, int i)        "
     "{ return $self.a[i]; } int n(this const constant S& $self)                { return 2; } };"},
    {"this_in_members", "struct S { int a; int get(int a) device { return this->a + a; } };",
     "struct S { int a; int get(this device S& $self, int a)        "
     "{ return (&$self)->a + a; } };"},
    {"constructors", "struct S { S(int i) thread {} S(int i) device {} S(float x) device {} };",
     "struct S { S(int i)        {}                    S(float x)        {} };"},
    {"defaulted_members", "struct S { S() thread = default; S() device = default; };",
     "struct S { S()        = default;                       };"},
    {"literals", "auto x = 1.0H + 1.0bf + 0xbf + 0x1p1BF + 1.0h;",
     "auto x = 1.0h + 1.0_b + 0xbf + 0x1p1_b + 1.0h;"},
    {"macros", "#define V(x) float4(x, 0, 0, 1)\n#if float4(1)\n#endif\n",
     "#define V(x) $loat4(x, 0, 0, 1)\n#if float4(1)\n#endif\n"},
    {"macros_with_open_braces", "#define BEGIN {\nvoid f() { threadgroup int i; }",
     "#define BEGIN {\nvoid f() { $threadgrou int i; }"},
    {"includes", "#include <float4(1)>\n", "#include <float4(1)>\n"},
    {"comments_and_strings", "// float4(1)\nauto s = \"float4(1)\"; /* [[buffer(0)]] */",
     "// float4(1)\nauto s = \"float4(1)\"; /* [[buffer(0)]] */"},
    {"unbalanced_brackets", "void f( { float4(1; ] } [[buffer(",
     "void f( { $loat4(1; ] } [[$uffer("},
    {"nothing", "", ""},
};

INSTANTIATE_TEST_SUITE_P(Metal, TokenPass, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.what; });

TEST(TokenPass, keeps_the_number_of_lines) {
  const std::string metal = "struct S {\n  S() device {\n  }\n  S() thread {\n  }\n};\n";
  const auto text = rewrite_tokens(metal).text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            std::count(metal.begin(), metal.end(), '\n'));
}

TEST(Rewritten, finds_the_way_back) {
  const Rewritten rewritten("one two three", {{4, 3, "2"}, {8, 5, "drei!"}, {13, 0, " end"}});
  ASSERT_EQ(rewritten.text(), "one 2 drei! end");
  EXPECT_EQ(rewritten.original_offset(0), 0u);
  EXPECT_EQ(rewritten.original_offset(3), 3u);
  EXPECT_EQ(rewritten.original_offset(4), 4u);    // "2" stands for "two"
  EXPECT_EQ(rewritten.original_offset(5), 7u);    // the blank behind it
  EXPECT_EQ(rewritten.original_offset(8), 10u);   // as long as what it replaces: byte by byte
  EXPECT_EQ(rewritten.original_offset(13), 13u);  // what was added at the end
}

TEST(Rewritten, finds_the_way_there) {
  const Rewritten rewritten("one two three", {{4, 3, "2"}, {8, 5, "drei!"}, {13, 0, " end"}});
  EXPECT_EQ(rewritten.rewritten_offset(3), 3u);
  EXPECT_EQ(rewritten.rewritten_offset(4), 4u);
  EXPECT_EQ(rewritten.rewritten_offset(5), 5u);    // inside of "two": behind "2"
  EXPECT_EQ(rewritten.rewritten_offset(7), 5u);    // the blank behind it
  EXPECT_EQ(rewritten.rewritten_offset(10), 8u);   // as long as what it replaces: byte by byte
  EXPECT_EQ(rewritten.rewritten_offset(13), 11u);  // before what was added at the end
  EXPECT_EQ(rewritten.rewritten_offset(99), 15u);  // no place of the original
}

TEST(Rewritten, knows_where_attributes_are_named) {
  struct Case {
    std::string before;
    bool names = false;
  };
  for (const auto& [before, names] :
       {Case{"kernel void f(uint i [[", true}, Case{"kernel void f(uint i [[id(0), ", true},
        Case{"[[ /* [( */ ", true}, Case{"kernel void f(uint i [[buffer(", false},
        Case{"kernel void f(uint i [[id(0)]], ", false}, Case{"x[y[", false}, Case{"x[", false},
        Case{"", false}, Case{"// [[", false}, Case{"[[a]][", false}})
    EXPECT_EQ(names_attribute(before + " rest", static_cast<unsigned>(before.size())), names)
        << before;
}

// Found by fuzzing: brackets that never close.
TEST(Rewritten, keeps_places_in_order_where_brackets_do_not_match) {
  for (const std::string metal :
       {"void f(int flags[buffer(0", "kernel void f(uint i [[thread_position_in_grid",
        "extern constant float4 tint [[function_constant(0)]\nvoid g(device float* x [[b(device "
        "float* extra [[buffer(1), function_constant(verbose)]],\n uint i [[a]]) { x[i] = 1; }"}) {
    const auto rewritten = rewrite_tokens(metal);
    unsigned last = 0;
    for (unsigned i = 0; i <= rewritten.text().size(); ++i) {
      const auto original = rewritten.original_offset(i);
      EXPECT_GE(original, last) << metal;
      EXPECT_LE(original, metal.size()) << metal;
      last = original;
    }
  }
}

}  // namespace
}  // namespace msci
