#include "engine/device/opencl/opencl_functions.h"

#include <dlfcn.h>

namespace msci {
namespace {

// Never closed: drivers have threads of their own.
void* opencl_loader() {
  static void* const library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  return library;
}

}  // namespace

bool has_opencl_loader() { return opencl_loader() != nullptr; }

void* opencl_function_address(const char* name) {
  return has_opencl_loader() ? ::dlsym(opencl_loader(), name) : nullptr;
}

}  // namespace msci
