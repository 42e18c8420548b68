define void @f(ptr addrspace(1) %p) {
  %a = load <4 x float>, ptr addrspace(1) %p, align 16
  %s = fadd <4 x float> %a, %a
  store <4 x float> %s, ptr addrspace(1) %p, align 16
  ret void
}
