// Isolation of kernels by their code: no access leaves the buffers, the threadgroup memory or the
// private arrays of a kernel, whatever it computes (docs/isolation.md).
#pragma once

#include <string_view>

namespace llvm {
class Function;
}

namespace msci::engine {

// The calls that guard_accesses() adds.
//
// guard_device_call(pointer, parameter) → a pointer that is the same where it is near the buffer of
// that parameter, and otherwise leads to where no access is allowed. A null parameter stands for
// all buffers. guard_threadgroup_call(pointer): the same for the memory of the threadgroup.
// guard_array_call(inside, kind): ends the kernel unless `inside` is true.
constexpr std::string_view guard_prefix = "msci.guard.";
constexpr std::string_view guard_device_call = "msci.guard.device";
constexpr std::string_view guard_threadgroup_call = "msci.guard.threadgroup";
constexpr std::string_view guard_array_call = "msci.guard.array";

// What a kernel left; the number is the last argument of guard_array_call.
enum class GuardedArray { private_array, table };

// The function of the engine that generated code calls where a guard finds an access outside.
constexpr std::string_view guard_failure = "msci_engine_outside";

// Adds the guards that accesses of the kernel need, after specialise().
void guard_accesses(llvm::Function& kernel);

}  // namespace msci::engine
