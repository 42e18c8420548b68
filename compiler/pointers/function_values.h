// Functions as values: tables of functions, and pointers to functions.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace llvm {
class CallInst;
class Instruction;
class Module;
}  // namespace llvm

namespace msci {

// Called where a call finds no function: the place in the IR, before which it may insert code.
using NoteMissing = std::function<void(llvm::Instruction& before, const llvm::CallInst& call)>;

// Whether a call goes through a table; the others that find no function go through a pointer.
bool is_table_call(const llvm::CallInst& call);

// Makes a switch over functions of each call through a table or a pointer. `visible` are the
// symbols of the functions that tables may hold, in the order of their numbers. A pointer to a
// function becomes a number of its own. Where a call finds no function, its result is zero. Call
// before functions are inlined.
void expand_function_values(llvm::Module& ir, const std::vector<std::string>& visible,
                            const NoteMissing& note_missing);

}  // namespace msci
