// The lines of machine code.
#include "compiler/mesa/match_lines.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

using enum OperationKind;

std::vector<MachineInstruction> code(const std::vector<std::string>& texts) {
  std::vector<MachineInstruction> result;
  for (const auto& text : texts) result.push_back({.text = text});
  return result;
}

std::vector<unsigned> lines(const std::vector<std::string>& texts,
                            const std::vector<CodeOperation>& operations) {
  auto instructions = code(texts);
  match_lines(instructions, operations);
  std::vector<unsigned> found;
  for (const auto& instruction : instructions) found.push_back(instruction.line);
  return found;
}

TEST(MatchLines, operations_have_their_order) {
  EXPECT_EQ(lines({"load     r1, du2, 0, i32, x, a", "fmul     r2, r1, r1",
                   "store    r2, du4, 0, i32, x, a"},
                  {{load, 5}, {multiply, 6}, {store, 7}}),
            (std::vector<unsigned>{5, 6, 7}));
}

TEST(MatchLines, an_address_has_the_line_of_its_access) {
  EXPECT_EQ(lines({"mov      r2, u4", "mov      r3, u5", "iadd     dr2, dr2, $r4",
                   "load     r1, dr2, 0, i32, x, a"},
                  {{load, 9}}),
            (std::vector<unsigned>{9, 9, 9, 9}));
}

TEST(MatchLines, halves_of_registers_are_told_apart) {
  EXPECT_EQ(lines({"mov      r1l, u1", "mov      r1h, u2", "hadd     r2l, r1h, r3l"}, {{add, 4}}),
            (std::vector<unsigned>{0, 4, 4}));
}

TEST(MatchLines, waits_and_jumps_have_none) {
  EXPECT_EQ(
      lines({"load     r1, du2, 0, i32, x, a", "wait     a", "jmp_any  -144", "stop"}, {{load, 3}}),
      (std::vector<unsigned>{3, 0, 0, 0}));
}

TEST(MatchLines, memory_outweighs_arithmetic) {
  // The compiler moved the sum behind the load of line 2.
  EXPECT_EQ(lines({"load     r1, du2, 0, i32, x, a", "load     r2, du4, 0, i32, x, b",
                   "fadd     r1, r1, r1"},
                  {{load, 1}, {add, 1}, {load, 2}}),
            (std::vector<unsigned>{1, 2, 0}));
}

TEST(MatchLines, the_code_may_be_empty) { EXPECT_TRUE(lines({}, {{load, 1}}).empty()); }

}  // namespace
}  // namespace msci
