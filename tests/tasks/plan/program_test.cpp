// The file format of translated programs.
#include "tasks/plan/program.h"

#include <gtest/gtest.h>

#include "base/msgpack_result.h"
#include "tasks/plan/translation_json.h"

namespace msci {
namespace {

Translation example() {
  return {.source_name = "odd */ name.metal",
          .text = "/* comment */\n__kernel void k(void) {}\n// \xe9 \"quoted\" \\\n",
          .kernels = {{.name = "k",
                       .symbol = "k_",
                       .arguments = {{.kind = KernelArgument::Kind::buffer,
                                      .index = 3,
                                      .constant = true,
                                      .name = "x*/",
                                      .type = "packed_float3"},
                                     {.kind = KernelArgument::Kind::threadgroup,
                                      .index = 0,
                                      .name = "tile",
                                      .type = "float"}},
                       .threadgroup_bytes = 1024,
                       .thread_limit = 256,
                       .uses_simdgroups = true},
                      {.name = "without arguments", .symbol = "w"}}};
}

// What a program file leaves out.
Translation instrumented() {
  auto translation = example();
  translation.ir = std::string("BC\xc0\xde\0\xff", 6);
  translation.kernels.front().objects = {{.name = "x*/", .granule = 4, .written = true},
                                         {.name = "part", .bytes = 64, .granule = 16}};
  translation.kernels.front().anywhere = CheckedObject{.name = "anywhere", .atomic = true};
  translation.places = {Place{}, {"part.h", {{3, 5}, {3, 9}}}};
  translation.marked = {1};
  translation.debug_calls = {{.place = 1, .text = "a */ b"},
                             {.kind = DebugCall::Kind::error,
                              .text = "%d %v4f",
                              .subsystem = "s",
                              .category = "c",
                              .arguments = {{MessageArgument::Type::signed_integer, 4, 1}, {}}}};
  translation.code = {{.symbol = "k_",
                       .blocks = {{.work = {{WorkKind::atomic, 3, 2}}, .chain = 0.5}},
                       .sites = {{MemoryKind::threadgroup, AccessType::store, 16, 4}},
                       .registers = 7}};
  translation.refused = {{"r", "no"}};
  translation.tables = {.functions = {{"f", "float(float)"}}, .types = {"float(float)"}};
  return translation;
}

TEST(TranslationMessage, has_all_of_a_translation) {
  const auto read = from_msgpack<Translation>(to_msgpack<Translation>(instrumented()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, instrumented());
  EXPECT_FALSE(from_msgpack<Translation>(to_msgpack<Translation>(instrumented()).substr(1)));
}

TEST(ProgramFile, has_nothing_of_instruments) {
  const auto read = from_program_file(to_program_file(instrumented()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->is_checked());
  EXPECT_EQ(read->kernels, example().kernels);
  EXPECT_TRUE(read->ir.empty());
}

TEST(ProgramFile, comes_back_as_it_was_written) {
  const auto file = to_program_file(example());
  const auto read = from_program_file(file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, example());
  EXPECT_EQ(to_program_file(*read), file);
}

TEST(ProgramFile, is_text_behind_one_comment) {
  const auto file = to_program_file(example());
  const auto end = file.find("*/");
  EXPECT_EQ(file.substr(end, 4 + example().text.size()), "*/\n" + example().text);
}

TEST(ProgramFile, may_hold_no_kernel_and_no_text) {
  const auto read = from_program_file(to_program_file({}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, Translation{});
}

TEST(ProgramFile, cut_off_anywhere_in_its_manifest_is_an_error) {
  const auto file = to_program_file(example());
  const auto manifest = file.find("\n*/\n") + 4;
  for (std::size_t length = 0; length < manifest; ++length)
    EXPECT_FALSE(from_program_file(file.substr(0, length))) << length;
}

TEST(ProgramFile, says_what_is_broken) {
  const auto complaint = [](const std::string& file) {
    const auto read = from_program_file(file);
    return read ? "none" : read.error().message;
  };
  EXPECT_NE(complaint("kernel void f() {}").find("not a translated program"), std::string::npos);
  EXPECT_NE(complaint("/* msci-program 2\n{}\n*/\n").find("not a translated program"),
            std::string::npos);
  EXPECT_NE(complaint("/* msci-program 1\n{}").find("truncated"), std::string::npos);
  for (const std::string manifest :
       {"", "[]", "{}", "{\"source\":1,\"kernels\":[]}", "{\"source\":\"\",\"kernels\":{\"a\":1}}",
        "{\"source\":\"\",\"kernels\":[{\"name\":\"k\"}]}", "{\"source\":\"\",\"kernels\":[]"})
    EXPECT_NE(complaint("/* msci-program 1\n" + manifest + "\n*/\n").find("manifest is broken"),
              std::string::npos)
        << manifest;
}

// A device compiles the text, so what reaches beyond the translation's own words is refused.
TEST(ProgramFile, only_text_of_a_translation_is_loaded) {
  for (const std::string foreign :
       {"void f() { asm(\"nop\"); }", "void f() { __asm__ volatile(\"nop\"); }",
        "#include \"/etc/passwd\"", "  #define a b", "%:include <x>", "?\?=include <x>",
        "#pragma OPENCL EXTENSION all : enable", "_Pragma(x)", "void f() __attribute__((naked));",
        "int x __attribute__((aligned(4), section(a)));", "as\\\nm(x);", "/* */ int x;",
        "// comment\rasm(x);", "// */ asm(x);", "int i = __builtin_ia32_rdtsc();",
        "[[gnu::naked]] void f();", "char* c = \"text\";",
        "asm volatile(\"activemask.b32 %0;\" : \"=r\"(n));"}) {
    EXPECT_TRUE(find_foreign_text("kernel void k(void) {}\n" + foreign + "\n")) << foreign;
    const auto loaded = load_program_file(to_program_file({.text = "\n\n" + foreign}));
    ASSERT_FALSE(loaded) << foreign;
    EXPECT_EQ(loaded.error().message.find("line 3 of the program's text contains"), 0u) << foreign;
  }
}

TEST(ProgramFile, a_changed_text_is_an_error) {
  auto file = to_program_file({.text = "__kernel void k(void) {}\n"});
  file.replace(file.find("void k"), 6, "void l");
  const auto read = from_program_file(file);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("was changed or cut off"), std::string::npos);
}

TEST(SameProgram, is_one_of_equal_code_whatever_the_source_is_called) {
  const Translation one{
      .source_name = "a.metal", .text = "t", .ir = "i", .kernels = {{.name = "k"}}};
  auto other = one;
  other.source_name = "b.metal";
  other.ir = "j";
  EXPECT_TRUE(is_same_program(one, other));
  EXPECT_EQ(program_digest(one), program_digest(other));
  other.text = "u";
  EXPECT_FALSE(is_same_program(one, other));
  EXPECT_NE(program_digest(one), program_digest(other));
  other = one;
  other.kernels[0].name = "l";
  EXPECT_FALSE(is_same_program(one, other));
  EXPECT_NE(program_digest(one), program_digest(other));
}

TEST(SameProgram, goes_by_the_ir_where_there_is_no_text) {
  const Translation one{.ir = "i"}, other{.ir = "j"}, none{};
  EXPECT_TRUE(is_same_program(one, one));
  EXPECT_FALSE(is_same_program(one, other));
  EXPECT_NE(program_digest(one), program_digest(other));
  EXPECT_FALSE(is_same_program(none, none)) << "nothing is known";
  EXPECT_EQ(program_digest(none), "");
}

}  // namespace
}  // namespace msci
