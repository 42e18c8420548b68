// Metal → OpenCL C 1.2: LLVM IR, everything inlined into the kernels and optimised, then printed as
// text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/process/isolated_process.h"
#include "base/result.h"
#include "compiler/constant_values.h"
#include "compiler/frontend/unit.h"
#include "compiler/instrument.h"
#include "tasks/plan/program.h"

namespace msci {

// The kernels to translate, as the host calls them; '*' stands for any text, '?' for any character.
// An empty list stands for all kernels.
using KernelNames = std::vector<std::string>;

// Translates kernels of a unit that compiled, with values for its function constants. The same
// source gives the same bytes. A kernel that cannot be translated is listed in
// Translation::refused. Errors: a name that fits no kernel, or only kernels that cannot be
// translated, with the line where it is known; without names, that none can be translated; a value
// that no function constant of the source can have.
//
// The code has the calls of `instrument`; analysis/instruments.h has those for each purpose.
Result<Translation> translate(Unit& unit, const KernelNames& names = {},
                              const ConstantValues& constants = {},
                              const Instrument& instrument = {});

// How kernels are translated apart.
struct Apart {
  unsigned at_once = 1;  // processes
  Limits limits = {};    // of each
  std::function<void(std::size_t done, std::size_t count)> on_progress = nullptr;
};

// The same for running, in isolated processes of a few kernels each, for libraries of kernels.
// If a process exceeds a limit or crashes, each of its kernels gets a process of its own. A kernel
// whose own process does so is refused; the others are translated. Without names, a translation in
// which all kernels are refused is not an error, so that all their reasons are known. The
// translation has no IR, like those of program files.
Result<Translation> translate_apart(Unit& unit, const KernelNames& names,
                                    const ConstantValues& constants, const Apart& apart);

}  // namespace msci
