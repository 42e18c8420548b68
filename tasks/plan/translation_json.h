// A translation for the JSON library, on its way from one process to another, as MessagePack: both
// ends are built together. It has all of a translation, unlike a program file, which people keep.
#pragma once

#include "base/diagnostic_json.h"
#include "base/optional_json.h"
#include "tasks/plan/program.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelArgument, kind, index, constant, name, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CheckedObject, name, bytes, granule, written, atomic, loaded,
                                   stored_at, scattered, conditional)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelSignature, name, symbol, arguments, threadgroup_bytes,
                                   thread_limit, uses_simdgroups, loads_pointers, stores_pointers,
                                   objects, anywhere)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MessageArgument, type, bytes, components)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DebugCall, kind, place, text, subsystem, category, arguments)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RefusedKernel, name, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TableFunction, name, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FunctionTables, functions, types, unmarked)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkAt, work, line, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BlockCode, work, chain, device_chain, threadgroup_chain,
                                   registers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AccessSite, memory, type, bytes, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelCode, symbol, blocks, sites, registers, private_bytes,
                                   instructions, loop_instructions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelNumbers, integers, reals)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Translation, source_name, text, ir, kernels, refused, tables,
                                   places, marked, debug_calls, operations, code, numbers)

}  // namespace msci
