; parameters: buffer
define void @k(ptr addrspace(1) %arg, i64 %offset, i32 %gx, i32 %gy, i32 %gz, i32 %tx, i32 %ty, i32 %tz) {
  %p = getelementptr i8, ptr addrspace(1) %arg, i64 %offset
  %x = load i32, ptr addrspace(1) %p
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(1) %p
  ret void
}
