define float @f(float %a, float %b) {
  %c = fmul float %b, 2.000000e+00
  %d = fadd float %c, %a
  %x = call float @msci.simd.sum.f32(float %a)
  %y = call float @msci.simd.sum.f32(float %d)
  %e = fadd float %x, %y
  %z = call float @msci.simd.sum.f32(float %e)
  ret float %z
}
