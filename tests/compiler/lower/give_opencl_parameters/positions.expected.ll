define internal void @k(ptr addrspace(1) %a, ptr addrspace(3) %s, <3 x i32> %position, i32 %index) {
  ret void
}
; Function Attrs: convergent nounwind
define void @msci_k(ptr addrspace(1) %0, i64 %1, ptr addrspace(3) %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7, i32 %8) #0 {
entry:
  %9 = getelementptr i8, ptr addrspace(1) %0, i64 %1
  %10 = call i64 @get_global_id(i32 0)
  %11 = trunc i64 %10 to i32
  %12 = insertelement <3 x i32> poison, i32 %11, i64 0
  %13 = call i64 @get_global_id(i32 1)
  %14 = trunc i64 %13 to i32
  %15 = insertelement <3 x i32> %12, i32 %14, i64 1
  %16 = call i64 @get_global_id(i32 2)
  %17 = trunc i64 %16 to i32
  %18 = insertelement <3 x i32> %15, i32 %17, i64 2
  %19 = call i64 @get_local_id(i32 2)
  %20 = trunc i64 %19 to i32
  %21 = call i64 @get_local_size(i32 1)
  %22 = trunc i64 %21 to i32
  %23 = mul i32 %20, %22
  %24 = call i64 @get_local_id(i32 1)
  %25 = trunc i64 %24 to i32
  %26 = add i32 %23, %25
  %27 = call i64 @get_local_size(i32 0)
  %28 = trunc i64 %27 to i32
  %29 = mul i32 %26, %28
  %30 = call i64 @get_local_id(i32 0)
  %31 = trunc i64 %30 to i32
  %32 = add i32 %29, %31
  call void @k(ptr addrspace(1) %9, ptr addrspace(3) %2, <3 x i32> %18, i32 %32)
  ret void
}
