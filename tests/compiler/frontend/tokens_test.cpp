#include "compiler/frontend/tokens/tokens.h"

#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/frontend/compiler.h"

namespace msci {
namespace {

struct Case {
  const char* what;
  const char* metal;
  const char* rewritten;
};

// Expected texts are written with Metal's keywords; so they become what the pass makes of them.
const std::string& keyword_macros() {
  static const std::string text = ""
#define MSCI_KEYWORD(name, meaning) "#define " #name " " meaning "\n"
#include "compiler/frontend/tokens/keywords.def"
#undef MSCI_KEYWORD
      ;
  return text;
}

// By the token alone: where it stands, the source may say something else.
std::string spelling_of(const clang::Token& token) {
  if (const auto* name = token.getIdentifierInfo()) return name->getName().str();
  if (token.isLiteral()) return {token.getLiteralData(), token.getLength()};
  const char* punctuation = clang::tok::getPunctuatorSpelling(token.getKind());
  return punctuation ? punctuation : "?";
}

// The preprocessed tokens of a text, one word each; as they are, or rewritten.
std::vector<std::string> words_of(const std::string& text, bool rewritten) {
  auto compiler = compiler_for({});
  compiler->getPreprocessorOpts().Includes.clear();
  compiler->setVirtualFileSystem(metal_files());
  compiler->createDiagnostics(new clang::IgnoringDiagConsumer);
  compiler->createFileManager();
  compiler->createSourceManager();
  compiler->createTarget();
  auto& sources = compiler->getSourceManager();
  sources.setMainFileID(sources.createFileID(llvm::MemoryBuffer::getMemBufferCopy(text)));
  compiler->createPreprocessor(clang::TU_Complete);
  auto& preprocessor = compiler->getPreprocessor();
  preprocessor.EnterMainSourceFile();
  std::vector<clang::Token> tokens;
  for (clang::Token token; preprocessor.Lex(token), token.isNot(clang::tok::eof);)
    tokens.push_back(token);
  if (rewritten) tokens = rewrite_tokens(preprocessor, tokens, {}, {320});
  std::vector<std::string> words;
  for (const auto& token : tokens) words.push_back(spelling_of(token));
  return words;
}

class TokenPass : public testing::TestWithParam<Case> {};

TEST_P(TokenPass, rewrites) {
  EXPECT_EQ(words_of(GetParam().metal, true),
            words_of(keyword_macros() + GetParam().rewritten, false));
}

constexpr Case cases[] = {
    {"attributes", "kernel void f(device int* buffer [[buffer(0)]]) {}",
     "kernel void f(device int* buffer [[clang::annotate(\"buffer\", 0)]]) {}"},
    {"unknown_attributes", "void f(int i [[fancy, clang::annotate(\"x\")]]);",
     "void f(int i [[fancy, clang::annotate(\"x\")]]);"},
    {"attributes_behind_kernel", "kernel\n[[max_total_threads_per_threadgroup(1)]] void f();",
     "kernel extern [[clang::annotate(\"max_total_threads_per_threadgroup\", 1)]] void f();"},
    {"gnu_attributes", "__attribute__((max_total_threads_per_threadgroup(64))) kernel void f();",
     "__attribute__((annotate(\"max_total_threads_per_threadgroup\", 64))) kernel void f();"},
    {"explicit_instantiations", "template [[host_name(\"f\")]] [[kernel]] void f<int>(uint);",
     "template __attribute__((annotate(\"host_name\", \"f\"))) "
     "__attribute__((annotate(\"kernel\"))) void f<int>(uint);"},
    {"function_constants", "constant bool fast [[function_constant(0)]];",
     "extern constant bool fast [[clang::annotate(\"function_constant\", \"0\")]];"},
    {"static_function_constants", "static constant int n [[function_constant(1)]];",
     "extern constant int n [[clang::annotate(\"function_constant\", \"1\")]];"},
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
    {"built_bool_vectors", "auto v = vec<bool, 2>(true);", "auto v = $make<$bools< 2> >(true);"},
    {"casts", "int4 f(float4 v) { return (int4)v * (int4)(v); }",
     "int4 f(float4 v) { return $as<int4>()->*v * $as<int4>()->*(v); }"},
    {"casts_to_vec", "auto u = (vec<bool, N>)v;", "auto u = $as<$bools< N> >()->*v;"},
    {"no_casts", "int n = sizeof(float4) * f(float4); void g(float4);",
     "int n = sizeof(float4) * f(float4); void g(float4);"},
    {"static_casts", "auto v = static_cast<float3>(u) + static_cast<device int*>(p);",
     "auto v = $make<float3>(u) + static_cast<device int*>(p);"},
    {"vector_variables", "void f() { float4 v(1, 2, 3, 4); float2 w(v.xy), u; }",
     "void f() { float4 v=$loat4(1, 2, 3, 4); float2 w=$loat2(v.xy), u; }"},
    {"vector_variables_of_one_type", "void f() { float2 v(1, 2), w = g(1, 2), u(3, 4); }",
     "void f() { float2 v=$loat2(1, 2), w = g(1, 2), u=$loat2(3, 4); }"},
    {"variables_of_aliases",
     "typedef float4 vec4; using uvec2 = uint2; template <typename T> using V = vec<T, 2>;"
     " void f() { vec4 v(1, 2, 3, 4); uvec2 w(1, 2); V<int> u(3, 4); }",
     "typedef float4 vec4; using uvec2 = uint2; template <typename T> using V = vec<T, 2>;"
     " void f() { vec4 v=$make<vec4>(1, 2, 3, 4); uvec2 w=$make<uvec2>(1, 2);"
     " $vec_of<int, 2> u=$make<$vec_of<int, 2> >(3, 4); }"},
    {"vectors_that_may_be_of_bool",
     "template <typename T> struct S { vec<T, 2> v; }; using V = metal::vec<bool, 2>;",
     "template <typename T> struct S { $vec_of<T, 2> v; }; using V = $bools< 2>;"},
    {"twins_of_functions", "template <typename T, int N> T f(vec<T, N> v, T x) { return x; }",
     "template <typename T, int N> T f(vec<T, N> v, T x) { return x; }"
     "template <typename T = bool, int N, typename $B, typename = $if<__is_same(T, bool)> >"
     "T f($bools_by<$B, N> v, T x) { return x; }"},
    {"twins_of_specialisations",
     "template <typename T> struct S<vec<T, 2>> { T x; }; template <typename T> bool is<vec<T, "
     "3>>;",
     "template <typename T> struct S<vec<T, 2>> { T x; };"
     "template <typename $B> struct S<$bools_by<$B, 2>> { $bool_by<$B> x; };"
     "template <typename T> bool is<vec<T, 3>>; template <typename $B> bool is<$bools_by<$B, 3>>;"},
    {"vector_constants", "constant float2 v(1, 2); float2 f(int);",
     "constant float2 v=$loat2(1, 2); float2 f(int);"},
    {"member_initialisers", "struct S { float3 v; int i; S(float x) : v(x, 0, 0), i(int(x)) {} };",
     "struct S { float3 v; int i; S(float x) : v($loat3(x, 0, 0)), i(int(x)) {} };"},
    {"threadgroup_variables", "void f() { threadgroup float a[4]; threadgroup float* p = a; }",
     "void f() { static __attribute__((opencl_local, loader_uninitialized)) float a[4]; "
     "threadgroup float* p = a; }"},
    {"threadgroup_variables_of_templates", "void f() { threadgroup array<float, 4> a; }",
     "void f() { static __attribute__((opencl_local, loader_uninitialized)) array<float, 4> a; }"},
    {"array_parameters", "void f(threadgroup float a[4][8], threadgroup int b[2], float c[3]);",
     "void f(threadgroup float (*a)   [8], threadgroup int *b   , float c[3]);"},
    {"coherence", "void f(coherent(device) device int* p, coherent device int* q);",
     "void f(                 device int* p,          device int* q);"},
    {"members_of_address_spaces",
     "struct S { int a[2]; device int& operator[](int i) device { return a[i]; }"
     " int n() const constant { return 2; } };",
     "struct S { int a[2]; device int& operator[](this device S& $self, int i)"
     "{ return $self.a[i]; } int n() const { return 2; } };"},
    {"this_in_members",
     "struct S { int a; device int* get(int a) device { return &this->a + a; } };",
     "struct S { int a; device int* get(this device S& $self, int a)"
     "{ return &(&$self)->a + a; } };"},
    {"types_in_members",
     "struct S { using F = int; static int n(); int x; device int* f() device { F y = n(); return "
     "&x; } };",
     "struct S { using F = int; static int n(); int x;"
     " device int* f(this device S& $self) { F y = n(); return &$self.x; } };"},
    {"twins", "struct S { int f() const thread { return 1; } int f() const device { return 1; } };",
     "struct S { int f() const { return 1; } };"},
    {"out_of_line", "struct S { int f() const device; }; int S::f() const device { return 1; }",
     "struct S { int f(this const device S& $self); };"
     " int S::f(this const device S& $self) { return 1; }"},
    {"attributes_of_members",
     "struct S { int a; __attribute__((always_inline)) device int* f() device { return &a; } };",
     "struct S { int a; __attribute__((always_inline)) device int* f(this device S& $self)"
     "{ return &$self.a; } };"},
    {"constant_members", "struct S { int a; int f() constant { return a; } };",
     "struct S { int a; int f() const { return a; } };"},
    {"attributes_without_commas", "void f(float4 c [[color(0) index(1)]]);",
     "void f(float4 c [[clang::annotate(\"color\", 0), clang::annotate(\"index\", 1)]]);"},
    {"qualified_aliases", "struct S { using V = float2; }; float2 f() { return S::V(1, 2); }",
     "struct S { using V = float2; }; float2 f() { return $make<S::V>(1, 2); }"},
    {"lists_of_templates",
     "template <typename T> T f(T a, S<T> s); template <typename T> T g(float2 v);"
     " void h() { f(1, {1, 2}), g<int>({1, 2}); }",
     "template <typename T> T f(T a, S<T> s); template <typename T> T g(float2 v);"
     " void h() { f(1, {1, 2}), g<int>($braces(1, 2)); }"},
    {"constructors", "struct S { S(int i) thread {} S(int i) device {} S(float x) device {} };",
     "struct S { S(int i) {} S(float x) {} };"},
    {"constructors_with_initialisers",
     "struct S { int a; S(int i) thread : a(i) {} S(int i) device : a(i) {} int b; };",
     "struct S { int a; S(int i) : a(i) {} int b; };"},
    {"defaulted_members", "struct S { S() thread = default; S() device = default; };",
     "struct S { S() = default; };"},
    {"lists_as_arguments", "auto x = f({1, a.x}, b) + g({}, {1}) + h({.x = 1, 2});",
     "auto x = f($braces(1, a.x), b) + g({}, {1}) + h({.x = 1, 2});"},
    {"values_of_threadgroup_variables", "void f() { threadgroup float a[2] = {1, 2}, b = 3; }",
     "void f() { static __attribute__((opencl_local, loader_uninitialized)) float a[2], b; }"},
    {"literals", "auto x = 1.0H + 1.0bf + 0xbf + 0x1p1BF + 1.0h + 0.5 + 1e3 + 1. + 7 + 0xe;",
     "auto x = 1.0h + 1.0_b + 0xbf + 0x1p1_b + 1.0h + 0.5f + 1e3f + 1.f + 7 + 0xe;"},
    {"macros", "#define V(x) float4(x, 0, 0, 1)\nauto v = V(1);", "auto v = $loat4(1, 0, 0, 1);"},
    {"keywords_in_macros", "#define SC static constant\nSC int n [[function_constant(1)]];",
     "extern constant int n [[clang::annotate(\"function_constant\", \"1\")]];"},
    {"dropped_text", "#if 0\nvoid f() {\n#endif\nvoid g() { threadgroup int i; }",
     "void g() { static __attribute__((opencl_local, loader_uninitialized)) int i; }"},
    {"strings", "auto s = \"float4(1)\"; // [[buffer(0)]]", "auto s = \"float4(1)\";"},
    {"unbalanced_brackets", "void f( { float4(1; ] } [[buffer(",
     "void f( { float4(1; ] } [[buffer("},
    {"nothing", "", ""},
};

INSTANTIATE_TEST_SUITE_P(Metal, TokenPass, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.what; });

TEST(AttributeNames, knows_where_attributes_are_named) {
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
TEST(TokenPass, takes_brackets_that_do_not_match) {
  for (const std::string metal :
       {"void f(int flags[buffer(0", "kernel void f(uint i [[thread_position_in_grid",
        "extern constant float4 tint [[function_constant(0)]\nvoid g(device float* x [[b(device "
        "float* extra [[buffer(1), function_constant(verbose)]],\n uint i [[a]]) { x[i] = 1; }",
        ")}]", "struct S { S(", "struct S { int f() device"})
    EXPECT_FALSE(words_of(metal, true).empty());
}

}  // namespace
}  // namespace msci
