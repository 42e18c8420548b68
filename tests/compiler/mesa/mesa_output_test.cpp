// Reads what the program msci-mesa printed with Mesa 26.1.6.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "compiler/mesa/mesa_compiler.h"

namespace msci {
namespace {

std::string stored(const std::string& name) {
  std::ifstream file(std::string(MSCI_MESA_OUTPUT) + "/" + name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(MesaOutput, has_the_code_of_the_last_variant) {
  const auto output = read_mesa_output(stored("saxpy.out"), stored("saxpy.err"));
  EXPECT_EQ(output.device, "Apple M1 (G13G A0)");
  EXPECT_EQ(output.version, "26.1.6-1~bpo13+1");
  EXPECT_TRUE(output.is_whole);
  ASSERT_EQ(output.kernels.size(), 1);
  ASSERT_TRUE(output.kernels[0]) << output.kernels[0].error().message;
  const auto& code = *output.kernels[0];
  EXPECT_EQ(code.main.size(), 12);
  EXPECT_EQ(code.preamble.size(), 9);
  EXPECT_EQ(code.registers, 8);
  EXPECT_EQ(code.uniforms, 16);
  EXPECT_EQ(code.spills, 0);
  EXPECT_EQ(code.fills, 0);
  EXPECT_EQ(code.scratch_bytes, 0);
  EXPECT_EQ(code.threads, 1024);
  EXPECT_EQ(code.bytes(), 60);
  EXPECT_EQ(code.main.front().text, "mov      r1, thread_in_grid_x");
  EXPECT_EQ(code.main.front().bytes, "72051004");
  EXPECT_EQ(code.main.back().text, "stop");
  EXPECT_EQ(describe(code), "12 instructions, 60 bytes, 8 registers of 16 bits, no spills");
}

constexpr std::string_view head = "msci-device Apple M2 (G14G A0)\nmsci-driver 26.2.6\n";

MesaOutput read(const std::string& out, std::string_view err) {
  return read_mesa_output(std::string(head) + out, err);
}

TEST(MesaOutput, private_memory_is_counted) {
  const auto output = read(
      "msci-kernel 0\nshader: MESA_SHADER_COMPUTE\n   0: 8800                   stop\nmsci-end\n",
      "msci-kernel 0\n"
      "CS shader: 468 instrs, 319 alu, 319 fscib, 136 ic, 3056 code size, 39 gprs, 88 uniforms, "
      "384 "
      "scratch, 1024 threads, 16 loops, 7:15 spills:fills, 43 preamble inst\n");
  ASSERT_EQ(output.kernels.size(), 1);
  ASSERT_TRUE(output.kernels[0]);
  EXPECT_EQ(describe(*output.kernels[0]),
            "1 instruction, 2 bytes, 40 registers of 16 bits, 7 stores and 15 loads of private "
            "memory, 384 bytes of scratch");
}

TEST(MesaOutput, a_kernel_may_be_refused) {
  const auto output = read("msci-kernel 0\nmsci-refused 0 OpenCL error -11\nmsci-end\n", "");
  EXPECT_TRUE(output.is_whole);
  ASSERT_EQ(output.kernels.size(), 1);
  ASSERT_FALSE(output.kernels[0]);
  EXPECT_EQ(output.kernels[0].error().message, "Mesa does not take it: OpenCL error -11");
}

TEST(MesaOutput, the_output_may_end_within_a_kernel) {
  const auto output =
      read("msci-kernel 0\nshader: MESA_SHADER_COMPUTE\n   0: 88", "msci-kernel 0\n");
  EXPECT_FALSE(output.is_whole);
  ASSERT_EQ(output.kernels.size(), 1);
  EXPECT_FALSE(output.kernels[0]);
}

TEST(MesaOutput, may_be_anything) {
  for (const auto* text :
       {"", "\n", "msci-kernel", ": :", "0: ", "0: 88 stop", "shader: ", "zz: 88 stop"})
    EXPECT_TRUE(read_mesa_output(text, " gprs shader: 1 spills:fills").kernels.empty());
}

}  // namespace
}  // namespace msci
