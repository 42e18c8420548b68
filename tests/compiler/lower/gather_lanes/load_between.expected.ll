define float @f(ptr addrspace(1) %p, float %a) {
  %x = call float @msci.simd.sum.f32(float %a)
  %b = load float, ptr addrspace(1) %p, align 4
  %y = call float @msci.simd.sum.f32(float %b)
  %r = fadd float %x, %y
  ret float %r
}
