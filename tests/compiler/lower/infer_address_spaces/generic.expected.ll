define void @f(ptr addrspace(1) %p, i64 %i) {
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %x = load volatile i32, ptr addrspace(1) %q, align 4
  store i32 %x, ptr addrspace(1) %p, align 4
  ret void
}
define void @mixed(ptr addrspace(1) %p, ptr addrspace(3) %s, i1 %c) {
  %a = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %b = addrspacecast ptr addrspace(3) %s to ptr addrspace(4)
  %q = select i1 %c, ptr addrspace(4) %a, ptr addrspace(4) %b
  store i32 1, ptr addrspace(4) %q, align 4
  ret void
}
