define internal void @k(ptr addrspace(6) dereferenceable(8) %a, i32 %grid) {
  ret void
}
define internal i32 @helper(i32 %x) {
  ret i32 %x
}
; Function Attrs: convergent nounwind
define void @msci_k(ptr addrspace(1) noalias "msci.reference_bytes"="8" %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7) #0 {
entry:
  %8 = getelementptr i8, ptr addrspace(1) %0, i64 %1
  %9 = addrspacecast ptr addrspace(1) %8 to ptr addrspace(6)
  call void @k(ptr addrspace(6) %9, i32 %2)
  ret void
}
