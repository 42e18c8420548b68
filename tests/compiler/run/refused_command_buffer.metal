// gap: line 6: cannot translate kernel 'k' yet: it uses a command buffer; let the host launch the kernels
#include <metal_stdlib>
using namespace metal;
struct Commands { command_buffer all [[id(0)]]; };
kernel void k(constant Commands& commands [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  compute_command(commands.all, i).reset();
}
