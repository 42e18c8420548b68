declare i32 @msci.simd.shuffle.u32(i32, i32) convergent

define void @f(ptr addrspace(1) %p, i32 %x) {
  %s = call i32 @msci.simd.shuffle.u32(i32 %x, i32 3)
  store i32 %s, ptr addrspace(1) %p
  ret void
}
