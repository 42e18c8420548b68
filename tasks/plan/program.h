// A translated program: OpenCL C text, and what a host must know to launch its kernels. Neither
// this header nor its users know Clang or LLVM. The file format lets a machine that has only a
// driver run a kernel.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/argument_kind.h"
#include "base/metal_limits.h"
#include "base/result.h"
#include "base/source.h"
#include "tasks/plan/kernel_code.h"

namespace msci {

// One bound argument of a kernel. In the OpenCL text a `buffer`, a `texture` and a `sampler` are
// two parameters, `__global uchar*` and a `ulong` byte offset; a `threadgroup` argument is one
// `__local uchar*`. If no two parameters of a launch lead to one buffer, the text may be built with
// MSCI_RESTRICT as `restrict`.
struct KernelArgument {
  using Kind = ArgumentKind;
  Kind kind = Kind::buffer;
  unsigned index = 0;  // Metal's binding index, which counts within the kind
  // A buffer in `constant` space, `device const`, a sampler, or a texture that may not be written:
  // the kernel must not write it.
  bool constant = false;
  std::string name;  // as in the Metal source
  // As in the Metal source: the pointee of a buffer ("float4", "uint"), the own type of a texture
  // or of a table of functions ("visible_function_table<float(float)>").
  std::string type;
  bool operator==(const KernelArgument&) const = default;
};

// Memory that a checked kernel refers to by number: first its arguments, then its threadgroup
// arrays.
struct CheckedObject {
  std::string name;
  std::size_t bytes = 0;     // of a threadgroup array; the host knows those of an argument
  unsigned granule = 1;      // bytes that are tracked together, a power of two
  bool written = false;      // whether the kernel may write it through this name
  bool atomic = false;       // whether it may access it atomically
  bool loaded = false;       // whether it may read it
  unsigned stored_at = 0;    // the place of its first plain store in the source; 0 without one
  bool scattered = false;    // whether data decides where it stores: an index from another buffer
  bool conditional = false;  // whether data decides if it stores
  bool operator==(const CheckedObject&) const = default;
};

// The `uint` parameters behind a kernel's arguments: x, y, z of the grid, then of the threadgroup.
inline constexpr unsigned launch_parameters = 6;

// One kernel's interface. After its arguments, in this list's order, the OpenCL kernel takes six
// `uint`: the grid in threads (x, y, z), then the threads per threadgroup that the host asked for
// (x, y, z). A checked kernel takes what analysis/check/check_memory.h describes after those.
struct KernelSignature {
  std::string name;    // Metal's
  std::string symbol;  // the OpenCL kernel's
  std::vector<KernelArgument> arguments;
  std::size_t threadgroup_bytes = 0;     // static threadgroup memory left after optimisation
  std::optional<unsigned> thread_limit;  // [[max_total_threads_per_threadgroup(n)]]
  bool uses_simdgroups = false;
  bool loads_pointers = false;   // from device memory: the kernel reaches more than it is bound to
  bool stores_pointers = false;  // to device memory: results depend on where buffers lie
  std::vector<CheckedObject> objects;  // of a checked translation
  // Of a checked translation: what the kernel does through pointers that it loads, to any buffer.
  std::optional<CheckedObject> anywhere;
  bool operator==(const KernelSignature&) const = default;

  // Metal's maxTotalThreadsPerThreadgroup for this kernel (tasks.md calls it the cap).
  unsigned cap() const { return thread_limit.value_or(threadgroup_thread_limit); }
};

// An argument of a message: a scalar, or a vector of them.
struct MessageArgument {
  enum class Type { signed_integer, unsigned_integer, floating, other };
  static constexpr unsigned most_bytes = 8, most_components = 4;

  Type type = Type::other;
  unsigned bytes = 0;       // of a scalar; a floating one is a float in any case
  unsigned components = 0;  // each of which the run records; 0 for other types
  bool operator==(const MessageArgument&) const = default;
};

// A call of assert() or of an os_log in the source of a checked translation.
struct DebugCall {
  enum class Kind { assertion, log, debug, info, error, fault };
  Kind kind = Kind::assertion;
  unsigned place = 0;               // index into Translation::places; 0 means none
  std::string text;                 // an assertion's condition if it is known, a message's format
  std::string subsystem, category;  // of the os_log; empty if it has none, or they are unknown
  std::vector<MessageArgument> arguments;
  bool operator==(const DebugCall&) const = default;
};

// "assertion", "log", "debug", "info", "error", "fault".
std::string_view to_string(DebugCall::Kind kind);

// A kernel that cannot be translated, and why.
struct RefusedKernel {
  std::string name;  // Metal's
  std::string reason;
  bool operator==(const RefusedKernel&) const = default;
};

// A function that a host can put into a table.
struct TableFunction {
  std::string name;  // as the host has it
  std::string type;  // as Metal spells it: "float2(float, device uint*)"
  bool operator==(const TableFunction&) const = default;
};

// What a host can put into the tables of functions of a source.
struct FunctionTables {
  // The [[visible]] and [[stitchable]] functions by their numbers, which begin with 1.
  std::vector<TableFunction> functions;
  // The types of the functions that the source's tables hold.
  std::vector<std::string> types;
  // In a source with tables: the names of the other functions, which no table can hold.
  std::vector<std::string> unmarked;
  bool operator==(const FunctionTables&) const = default;

  // Null if it is not one of `functions`.
  const TableFunction* find(std::string_view function) const;
};

// What kernels may compare sizes and inputs with; in ascending order, each once.
struct KernelNumbers {
  std::vector<unsigned> integers = {};  // from 3 on, and those that are subtracted
  std::vector<float> reals = {};        // their magnitudes, but 0
  bool operator==(const KernelNumbers&) const = default;
};

// The source locations that instrumented code can tell apart, with 0 for the unknown one.
constexpr std::size_t most_locations = 2048;

// The kernels of one source.
struct Translation {
  std::string source_name;
  std::string text;  // OpenCL C 1.2
  // The same kernels as LLVM IR, bitcode or text, for devices that need it.
  std::string ir;
  std::vector<KernelSignature> kernels;
  std::vector<RefusedKernel> refused;  // not in the text
  FunctionTables tables;
  // Of a checked translation: the places that faults refer to by number; 0 means none.
  std::vector<Place> places;
  // The numbers of those of memory accesses and barriers, which a run marks when it comes to them.
  std::vector<unsigned> marked;
  // Of a checked translation: those that a run may report.
  std::vector<DebugCall> debug_calls;
  // Of a traced translation: operations on floats in words, with {0}, {1} and {2} for their
  // operands.
  std::vector<std::string> operations;
  // Of a translation for a profile: what the code of each kernel consists of.
  std::vector<KernelCode> code;
  // Of a translation to be judged: those in the source's own code, after optimisation.
  KernelNumbers numbers = {};
  bool operator==(const Translation&) const = default;

  bool is_checked() const { return !places.empty(); }
  const KernelSignature* find(std::string_view kernel) const;
  const RefusedKernel* find_refused(std::string_view kernel) const;
};

// A valid OpenCL C file whose leading comment is the manifest (JSON): same translation, same bytes.
// It has what running needs, and nothing of checks, profiles and IR.
std::string to_program_file(const Translation& translation);

// Whether a text begins as such a file does.
bool is_program_file(std::string_view text);

// Reads a file of to_program_file(). Errors: another kind of file, an unknown version, a broken
// manifest, a text with another SHA-256 than the manifest's.
Result<Translation> from_program_file(std::string_view file);

// Reads a file that a user names. Errors: those of from_program_file(), and text that no
// translation contains (program_text.h).
Result<Translation> load_program_file(std::string_view file);

// What the OpenCL C text of a translated program may contain. A driver compiles this text, and a
// driver for processors runs the result with few limits, so a text that reaches more than Metal
// does must not be built.

// The first thing in the text that the translator does not write: inline assembly, a preprocessor
// directive, an attribute or a builtin of the compiler. The error names the line of the text, from
// 1.
[[nodiscard]] std::optional<Error> find_foreign_text(std::string_view text);

// Whether two kernels are one program, whatever their sources look like.

// The same text, the same signatures of kernels, and the same tables of functions. Translations
// without text, such as those for a profile, are compared by their IR.
bool is_same_program(const Translation& one, const Translation& other);

// SHA-256 of those, so that programs compare across processes; empty without text and IR.
std::string program_digest(const Translation& translation);

}  // namespace msci
