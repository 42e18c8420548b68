; A load moves down to its first use, but not across the store.
define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 8
  %a = load float, ptr addrspace(1) %p
  %b = load float, ptr addrspace(1) %p1
  %c = load float, ptr addrspace(1) %p2
  %s = fadd float %a, %b
  store float %s, ptr addrspace(1) %q
  %t = fadd float %s, %c
  store float %t, ptr addrspace(1) %q
  ret void
}
