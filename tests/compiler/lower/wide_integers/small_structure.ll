; 96 bits take a word and half of one.
define void @f(ptr %p, ptr %q) {
  %a = load i96, ptr %p, align 4
  store i96 %a, ptr %q, align 4
  ret void
}
