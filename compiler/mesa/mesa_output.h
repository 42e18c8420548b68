// What the program msci-mesa prints.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "compiler/mesa/machine_code.h"

namespace msci {

struct MesaOutput {
  std::string device;   // "Apple M1 (G13G A0)"; empty if the program came to none
  std::string version;  // of Mesa: "26.1.6-1~bpo13+1"
  // Of each kernel that the program began with: its code, or why there is none. The last one may
  // have ended the program.
  std::vector<Result<MachineCode>> kernels;
  bool is_whole = false;  // the program came to its end
};

// Mesa's text is for its developers and changes: it is read by keywords, and what is unknown is
// skipped. `out` and `err`: standard output (disassembly) and standard error (statistics).
MesaOutput read_mesa_output(std::string_view out, std::string_view err);

}  // namespace msci
