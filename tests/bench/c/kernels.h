// The kernels of this folder; c_kernels.h says what they are.
#pragma once

#include "tests/bench/engine_and_c/c_kernels.h"

namespace msci::c::MSCI_C_NAMESPACE {

extern const Kernel saxpy, heat_step, wave_step, nbody_step, nbody_step_intrinsics, hmc_step,
    lbm_step, lbm_step_intrinsics, ising_step, lj_clear_cells, lj_build_cells, lj_step,
    gradshaf_axis_reduce, gradshaf_step, fft3d_x, fft3d_y, fft3d_z, adi_x, adi_y, adi_z,
    morton_stencil;

}  // namespace msci::c::MSCI_C_NAMESPACE
