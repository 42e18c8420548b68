#include "lint/kernel_resources.h"

namespace msci {
namespace {

FindKernelResources find_resources = nullptr;

}  // namespace

void set_kernel_resources(FindKernelResources find) { find_resources = find; }

FindKernelResources kernel_resources() { return find_resources; }

}  // namespace msci
