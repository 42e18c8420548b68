define float @f(float %a, float %b) {
  %c = fcmp ogt float %b, 0.000000e+00
  %d = select i1 %c, float %b, float 1.000000e+00
  %o = fcmp olt float %a, 0.000000e+00
  %p = or i1 %c, %o
  %e = select i1 %p, float %a, float 2.000000e+00
  %x = call float @msci.simd.sum.f32(float %a)
  %y = call float @msci.simd.sum.f32(float %d)
  %z = call float @msci.simd.sum.f32(float %e)
  %r = fadd float %x, %y
  %s = fadd float %r, %z
  ret float %s
}
