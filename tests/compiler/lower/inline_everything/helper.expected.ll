define void @kernel(ptr addrspace(1) %p) {
  store i32 9, ptr addrspace(1) %p, align 4
  ret void
}
