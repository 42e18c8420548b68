define void @f(i1 %c) {
  call void @msci.check.hold(i1 %c, i32 7)
  ret void
}
