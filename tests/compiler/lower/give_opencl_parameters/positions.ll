; parameters: buffer threadgroup thread_position_in_grid thread_index_in_threadgroup
define void @k(ptr addrspace(1) %a, ptr addrspace(3) %s, <3 x i32> %position, i32 %index) {
  ret void
}
