// The lines of the source that machine code comes from. Mesa's compiler does not say them.
#pragma once

#include <vector>

#include "compiler/mesa/code_operation.h"
#include "compiler/mesa/machine_code.h"

namespace msci {

// Sets the lines of instructions by comparing the order of operations in the code that the
// compiler got with that in its machine code: the longest common sequence, in which accesses of
// memory, barriers and functions count more than sums and products. An instruction without a
// counterpart gets the line of the instruction that first uses its result; waits, jumps and the end
// of the code keep none. Lines are estimates where the compiler reorders code. Code that is too
// long to compare gets no lines.
void match_lines(std::vector<MachineInstruction>& code,
                 const std::vector<CodeOperation>& operations);

}  // namespace msci
