; A generic pointer that comes from a buffer becomes a pointer to device memory.
define void @f(ptr addrspace(1) %p, i64 %i) {
  %g = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %q = getelementptr i32, ptr addrspace(4) %g, i64 %i
  %x = load volatile i32, ptr addrspace(4) %q
  store i32 %x, ptr addrspace(4) %g
  ret void
}

; Where two spaces meet it stays generic.
define void @mixed(ptr addrspace(1) %p, ptr addrspace(3) %s, i1 %c) {
  %a = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %b = addrspacecast ptr addrspace(3) %s to ptr addrspace(4)
  %q = select i1 %c, ptr addrspace(4) %a, ptr addrspace(4) %b
  store i32 1, ptr addrspace(4) %q
  ret void
}
