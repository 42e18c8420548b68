define float @f(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  ret float %s
}

; Without the flag both roundings stay.
define float @exact(float %a, float %b, float %c) {
  %p = fmul float %a, %b
  %s = fadd float %p, %c
  ret float %s
}

; A second use needs the product.
define float @used_twice(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  %r = fdiv float %s, %p
  ret float %r
}
