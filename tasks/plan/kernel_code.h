// What the code of a kernel consists of, block by block: a profile multiplies it with how often a
// simdgroup runs each block. Neither this header nor its users know LLVM.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// Kinds of instructions, as far as an Apple GPU runs them at different rates.
enum class WorkKind : unsigned {
  float_add,       // add, multiply and fused multiply-add of 32 bits
  half_add,        // the same of 16 bits
  compare_select,  // minimum, maximum, comparison with selection
  integer,         // add, subtract, bitwise, compare; of up to 32 bits
  convert,         // between floats and integers, and rounding
  multiply,        // of 32-bit integers, an addition included
  multiply_high,   // the upper or all 64 bits of the product of 32-bit integers
  add_long,        // of 64 bits
  multiply_long,
  shift_left,
  shift_right,  // by a variable
  bits,         // shift by a constant, extract, count, reverse
  divide_integer,
  exponential,   // exp2, log2
  reciprocal,    // also the first part of a division
  root,          // rsqrt, sqrt
  trigonometry,  // sin, cos
  precise_divide,
  shuffle,  // also broadcast, vote and quadgroup functions
  shuffle_variable,
  reduce,  // sum, product, minimum or maximum of 32 lanes
  prefix,
  matrix,  // product of 8×8 matrices
  branch,  // a condition; it ends no iteration of a loop
  loop,    // the end of an iteration
  device_load,
  device_store,
  constant_load,
  threadgroup_load,
  threadgroup_store,
  private_access,  // a private array that lies in memory
  atomic,
  barrier,
  last = barrier,
};
constexpr std::size_t work_kinds = static_cast<std::size_t>(WorkKind::last) + 1;
std::string_view to_string(WorkKind work);

// So many instructions of a kind at a line of the source.
struct WorkAt {
  WorkKind work = WorkKind::integer;
  unsigned line = 0;  // 0: unknown
  unsigned count = 0;
  bool operator==(const WorkAt&) const = default;
};

// A basic block.
struct BlockCode {
  std::vector<WorkAt> work;
  // The longest chain of instructions that wait for each other: latency in cycles of one
  // simdgroup, without that of memory, and the accesses on the chain with the most of each.
  double chain = 0;
  unsigned device_chain = 0;
  unsigned threadgroup_chain = 0;
  unsigned registers = 0;  // of 16 bits, that are live at once at the most
  bool operator==(const BlockCode&) const = default;
};

enum class MemoryKind : unsigned { device, constant, threadgroup };
enum class AccessType : unsigned { load, store, atomic };

// An instruction that accesses memory.
struct AccessSite {
  MemoryKind memory = MemoryKind::device;
  AccessType type = AccessType::load;
  unsigned bytes = 0;  // of each lane
  unsigned line = 0;
  bool operator==(const AccessSite&) const = default;
};

// One kernel, by the numbers of its blocks and accesses.
struct KernelCode {
  std::string symbol;  // as in its KernelSignature
  std::vector<BlockCode> blocks;
  std::vector<AccessSite> sites;
  unsigned registers = 0;             // of 16 bits, that are live at once at the most
  std::size_t private_bytes = 0;      // of private arrays in memory, of each thread
  std::size_t instructions = 0;       // of the whole kernel
  std::size_t loop_instructions = 0;  // of the largest loop without a loop in it
  bool operator==(const KernelCode&) const = default;
};

}  // namespace msci
