define void @f(ptr %p, ptr %q) {
  %1 = load i64, ptr %p, align 4
  %2 = getelementptr i8, ptr %p, i64 8
  %3 = load i32, ptr %2, align 4
  %4 = zext i32 %3 to i64
  store i64 %1, ptr %q, align 4
  %5 = getelementptr i8, ptr %q, i64 8
  store i32 %3, ptr %5, align 4
  ret void
}
