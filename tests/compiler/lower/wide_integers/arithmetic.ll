define void @f(ptr %p, ptr %q) {
  %a = load i128, ptr %p, align 8
  %b = load i128, ptr %q, align 8
  %s = add i128 %a, %b
  %d = sub i128 %s, 1
  store i128 %d, ptr %p, align 8
  ret void
}
