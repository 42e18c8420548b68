// Machine code of an Apple GPU, as Mesa's compiler makes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace msci {

struct MachineInstruction {
  unsigned address = 0;  // of its first byte, from the start of its listing
  std::string bytes;     // hexadecimal: "72051004"
  std::string text;      // "mov      r1, thread_in_grid_x"
  unsigned line = 0;     // of the source; 0 if it is unknown
  bool operator==(const MachineInstruction&) const = default;

  std::string_view mnemonic() const { return std::string_view(text).substr(0, text.find(' ')); }
};

// The code of one kernel.
struct MachineCode {
  std::vector<MachineInstruction> main;      // that each thread executes
  std::vector<MachineInstruction> preamble;  // that runs once before the threads of a launch
  unsigned registers = 0;                    // of 16 bits, of a thread
  unsigned uniforms = 0;                     // of 16 bits, that all threads share
  unsigned spills = 0;                       // stores to private memory: of registers, or arrays
  unsigned fills = 0;                        // loads from it
  unsigned scratch_bytes = 0;                // of private memory of a thread
  unsigned threads = 0;                      // of a threadgroup, at most
  bool operator==(const MachineCode&) const = default;

  unsigned bytes() const {
    return main.empty() ? 0
                        : main.back().address + static_cast<unsigned>(main.back().bytes.size() / 2);
  }
};

// The machine code of a kernel, or why there is none.
struct KernelMachineCode {
  std::string kernel;  // Metal's name
  Result<MachineCode> code = MachineCode();
};

// What Mesa's compiler makes of kernels.
struct CompiledByMesa {
  std::string device;   // "Apple M1 Pro (G13S A0)"
  std::string version;  // of Mesa
  std::vector<KernelMachineCode> kernels;
};

// "79 instructions, 494 bytes, 48 registers of 16 bits, no spills".
std::string describe(const MachineCode& code);

}  // namespace msci
