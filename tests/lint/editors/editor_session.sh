# What the tests of editors share; source it. Afterwards $work is a folder that goes at the end, with a kernel f.metal whose
# only finding, metal.restrict in line 3, has a fix.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/f.metal" <<'K'
#include <metal_stdlib>
using namespace metal;
kernel void f(device const float* restrict x [[buffer(0)]],
              device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i];
}
K
