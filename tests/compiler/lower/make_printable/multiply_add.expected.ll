define float @f(float %a, float %b, float %c) {
  %1 = call contract float @llvm.fmuladd.f32(float %a, float %b, float %c)
  ret float %1
}
define float @exact(float %a, float %b, float %c) {
  %p = fmul float %a, %b
  %s = fadd float %p, %c
  ret float %s
}
define float @used_twice(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  %r = fdiv float %s, %p
  ret float %r
}
