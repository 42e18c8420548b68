declare float @msci.simd.sum.f32(float) convergent

; The second sum does not need the first; the third does.
define float @f(float %a, float %b) {
  %x = call float @msci.simd.sum.f32(float %a)
  %c = fmul float %b, 2.0
  %d = fadd float %c, %a
  %y = call float @msci.simd.sum.f32(float %d)
  %e = fadd float %x, %y
  %z = call float @msci.simd.sum.f32(float %e)
  ret float %z
}
