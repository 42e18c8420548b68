// What a host does, and hostile hosts.
#include "lint/host/host.h"

#include <gtest/gtest.h>

#include "lint/host/syntax/parser.h"

namespace msci {
namespace {

Host host_from(std::string text) { return read_host({{"host.mm", std::move(text)}}); }

std::vector<std::string> fetched(const Host& host) {
  std::vector<std::string> names;
  for (const auto& each : host.fetched) names.push_back(each.kernel);
  return names;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

using Names = std::vector<std::string>;

TEST(Tokens, expands_macros_with_the_range_of_their_use) {
  const auto tokens = host::lex({"h",
                                 "#define N 3\n#define F(a, ...) g(a + N, __VA_ARGS__)\n"
                                 "F(x, 1, 2);\n"});
  std::string text;
  for (const auto& token : tokens.all) text += token.spelling + " ";
  EXPECT_EQ(text, "g ( x + 3 , 1 , 2 ) ;  ");
  EXPECT_EQ(tokens.all.front().range.begin.line, 3u);
  EXPECT_TRUE(tokens.complete);
}

TEST(Tokens, leaves_out_what_the_preprocessor_leaves_out) {
  const auto tokens = host::lex({"h", "#if 0\na\n#else\nb\n#endif\n#ifdef X\nc\n#else\nd\n#endif"});
  ASSERT_EQ(tokens.all.size(), 3u);
  EXPECT_EQ(tokens.all[0].spelling, "b");
  EXPECT_EQ(tokens.all[1].spelling, "c");
}

// The values of the strings among a text's tokens.
std::vector<std::string> strings_in(std::string text) {
  std::vector<std::string> values;
  for (const auto& token : host::lex({"h", std::move(text)}).all)
    if (token.kind == host::Token::Kind::string) values.push_back(token.spelling);
  return values;
}

TEST(Tokens, joins_continued_lines_whatever_the_line_ends) {
  for (const std::string end : {"\n", "\r\n"}) {
    const auto host =
        host_from("#define GET(name) \\" + end + "  clCreateKernel(program, \\" + end +
                  "                 name, 0)" + end + "int main() { GET(\"a\"); }" + end);
    EXPECT_EQ(fetched(host), Names{"a"});
    EXPECT_EQ(strings_in("\"sax\\" + end + "py\""), Names{"saxpy"});
  }
}

TEST(Tokens, decodes_the_escapes_of_strings) {
  EXPECT_EQ(strings_in(R"("sax\x70y")"), Names{"saxpy"});
  EXPECT_EQ(strings_in(R"("sax\160y")"), Names{"saxpy"});
  EXPECT_EQ(strings_in(R"("sax\1601")"), Names{"saxp1"});
  EXPECT_EQ(strings_in(R"("sax\u0070y" "\U00000070" "\u00e9" u8"\u20ac")"),
            (Names{"saxpy", "p", "\xc3\xa9", "\xe2\x82\xac"}));
  EXPECT_EQ(strings_in(R"("\U0001f600" "\Uffffffff")"), (Names{"\xf0\x9f\x98\x80", ""}));
  EXPECT_EQ(strings_in(R"("sax\x{70}y" "sax\o{160}y" "sax\u{70}y")"),
            (Names{"saxpy", "saxpy", "saxpy"}));
  EXPECT_EQ(strings_in(R"("a\tb\\c\"d\n\0")"), (Names{std::string("a\tb\\c\"d\n\0", 9)}));
  EXPECT_EQ(strings_in(R"(L"\xe9" "\xc3\xa9")"), (Names{"\xc3\xa9", "\xc3\xa9"}));
}

TEST(Tokens, takes_the_prefixes_and_delimiters_of_strings_away) {
  for (const std::string prefix : {"R", "LR", "uR", "UR", "u8R"}) {
    EXPECT_EQ(strings_in(prefix + "\"(a\\n\"(b))\""), Names{"a\\n\"(b)"}) << prefix;
    EXPECT_EQ(strings_in(prefix + "\"x(a)\"b)x\""), Names{"a)\"b"}) << prefix;
  }
  for (const std::string prefix : {"", "L", "u", "U", "u8", "@"})
    EXPECT_EQ(strings_in(prefix + "\"a\""), Names{"a"}) << prefix;
  EXPECT_EQ(strings_in("\"a\"s \"b\"sv"), (Names{"a", "b"}));
}

TEST(Tokens, reads_the_values_of_character_literals) {
  const auto tokens = host::lex({"h", R"('a' '\0' L'\x41' '\'')"});
  Names spellings;
  for (const auto& token : tokens.all) spellings.push_back(token.spelling);
  EXPECT_EQ(spellings, (Names{"97", "0", "65", "39", ""}));
}

TEST(Tokens, keeps_the_marks_of_objective_c) {
  const auto tokens = host::lex({"h", "@[ @{ @( @selector @\"a\" @\"b\""});
  Names spellings;
  for (const auto& token : tokens.all) spellings.push_back(token.spelling);
  EXPECT_EQ(spellings, (Names{"@[", "@{", "@(", "@", "selector", "a", "b", ""}));
}

TEST(Host, joins_adjacent_literals) {
  EXPECT_EQ(fetched(host_from("#define X \"x\"\n"
                              "int main() { clCreateKernel(p, \"sa\" X \"\\x70\" \"y\", 0); }")),
            Names{"saxpy"});
}

TEST(Host, finds_names_in_strings_tables_and_wrappers) {
  EXPECT_EQ(fetched(host_from("int main() { lib->newFunction(MTLSTR(\"a\")); }")), Names{"a"});
  EXPECT_EQ(fetched(host_from("const char* t[] = {\"a\", \"b\"};\n"
                              "void get(const char* n) { clCreateKernel(p, n, 0); }\n"
                              "int main() { for (auto n : t) get(n); }")),
            (Names{"a", "b"}));
  EXPECT_EQ(fetched(host_from("enum { A, B }; const char* t[] = {\"a\", \"b\"};\n"
                              "int main() { clCreateKernel(p, t[B], 0); }")),
            Names{"b"});
  EXPECT_EQ(fetched(host_from("int main() { std::string n = \"a\"; n = n + \"_x\";\n"
                              "clCreateKernel(p, n.c_str(), 0); }")),
            Names{"a_x"});
  EXPECT_EQ(fetched(host_from("int main(int c, char**) {\n"
                              "clCreateKernel(p, c > 1 ? \"a\" : \"b\", 0); }")),
            (Names{"a", "b"}));
}

TEST(Host, says_when_a_name_cannot_be_known) {
  EXPECT_FALSE(host_from("int main(int c, char** v) { clCreateKernel(p, v[1], 0); }").names_known);
  EXPECT_FALSE(host_from("int main() { build_all(dev->newDefaultLibrary()); }").names_known);
  EXPECT_TRUE(host_from("int main() { clCreateKernel(p, \"a\", 0); }").names_known);
}

TEST(Host, knows_what_is_bound_when_a_kernel_is_dispatched) {
  const auto host = host_from(
      "int main() { cl_kernel k = clCreateKernel(p, \"a\", 0); uint32_t n = 4;\n"
      "clSetKernelArg(k, 1, sizeof(n), &n);\n"
      "clEnqueueNDRangeKernel(q, k, 1, 0, &g, 0, 0, 0, 0); }");
  ASSERT_EQ(host.dispatched.size(), 1u);
  const auto& dispatch = host.dispatched.front();
  EXPECT_EQ(dispatch.kernel, "a");
  EXPECT_TRUE(dispatch.bindings_known);
  ASSERT_EQ(dispatch.bindings.size(), 1u);
  EXPECT_EQ(dispatch.bindings[0].index, 1u);
  EXPECT_EQ(dispatch.bindings[0].bytes, 4u);
  EXPECT_EQ(dispatch.bindings[0].type, "uint32_t");
}

TEST(Host, does_not_claim_to_know_unknown_indices) {
  const auto host = host_from(
      "int main(int n, char**) { cl_kernel k = clCreateKernel(p, \"a\", 0);\n"
      "for (int i = 0; i < n; ++i) clSetKernelArg(k, i, 8, &b[i]);\n"
      "clEnqueueNDRangeKernel(q, k, 1, 0, &g, 0, 0, 0, 0); }");
  ASSERT_EQ(host.dispatched.size(), 1u);
  EXPECT_FALSE(host.dispatched.front().bindings_known);
}

// What a metal-cpp host binds with setBytes: the bytes, or nothing where they are not known.
std::optional<std::size_t> bound_bytes(const std::string& types, const std::string& code) {
  const auto host = host_from(types + R"(
void run(MTL::Library* library, MTL::ComputeCommandEncoder* encoder) {
  auto* pipeline = device->newComputePipelineState(library->newFunction(MTLSTR("k")), nullptr);
  encoder->setComputePipelineState(pipeline);
  )" + code + R"(
  encoder->dispatchThreads(MTL::Size(64, 1, 1), MTL::Size(64, 1, 1));
})");
  if (host.dispatched.size() != 1 || host.dispatched[0].bindings.size() != 1) return 99999;
  return host.dispatched[0].bindings[0].bytes;
}

TEST(Host, knows_the_sizes_of_its_own_structs) {
  const auto size_of = [](const std::string& members) {
    return bound_bytes("struct P {" + members + "};", "P p; encoder->setBytes(&p, sizeof(P), 2);");
  };
  EXPECT_EQ(size_of("uint32_t m, n, k;"), 12u);
  EXPECT_EQ(size_of("uint8_t a; uint32_t b; uint8_t c;"), 12u);
  EXPECT_EQ(size_of("simd_float3 a; float b;"), 32u);
  EXPECT_EQ(size_of("simd::float4 a; vector_uint2 b;"), 32u);
  EXPECT_EQ(size_of("float n; simd_packed_float4 a;"), 20u);
  EXPECT_EQ(size_of("uint8_t n; simd::packed_float2 a;"), 12u);
  EXPECT_EQ(size_of("float* x; uint32_t n;"), 16u);
  EXPECT_EQ(
      size_of(
          "uint32_t a{1}, b = (2); const float c = 3; P() = default; bool operator==(const P&);"),
      12u);
  EXPECT_EQ(
      size_of("static constexpr int most = 4; public: uint32_t n = 3; P(uint32_t n) : n(n) {} "
              "void set(uint32_t to) { n = to; } size_t bytes() const { return 4; }"),
      4u);
  const std::string types = "struct Inner { float x, y; }; struct P { Inner a; uint16_t b; };";
  EXPECT_EQ(bound_bytes(types, "P p; encoder->setBytes(&p, sizeof(p), 2);"), 12u);
  EXPECT_EQ(bound_bytes(types, "auto p = P{{1, 2}, 3}; encoder->setBytes(&p, sizeof p, 2);"), 12u);
  EXPECT_EQ(bound_bytes(types, "const P& p = all; encoder->setBytes(&p, sizeof(p), 2);"), 12u);
}

TEST(Host, does_not_claim_to_know_other_sizes) {
  const auto size_of = [](const std::string& type) {
    return bound_bytes(type, "P p; encoder->setBytes(&p, sizeof(P), 2);");
  };
  for (const std::string type :
       {"struct P { uint32_t shape[3]; };",
        "struct P : Base { uint32_t n; };",
        "struct P { uint32_t a : 3; uint32_t b : 4; };",
        "struct P { Unknown a; uint32_t n; };",
        "struct alignas(16) P { uint32_t n; };",
        "struct P { alignas(16) uint32_t n; };",
        "struct P { uint32_t n; } __attribute__((aligned(16)));",
        "struct P { virtual ~P(); uint32_t n; };",
        "union P { uint32_t a; float b; };",
        "struct P { uint32_t n; union { float x; uint32_t y; }; };",
        "struct P { struct { float x, y; }; float z; };",
        "struct P { class { float x, y; }; float z; };",
        "struct P { void* (*alloc)(size_t); uint32_t n; };",
        "struct P { float (^scale)(float); uint32_t n; };",
        "struct P { int P::*member; uint32_t n; };",
        "struct P { uint8_t a; uint32_t n; } PACKED;",
        "struct P { uint8_t a; uint32_t n; } PACKED(1);",
        "struct P { uint8_t a; uint32_t n; } PACKED all;",
        "struct P { uint8_t a; uint32_t n ALIGNED(16); };",
        "struct P { uint8_t a, n ALIGNED(16); };",
        "struct P { FIELDS; uint32_t n; };",
        "struct P { FIELD(float, x) uint32_t n; };",
        "struct ALIGNED P { uint32_t n; };",
        "#pragma pack(push, 1)\nstruct P { uint8_t a; uint32_t n; };",
        "struct P {\n#ifdef SMALL\n uint32_t a;\n#else\n uint32_t a, b;\n#endif\n};",
        "namespace a { struct P { uint32_t n; }; } namespace b { struct P { float x, y; }; }",
        "template <typename T> struct P { T a; };",
        "struct P { std::array<float, 4> a; };",
        "struct P { std::vector<float> a; };",
        "struct P { P a; };",
        "struct P {};",
        "struct P;"})
    EXPECT_EQ(size_of(type), std::nullopt) << type;
}

// The threads of the last dispatch's threadgroups.
std::optional<std::size_t> threads_in(const std::string& code, const std::string& globals = "") {
  const auto host = host_from(globals + R"(
void run(MTL::Library* library, MTL::ComputeCommandEncoder* encoder, size_t n) {
  auto* pipeline = device->newComputePipelineState(library->newFunction(MTLSTR("k")), nullptr);
  encoder->setComputePipelineState(pipeline);
  )" + code + "\n}");
  return host.dispatched.empty() ? 99999 : host.dispatched.back().threads;
}

TEST(Host, knows_the_threads_of_a_threadgroup) {
  EXPECT_EQ(threads_in("encoder->dispatchThreads(MTL::Size(64, 64, 1), MTL::Size(64, 32, 1));"),
            2048u);
  EXPECT_EQ(threads_in("MTL::Size group(64, 32, 1); encoder->dispatchThreads(group, group);"),
            2048u);
  EXPECT_EQ(threads_in("const auto group = MTL::Size::Make(8, 8, 4);"
                       "encoder->dispatchThreadgroups(MTL::Size::Make(n, 1, 1), group);"),
            256u);
  EXPECT_EQ(
      threads_in("MTL::Size group = {tile, 2 * tile, 1}; encoder->dispatchThreads(group, group);",
                 "constexpr NS::UInteger tile = 32;"),
      2048u);
  EXPECT_EQ(threads_in("encoder->dispatchThreads({n, n, 1}, {32, 64, 1});"), 2048u);
  EXPECT_EQ(
      threads_in("MTLSize group = MTLSizeMake(32, 32, 1); MTLSize wide = group; wide.width = 64;"
                 "[encoder dispatchThreads:group threadsPerThreadgroup:group];"),
      1024u);
  EXPECT_EQ(threads_in("MTL::Size group(32, 32, 1); group.height = 64;"
                       "encoder->dispatchThreadgroups(arguments, 0, group);"),
            2048u);
  EXPECT_EQ(threads_in("MTL::Size group; group.width = 64; group.height = 32; group.depth = 1;"
                       "encoder->dispatchThreads(group, group);"),
            2048u);
}

TEST(Host, does_not_claim_to_know_other_threads) {
  for (const std::string code :
       {"encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(n, 1, 1));",
        "auto w = std::min<size_t>(2048, pipeline->maxTotalThreadsPerThreadgroup());"
        "encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(w, 1, 1));",
        "MTL::Size group(64, 32, 1); fit(&group); encoder->dispatchThreads(group, group);",
        "MTL::Size group(64, 32, 1); fit(group); encoder->dispatchThreads(group, group);",
        "MTL::Size group(64, 32, 1); if (n < 9) group = MTL::Size(8, 8, 1);"
        "encoder->dispatchThreads(group, group);",
        "MTL::Size group(64, 32, 1); if (n < 9) group.width = 8;"
        "encoder->dispatchThreads(group, group);",
        "MTL::Size group(1, 1, 1); while (group.width < n) group.width *= 2;"
        "encoder->dispatchThreads(group, group);",
        "auto group = n > 9 ? MTL::Size(64, 32, 1) : MTL::Size(8, 8, 1);"
        "encoder->dispatchThreads(group, group);",
        "MTL::Size group(0, 0, 0); encoder->dispatchThreads(group, group);",
        "MTL::Size group; group.width = 2048; encoder->dispatchThreads(group, group);",
        "MTL::Size group = threadgroup_for(pipeline, 2048); encoder->dispatchThreads(group, "
        "group);",
        "size_t w = 2048; read(argument, w); encoder->dispatchThreads({w, 1, 1}, {w, 1, 1});",
        "encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(64.5, 1, 1));"})
    EXPECT_EQ(threads_in(code), std::nullopt) << code;
}

TEST(Host, leaves_out_what_is_never_run) {
  for (const auto* dead :
       {"if (false) D;", "if (0 && x) D;", "return 0; D;", "while (false) D;", "exit(1); D;",
        "const bool gpu = false; if (gpu) D;", "[] { D; };", "for (int i = 0; i < 0; ++i) D;"}) {
    std::string text(dead);
    text.replace(text.find("D;"), 2, "clEnqueueNDRangeKernel(q, k, 1, 0, &g, 0, 0, 0, 0);");
    const auto host =
        host_from("int main() { cl_kernel k = clCreateKernel(p, \"a\", 0); " + text + " }");
    EXPECT_TRUE(host.dispatched.empty()) << dead;
    EXPECT_TRUE(host.dispatches_known) << dead;
  }
}

TEST(Host, interprets_what_may_run) {
  for (const auto* live :
       {"if (x) D;", "for (;;) D;", "auto f = [&] { D; }; f();", "do D; while (0);",
        "int gpu = 0; parse(&gpu); if (gpu) D;", "std::thread([&] { D; });",
        "switch (x) { case 1: D; }", "try { D; } catch (...) {}"}) {
    std::string text(live);
    text.replace(text.find("D;"), 2, "clEnqueueNDRangeKernel(q, k, 1, 0, &g, 0, 0, 0, 0);");
    const auto host =
        host_from("int main() { cl_kernel k = clCreateKernel(p, \"a\", 0); " + text + " }");
    EXPECT_EQ(host.dispatched.size(), 1u) << live;
  }
}

// Each ends soon, and the result claims no knowledge.
TEST(Host, gives_up_on_text_that_exhausts_it) {
  const std::string bomb =
      "#define A B B B B B B B B\n#define B C C C C C C C C\n"
      "#define C D D D D D D D D\n#define D E E E E E E E E\n"
      "#define E F F F F F F F F\n#define F G G G G G G G G\n"
      "#define G x; x; x; x; x;\nint main() { A }";
  EXPECT_FALSE(host_from(bomb).dispatches_known);
  EXPECT_FALSE(host_from("#define A A A\nint main() { A }").dispatches_known);
  EXPECT_FALSE(host_from("int main() { f" + repeated("(", 100000) + " }").dispatches_known);
  EXPECT_FALSE(host_from("int main() { x = " + repeated("!", 100000) + "y; }").dispatches_known);
  EXPECT_FALSE(host_from("int main() {" + repeated("{", 100000)).dispatches_known);
  EXPECT_FALSE(host_from("int main() { x = 1" + repeated(" + 1", 100000) + "; }").dispatches_known);
  const auto deep = "int f() { " + repeated("for (;;) ", 60) + "x(); } int main() { f(); }";
  EXPECT_FALSE(host_from(deep).dispatches_known);
}

// No kernel is read from text that names none, however malformed it is.
void expect_nothing(std::string text) {
  const auto host = host_from(text);
  EXPECT_TRUE(host.fetched.empty()) << text;
  EXPECT_TRUE(host.dispatched.empty()) << text;
  EXPECT_TRUE(host.cpu_work.empty()) << text;
  EXPECT_EQ(host.libraries, 0u) << text;
  EXPECT_EQ(host.failure, "") << text;
}

TEST(Host, survives_malformed_text) {
  const std::string text =
      "int main() { a[b{c(\"d\"; @[ @{ ^( [x y:z w:^{ if for while (; : ? \\\n #define";
  for (std::size_t length = 0; length <= text.size(); ++length)
    expect_nothing(text.substr(0, length));
  for (std::size_t begin = 0; begin <= text.size(); ++begin) expect_nothing(text.substr(begin));
  expect_nothing(repeated("]", 1000) + repeated("}", 1000) + repeated(")", 1000));
  expect_nothing(repeated("@implementation X - (a)b:(c)", 1000));
  expect_nothing(repeated("template <", 1000));
  expect_nothing("int main() { void* p; p = &p; f(p); }");
  expect_nothing("struct X { X x = X(); X y{}; X* z = new X; };\nint main() { X x; }");
  // A kernel before the malformed text is still found.
  const auto host = host_from("int main() { clCreateKernel(p, \"f\", 0); " + repeated("@[ (", 100));
  EXPECT_EQ(fetched(host), Names{"f"});
}

}  // namespace
}  // namespace msci
