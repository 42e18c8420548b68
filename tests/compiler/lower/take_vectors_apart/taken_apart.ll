; OpenCL C has no vector of five elements.
define float @f(ptr addrspace(1) %p) {
  %a = load <5 x float>, ptr addrspace(1) %p, align 4
  %s = fadd <5 x float> %a, %a
  %x = extractelement <5 x float> %s, i64 4
  ret float %x
}
