#include "base/files/install_paths.h"

#include <cstdlib>
#include <filesystem>

namespace msci {
namespace {

// The host passes the hash of the module.
std::string build() {
  const char* hash = std::getenv("MSCI_MODULE");
  return MSCI_VERSION " " + std::string(hash ? hash : "");
}

}  // namespace

Result<std::string> find_program(std::string_view name) {
  return Error{std::string(name) +
               " does not run here: the WebAssembly module has msci-lint alone"};
}

std::string program_version() { return MSCI_VERSION; }
std::string program_identity() { return build(); }
std::string program_build() { return build(); }

std::string documentation_folder() {
  const char* folder = std::getenv("MSCI_DOCUMENTATION");
  return folder ? folder : "";
}

}  // namespace msci
