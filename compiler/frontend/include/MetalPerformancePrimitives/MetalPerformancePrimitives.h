// Apple's tensor operations.
#pragma clang system_header
#include <MetalPerformancePrimitives/MPPTensorOpsMatMul2d.h>
