; parameters: buffer threads_per_grid
define void @k(ptr addrspace(6) dereferenceable(8) %a, i32 %grid) {
  ret void
}

define i32 @helper(i32 %x) {
  ret i32 %x
}
