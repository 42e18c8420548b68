// The functions that a host may put into a table: [[visible]] and [[stitchable]] ones.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/unit.h"
#include "tasks/plan/program.h"

namespace msci {

struct VisibleFunction {
  Kernel kernel;       // its name as the host has it, and its declaration
  std::string symbol;  // of the LLVM function
};

// Those of the source that have bodies, in order of appearance. Their numbers in tables begin with
// 1; 0 is an empty entry.
std::vector<VisibleFunction> visible_functions(const Unit& unit);

// What a plan may put into the tables of the source: `visible`, and the types that the tables hold.
FunctionTables function_tables(const Unit& unit, const std::vector<VisibleFunction>& visible);

}  // namespace msci
