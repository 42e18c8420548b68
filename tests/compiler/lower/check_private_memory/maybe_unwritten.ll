; The variable is read after a branch that may not have written it.
define i32 @f(i1 %c) {
entry:
  %x = alloca i32
  br i1 %c, label %then, label %end

then:
  store i32 1, ptr %x
  br label %end

end:
  %r = load i32, ptr %x
  ret i32 %r
}

; Always written: no check.
define i32 @g() {
  %x = alloca i32
  store i32 1, ptr %x
  %r = load i32, ptr %x
  ret i32 %r
}
