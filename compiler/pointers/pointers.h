// Pointers in memory, and functions as values (docs/reference/argument_buffers.md).
#pragma once

#include <clang/AST/Type.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/unit.h"
#include "tasks/plan/program.h"

namespace llvm {
class CallInst;
class Function;
class Instruction;
class Module;
}  // namespace llvm

namespace msci {

// Argument buffers: structs in device memory that hold pointers.

// Why a value of that type cannot be translated in device memory, as the end of "its parameter 'x'
// ...": a pointer to threads' or threadgroup memory, or members whose [[id(n)]] do not rise, so
// that they lie in another order than the struct's. None if it can.
std::optional<std::string> find_unstorable(const Unit& unit, clang::QualType type);

// The types of functions that tables hold, as Metal spells them.

// "float2", "half", "device uint*".
std::string metal_spelling(clang::QualType type);

// "float2(float, device uint*)". Types that are the same have the same text.
std::string function_type(const clang::FunctionProtoType& type);

// The type of the functions in a table; none if the type is not a visible_function_table.
std::optional<std::string> type_in_table(clang::QualType type);

// Those of all tables that the source declares, sorted.
std::vector<std::string> table_types(const Unit& unit);

// Functions as values: tables of functions, and pointers to functions.

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

// Pointers that lie in memory: in argument buffers, and where kernels store them.

// An object that is one pointer, such as a texture, is copied as that pointer: LLVM would copy its
// eight bytes as an integer. Call before the first simplification.
void copy_as_pointers(llvm::Module& ir);

// A `constant` pointer in memory is the address of a buffer, like a `device` pointer, so loads and
// stores of such pointers become those of `device` pointers. Call before address spaces are
// inferred.
void name_stored_pointers(llvm::Function& function);

// Whether a kernel loads `device` pointers from memory other than its own variables, and so may
// reach buffers that it is not bound to.
bool loads_pointers(const llvm::Function& kernel);

// Whether a kernel stores `device` pointers to device memory, so that what it leaves there depends
// on where buffers lie.
bool stores_pointers(const llvm::Function& kernel);

// The functions that a host may put into a table: [[visible]] and [[stitchable]] ones.
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
