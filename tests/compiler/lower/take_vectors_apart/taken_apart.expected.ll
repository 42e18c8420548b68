define float @f(ptr addrspace(1) %p) {
  %a = load <5 x float>, ptr addrspace(1) %p, align 4
  %a.i4 = extractelement <5 x float> %a, i64 4
  %s.i4 = fadd float %a.i4, %a.i4
  ret float %s.i4
}
