#include "compiler/frontend/compiler.h"

#include <clang/Frontend/CompilerInvocation.h>
#include <fmt/format.h>
#include <llvm/Support/ErrorHandling.h>

#include <new>
#include <string>

#include "compiler/frontend/preamble/headers.h"

namespace msci {
namespace {

std::vector<std::string> arguments(const Beginning& beginning) {
  std::vector<std::string> all{
      "-x", "c++", "-std=c++17", "-fsycl-is-device", "-triple", "spir64",
      // Without a host's triple Clang crashes when it mangles __bf16.
      "-aux-triple", "spir64",
      // Only the headers in memory exist.
      "-nostdsysteminc", "-nobuiltininc", "-nostdinc++", "-internal-isystem",
      std::string(metal_include_folder),
      // Metal's language: no exceptions, no run-time types, no implicit vector conversions.
      "-fno-rtti", "-flax-vector-conversions=none", "-fno-threadsafe-statics",
      // Our headers give packed vectors their swizzles as __declspec(property).
      "-fdeclspec", "-ffp-contract=fast", "-Wno-duplicate-decl-specifier",
      "-Wno-user-defined-literals", "-Wno-reserved-user-defined-literal", "-Wno-undefined-internal",
      "-Wno-c++20-extensions", "-Wno-c++23-extensions", "-Wno-c++20-designator",
      "-Wno-c99-designator", "-Wno-vla-cxx-extension", "-Wno-dollar-in-identifier-extension",
      "-Wno-undefined-inline",
      // hazard.uninitialised_variable
      "-Wuninitialized", "-Wsometimes-uninitialized", "-USYCL_LANGUAGE_VERSION",
      "-U__SYCL_DEVICE_ONLY__", "-UCL_SYCL_LANGUAGE_VERSION", "-U__SPIR__", "-U__SPIR64__",
      "-D__METAL_VERSION__=" + std::to_string(beginning.version.number), "-D__METAL__=1",
      "-D__METAL_MACOS__=1",
      // Code for the optimiser to work on, but without running it here.
      "-O2", "-disable-llvm-passes", "-ferror-limit", "100", "-fbracket-depth", "256",
      "-ftemplate-depth=512"};
  // Metal's fast math, the default, keeps NaN and infinity for isnan() and isinf().
  if (beginning.fast_math)
    all.insert(all.end(), {"-mreassociate", "-freciprocal-math", "-fno-signed-zeros",
                           "-fapprox-func", "-D__FAST_MATH__=1"});
  const auto include = [&](std::string_view header) {
    all.emplace_back("-include");
    all.push_back(fmt::format("{}/{}", metal_include_folder, header));
  };
  // In this way Clang knows that they stand before all else.
  if (beginning.prebuilt.empty()) include("__prelude");
  for (const auto header : beginning.headers) include(header);
  all.emplace_back(headers_file);
  return all;
}

// LLVM's own allocations fail as operator new does: an isolated process then reports that its
// memory is exhausted.
void share_new_handler() {
  static const bool installed = [] {
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) {
      if (const auto handler = std::get_new_handler()) handler();
    });
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace

MemoryFiles metal_files() {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& header : metal_headers())
    files->addFile(fmt::format("{}/{}", metal_include_folder, header.name), 0,
                   llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(header.text), "", true));
  files->addFile(headers_file, 0, llvm::MemoryBuffer::getMemBuffer(""));
  return files;
}

std::unique_ptr<clang::CompilerInstance> compiler_for(const Beginning& beginning) {
  share_new_handler();
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  const auto words = arguments(beginning);
  std::vector<const char*> argv;
  for (const auto& word : words) argv.push_back(word.c_str());
  clang::DiagnosticOptions ignored_options;
  clang::DiagnosticsEngine argument_errors(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(),
                                           ignored_options, new clang::IgnoringDiagConsumer);
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, argv, argument_errors))
    return nullptr;
  auto& language = invocation->getLangOpts();
  language.SinglePrecisionConstants = 1;  // Metal has no double: 1.0 is a float
  language.CXXOperatorNames = 1;
  // The token pass gives member functions of an address space an explicit object; everything else
  // stays C++17.
  language.CPlusPlus23 = 1;
  return std::make_unique<clang::CompilerInstance>(std::move(invocation));
}

}  // namespace msci
