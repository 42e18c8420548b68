// One header that is included again for each type, with the type in a macro.
#include <metal_stdlib>
using namespace metal;
// For each N, 10 kernels:
#define N @N@
#define TYPE float
#include "shared/typed_rows.h"
#define TYPE half
#include "shared/typed_rows.h"
#define TYPE int
#include "shared/typed_rows.h"
#define TYPE ushort
#include "shared/typed_rows.h"
#define TYPE long
#include "shared/typed_rows.h"
#undef N
