define void @f(ptr addrspace(1) %p, i32 %x) {
  %1 = call i32 @msci.simd.shuffle.u32(i32 1, i32 3) #0
  %2 = icmp eq i32 %1, 0
  %3 = sub i32 %1, 1
  %4 = select i1 %2, i32 1, i32 %3
  %s = call i32 @msci.simd.shuffle.u32(i32 %x, i32 3)
  call void @msci.check.used(i32 %4, i32 0) #2
  store i32 %s, ptr addrspace(1) %p, align 4
  ret void
}
