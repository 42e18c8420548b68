define i1 @f(<2 x i32> %v) {
  %v.i1 = extractelement <2 x i32> %v, i64 1
  %1 = lshr i32 %v.i1, 5
  %2 = trunc i32 %1 to i1
  ret i1 %2
}
