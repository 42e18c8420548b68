define void @f(ptr %p, ptr %q) {
  %1 = load i64, ptr %p, align 8
  %2 = getelementptr i8, ptr %p, i64 8
  %3 = load i64, ptr %2, align 8
  %4 = load i64, ptr %q, align 8
  %5 = getelementptr i8, ptr %q, i64 8
  %6 = load i64, ptr %5, align 8
  %7 = add i64 %1, %4
  %8 = icmp ult i64 %7, %1
  %9 = zext i1 %8 to i64
  %10 = add i64 %3, %6
  %11 = icmp ult i64 %10, %3
  %12 = add i64 %10, %9
  %13 = icmp ult i64 %12, %10
  %14 = or i1 %11, %13
  %15 = zext i1 %14 to i64
  %16 = sub i64 %7, 1
  %17 = icmp ult i64 %7, 1
  %18 = zext i1 %17 to i64
  %19 = sub i64 %12, %18
  %20 = icmp ult i64 %12, %18
  %21 = zext i1 %20 to i64
  store i64 %16, ptr %p, align 8
  %22 = getelementptr i8, ptr %p, i64 8
  store i64 %19, ptr %22, align 8
  ret void
}
