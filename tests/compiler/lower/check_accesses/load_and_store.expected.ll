define void @k(ptr addrspace(1) %arg, i64 %offset, i32 %gx, i32 %gy, i32 %gz, i32 %tx, i32 %ty, i32 %tz) {
  %p = getelementptr i8, ptr addrspace(1) %arg, i64 %offset
  %1 = ptrtoint ptr addrspace(1) %p to i64
  %2 = ptrtoint ptr addrspace(1) %arg to i64
  %3 = sub i64 %1, %2
  %4 = call i64 @msci.check.read.device(i64 %3, i32 4, i32 4, i32 0, i32 0, i1 false, i32 0) #1
  %5 = getelementptr i8, ptr addrspace(1) %arg, i64 %4
  %x = load i32, ptr addrspace(1) %5, align 4
  %y = add i32 %x, 1
  %6 = ptrtoint ptr addrspace(1) %p to i64
  %7 = ptrtoint ptr addrspace(1) %arg to i64
  %8 = sub i64 %6, %7
  %9 = getelementptr i8, ptr addrspace(1) %arg, i64 %4
  %10 = load i32, ptr addrspace(1) %9, align 4
  %11 = icmp eq i32 %10, %y
  call void @msci.check.write.device.i32(i64 %4, i32 4, i32 0, i32 0, i32 1, i1 %11, i32 %y) #1
  store i32 %y, ptr addrspace(1) %9, align 4
  ret void
}
