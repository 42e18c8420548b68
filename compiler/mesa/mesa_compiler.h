// Mesa's compiler for Apple GPUs, where it is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "compiler/mesa/machine_code.h"

namespace msci {

// Packages of Debian below a folder (make_mesa_root.sh), or those of this system.
struct MesaInstallation {
  std::filesystem::path root;       // "/" for those of this system
  std::filesystem::path libraries;  // the folder of the driver and of libasahi_noop_drm_shim.so
  bool operator==(const MesaInstallation&) const = default;

  bool is_of_system() const { return root == "/"; }
};

// The folder that $MSCI_MESA_ROOT names; without it, $XDG_DATA_HOME/msci/mesa, then this system.
// Nothing if Mesa's compiler is in none of them.
std::optional<MesaInstallation> find_mesa();

// The message where find_mesa() finds nothing: Mesa's compiler is not installed, and what to
// install.
extern const std::string_view mesa_is_missing;

// A generation of Apple's GPUs that Mesa compiles for.
struct AppleGpu {
  std::string_view chip;  // "m1", "m2": a prefix of the names of chips
  std::string_view generation;
  std::string_view variant;  // "G"; "S" of a Pro and so on
};

// That of a chip ("m1-pro"). Nothing for those that Mesa does not compile for.
std::optional<AppleGpu> apple_gpu_of(std::string_view chip);

struct CompiledKernels {
  std::string device;                        // "Apple M1 (G13G A0)"
  std::string version;                       // of Mesa
  std::vector<Result<MachineCode>> kernels;  // in the order of the modules
};

// Compiles SPIR-V modules, each of one kernel, in a process of their own with limits on time,
// memory, files and calls. A module that ends the process costs only itself. Errors: Mesa's driver
// does not start.
Result<CompiledKernels> compile_with_mesa(const MesaInstallation& mesa, const AppleGpu& gpu,
                                          const std::vector<std::string>& modules);

// What the program msci-mesa prints.
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
