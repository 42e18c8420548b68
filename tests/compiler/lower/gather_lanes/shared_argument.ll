; Both sums need the comparison, which is computed once, before the selects. The block begins with a call.
define float @f(float %a, float %b) {
  %x = call float @msci.simd.sum.f32(float %a)
  %c = fcmp ogt float %b, 0.0
  %d = select i1 %c, float %b, float 1.0
  %y = call float @msci.simd.sum.f32(float %d)
  %o = fcmp olt float %a, 0.0
  %p = or i1 %c, %o
  %e = select i1 %p, float %a, float 2.0
  %z = call float @msci.simd.sum.f32(float %e)
  %r = fadd float %x, %y
  %s = fadd float %r, %z
  ret float %s
}
declare float @msci.simd.sum.f32(float) convergent
