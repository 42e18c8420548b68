// The Clang that reads Metal: its options, and headers that exist in memory only.
#pragma once

#include <clang/Frontend/CompilerInstance.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <memory>
#include <string_view>
#include <vector>

#include "compiler/frontend/version.h"

namespace msci {

// What Clang starts with. All views outlive it.
struct Beginning {
  LanguageVersion version;
  bool fast_math = true;
  // Read before all else, each as by #include.
  std::vector<std::string_view> headers;
  // As prebuild() wrote it, of the same version: headers that need not be read again, the prelude
  // among them. Empty: none.
  std::string_view prebuilt;
};

// Where Clang finds the Metal headers.
constexpr std::string_view metal_include_folder = "/metal/include";

// The main file while headers are read: an empty one, which stands for the source.
constexpr std::string_view headers_file = "/metal/program_headers";

using MemoryFiles = llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem>;

// Clang's view of the disk: the Metal headers and headers_file, and nothing else yet.
MemoryFiles metal_files();

// Ready to be given files, a consumer of diagnostics, and work. Null where this Clang does not take
// our options.
std::unique_ptr<clang::CompilerInstance> compiler_for(const Beginning& beginning);

// Where Clang finds what is prebuilt, once it is among its files.
constexpr std::string_view prebuilt_file = "/metal/prebuilt";

}  // namespace msci
