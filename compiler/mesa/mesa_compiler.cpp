#include "compiler/mesa/mesa_compiler.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/files/install_paths.h"
#include "base/process/run_command.h"
#include "base/text.h"

namespace msci {

namespace fs = std::filesystem;

const std::string_view mesa_is_missing =
    "Mesa's compiler for Apple GPUs is not installed: it needs the packages mesa-drm-shim, "
    "mesa-opencl-icd and ocl-icd-libopencl1 of Mesa 25.1 or later (Debian 13 with backports, or "
    "sid); on other systems, make_mesa_root.sh puts them into a folder "
    "(docs/concepts/apple_code.md)";

namespace {

constexpr std::string_view shim = "libasahi_noop_drm_shim.so";
// The folders of libraries in Debian's packages.
constexpr std::array library_folders = {"usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu",
                                        "usr/lib64", "usr/lib"};

std::optional<MesaInstallation> installation_below(const fs::path& root) {
  std::error_code unreadable;
  for (const auto* folder : library_folders)
    if (fs::exists(root / folder / shim, unreadable)) return MesaInstallation{root, root / folder};
  return std::nullopt;
}

fs::path data_folder() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data) return data;
  const char* home = std::getenv("HOME");
  return home && *home ? fs::path(home) / ".local/share" : fs::path();
}

}  // namespace

std::optional<MesaInstallation> find_mesa() {
  if (const char* root = std::getenv("MSCI_MESA_ROOT"); root && *root)
    return installation_below(fs::absolute(root));
  if (const auto data = data_folder(); !data.empty())
    if (auto found = installation_below(data / "msci/mesa")) return found;
  return installation_below("/");
}

std::optional<AppleGpu> apple_gpu_of(std::string_view chip) {
  static constexpr auto gpus = std::to_array<AppleGpu>({
      {"m1", "13", "G"},
      {"m1-pro", "13", "S"},
      {"m1-max", "13", "C"},
      {"m1-ultra", "13", "D"},
      {"m2", "14", "G"},
      {"m2-pro", "14", "S"},
      {"m2-max", "14", "C"},
      {"m2-ultra", "14", "D"},
  });
  for (const auto& gpu : gpus)
    if (gpu.chip == chip) return gpu;
  return std::nullopt;
}

namespace {

// The loader of the packages themselves: their C library may be newer than ours.
fs::path loader_of(const MesaInstallation& mesa) {
  for (const auto* name : {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}) {
    std::error_code unreadable;
    if (auto path = mesa.libraries / name; fs::exists(path, unreadable)) return path;
  }
  return {};
}

Result<Command> command_of(const MesaInstallation& mesa, const AppleGpu& gpu) {
  const auto client = find_program("msci-mesa");
  if (!client) return client.error();
  Command command{
      .environment = {"RUSTICL_ENABLE=asahi", "MESA_SHADER_CACHE_DISABLE=true",
                      "AGX_MESA_DEBUG=shaders,shaderdb", "LC_ALL=C", "RUST_BACKTRACE=0"},
      .time_limit = std::chrono::minutes(2),
      .output_limit = std::size_t{256} << 20,
  };
  if (mesa.is_of_system()) {
    command.environment.push_back("LD_PRELOAD=" + (mesa.libraries / shim).string());
  } else {
    const auto loader = loader_of(mesa);
    if (loader.empty())
      return Error{fmt::format("{} has no loader of programs; make it again with make_mesa_root.sh",
                               mesa.root.string())};
    command.arguments = {loader, "--library-path", mesa.libraries, "--preload", std::string(shim)};
    command.environment.push_back("MSCI_MESA_ROOT=" + mesa.root.string());
    command.environment.push_back("OCL_ICD_VENDORS=" + (mesa.root / "etc/OpenCL/vendors").string());
  }
  command.arguments.insert(command.arguments.end(),
                           {*client, std::string(gpu.generation), std::string(gpu.variant)});
  return command;
}

std::string input_of(const std::vector<std::string>& modules, std::size_t first) {
  std::string input;
  for (auto i = first; i < modules.size(); ++i) {
    const auto size = static_cast<std::uint32_t>(modules[i].size());
    for (unsigned byte = 0; byte < 4; ++byte) input += static_cast<char>(size >> 8 * byte & 255);
    input += modules[i];
  }
  return input;
}

std::string last_line(std::string_view text) {
  text = trimmed(text);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace

Result<CompiledKernels> compile_with_mesa(const MesaInstallation& mesa, const AppleGpu& gpu,
                                          const std::vector<std::string>& modules) {
  auto command = command_of(mesa, gpu);
  if (!command) return command.error();
  CompiledKernels compiled;
  while (compiled.kernels.size() < modules.size()) {
    command->input = input_of(modules, compiled.kernels.size());
    const auto done = run_command(*command);
    if (!done) return done.error();
    auto output = read_mesa_output(done->out, done->err);
    const auto reason = done->timed_out   ? std::string("it takes more than 2 minutes")
                        : done->truncated ? std::string("it prints more than 256 MB")
                                          : describe(done->exit);
    if (output.kernels.empty())
      return Error{fmt::format("Mesa's driver for Apple GPUs does not start: {} ({})",
                               last_line(done->err), reason)};
    if (!output.is_whole)  // the last kernel ended the program
      output.kernels.back() = Error{"Mesa's compiler does not survive it: " + reason};
    compiled.device = std::move(output.device);
    compiled.version = std::move(output.version);
    for (auto& kernel : output.kernels) compiled.kernels.push_back(std::move(kernel));
  }
  return compiled;
}

}  // namespace msci
