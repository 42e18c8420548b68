define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = load float, ptr addrspace(1) %p, align 4
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %b = load float, ptr addrspace(1) %p1, align 4
  %s = fadd float %a, %b
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 8
  %c = load float, ptr addrspace(1) %p2, align 4
  store float %s, ptr addrspace(1) %q, align 4
  %t = fadd float %s, %c
  store float %t, ptr addrspace(1) %q, align 4
  ret void
}
