// The numbers of Metal's address spaces in LLVM's SPIR target.
#pragma once

namespace msci {

constexpr unsigned thread_space = 0;
constexpr unsigned device_space = 1;
constexpr unsigned table_space = 2;  // program-scope `constant` variables; OpenCL's __constant
constexpr unsigned threadgroup_space = 3;
constexpr unsigned generic_space = 4;
constexpr unsigned constant_space = 6;  // Metal's `constant`: tables and buffers alike

}  // namespace msci
