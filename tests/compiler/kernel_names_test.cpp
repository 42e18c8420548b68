// translate() takes the names of the kernels that are wanted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/translate.h"

namespace msci {
namespace {

constexpr const char* source = R"(#include <metal_stdlib>
using namespace metal;
constant int factor [[function_constant(0)]];
template <typename T> kernel void scale(device T* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] *= T(2);
}
template [[host_name("scale_float")]] kernel void scale<float>(device float*, uint);
template [[host_name("scale_int")]] kernel void scale<int>(device int*, uint);
kernel void specialised(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] *= factor;
}
)";

std::string names_of(const Translation& translation) {
  std::string names;
  for (const auto& kernel : translation.kernels) names += kernel.name + " ";
  return names;
}

Result<Translation> translate_source(const char* text, const KernelNames& names,
                                     const ConstantValues& constants = {}) {
  auto unit = parse({"names.metal", text});
  EXPECT_TRUE(unit && unit->compiled());
  return translate(*unit, names, constants);
}

struct Case {
  const char* name;
  KernelNames names;
  const char* translated;  // the kernels, or the error
  bool fails = false;
};

const Case cases[] = {
    {"one_name", {"scale_int"}, "scale_int "},
    {"pattern", {"scale_*"}, "scale_float scale_int "},
    {"order_of_the_source", {"scale_int", "scale_float"}, "scale_float scale_int "},
    {"unknown", {"scale_half"}, "kernel 'scale_half' not found in this source", true},
    {"untranslatable",
     {"specialised"},
     "line 10: cannot translate kernel 'specialised' yet: it uses the function constant 'factor'",
     true},
};

class KernelNamesCase : public testing::TestWithParam<Case> {};

TEST_P(KernelNamesCase, gives_the_kernels_that_it_names) {
  const auto translation = translate_source(source, GetParam().names);
  ASSERT_EQ(!translation, GetParam().fails);
  const auto got = translation ? names_of(*translation) : translation.error().message;
  EXPECT_EQ(got.substr(0, std::string_view(GetParam().translated).size()), GetParam().translated);
  if (translation) EXPECT_TRUE(translation->refused.empty());
}

INSTANTIATE_TEST_SUITE_P(KernelNames, KernelNamesCase, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

TEST(KernelNames, without_names_a_kernel_that_cannot_be_translated_does_not_stop_the_others) {
  const auto translation = translate_source(source, {});
  ASSERT_TRUE(translation) << translation.error().message;
  EXPECT_EQ(names_of(*translation), "scale_float scale_int ");
  ASSERT_EQ(translation->refused.size(), 1U);
  EXPECT_EQ(translation->refused[0].name, "specialised");
  EXPECT_NE(translation->refused[0].reason.find("function constant"), std::string::npos);
  EXPECT_TRUE(translation->find_refused("specialised"));
  EXPECT_FALSE(translation->find_refused("scale_int"));
  EXPECT_EQ(translation->text.find("specialised"), std::string::npos);
  const auto again = from_program_file(to_program_file(*translation));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->refused, translation->refused);
}

TEST(KernelNames, a_pattern_that_fits_others_too_is_not_refused) {
  const auto translation = translate_source(source, {"s*"});
  ASSERT_TRUE(translation) << translation.error().message;
  EXPECT_EQ(names_of(*translation), "scale_float scale_int ");
  ASSERT_EQ(translation->refused.size(), 1U);
  EXPECT_EQ(translation->refused[0].name, "specialised");
}

// Rules refuse these sources, but nothing may end the process that is asked to translate one.
TEST(KernelInterface, refuses_what_no_launch_can_pass) {
  const auto refusal_of = [](const char* kernel) {
    const auto text = std::string("#include <metal_stdlib>\nusing namespace metal;\n") + kernel;
    const auto translation = translate_source(text.c_str(), {"k"});
    return translation ? "" : translation.error().message;
  };
  for (const char* type : {"float", "float2", "uint4", "device uint*", "device uint&", "S"}) {
    const auto refusal =
        refusal_of(fmt::format("struct S {{ int x; }};\n"
                               "kernel void k({} i [[thread_position_in_grid]]) {{}}",
                               type)
                       .c_str());
    EXPECT_NE(refusal.find("'i' has a type that [[thread_position_in_grid]] does not take"),
              std::string::npos)
        << type << ": " << refusal;
  }
  EXPECT_NE(refusal_of("struct S {\n  kernel void k(device int* o) { o[0] = 1; }\n};")
                .find("line 4: cannot translate kernel 'k' yet: it is a member of a type"),
            std::string::npos);
}

TEST(FunctionTables, state_the_types_of_what_they_hold_and_of_what_the_source_has) {
  const auto translation = translate_source(R"(#include <metal_stdlib>
using namespace metal;
[[visible]] float doubled(float x) { return 2 * x; }
[[visible, host_name("far")]] half2 moved(half2 x, const device uint* from, thread int& to) {
  to = from[0];
  return x;
}
float plain(float x) { return x; }
typedef half2 Move(half2, device const uint*, thread int&);
struct Moves { visible_function_table<Move> table; };
kernel void k(visible_function_table<float(const float)> table [[buffer(0)]],
              constant Moves& moves [[buffer(1)]], device float* x [[buffer(2)]],
              texture2d<uint> image [[texture(0)]]) {
  int n = 0;
  x[0] = table[0](x[1]) + moves.table[0](half2(x[2]), (device const uint*)x, n).x + n;
}
)",
                                            {});
  ASSERT_TRUE(translation) << translation.error().message;
  const std::string move = "half2(half2, device const uint*, thread int&)";
  const auto& tables = translation->tables;
  EXPECT_EQ(tables.functions,
            (std::vector<TableFunction>{{"doubled", "float(float)"}, {"far", move}}));
  EXPECT_EQ(tables.types, (std::vector<std::string>{"float(float)", move}));
  EXPECT_EQ(tables.unmarked, (std::vector<std::string>{"plain", "k"}));
  EXPECT_EQ(translation->kernels.at(0).arguments.at(0).type,
            "visible_function_table<float(float)>");
  EXPECT_EQ(translation->kernels.at(0).arguments.at(3).type, "texture2d<uint, access::sample>");
  const auto again = from_program_file(to_program_file(*translation));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->tables, tables);
}

TEST(FunctionConstants, a_value_makes_the_kernel_translatable) {
  const auto translation = translate_source(source, {"specialised"}, {{"factor", "0x10"}});
  ASSERT_TRUE(translation) << translation.error().message;
  EXPECT_NE(translation->text.find("<< 4"), std::string::npos) << translation->text;
}

TEST(FunctionConstants, a_value_must_fit_a_constant_of_the_source) {
  const auto unknown = translate_source(source, {}, {{"facto", "1"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "the source has no function constant 'facto'; it has factor");
  for (const char* value : {"1.5", "true", "2147483648", "-2147483649", "", "x"}) {
    const auto wrong = translate_source(source, {}, {{"factor", value}});
    ASSERT_FALSE(wrong) << value;
    EXPECT_NE(wrong.error().message.find("has the type int"), std::string::npos);
  }
}

TEST(KernelNames, a_parameter_that_cannot_be_passed_refuses_its_kernel_only) {
  const auto translation = translate_source(R"(#include <metal_stdlib>
using namespace metal;
kernel void image(array<texture2d<float>, 200> t [[texture(0)]]) {}
kernel void fill(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }
)",
                                            {});
  ASSERT_TRUE(translation) << translation.error().message;
  EXPECT_EQ(names_of(*translation), "fill ");
  ASSERT_EQ(translation->refused.size(), 1U);
  EXPECT_EQ(translation->refused[0].name, "image");
}

}  // namespace
}  // namespace msci
