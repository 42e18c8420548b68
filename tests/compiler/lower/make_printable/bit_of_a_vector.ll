define i1 @f(<2 x i32> %v) {
  %bits = bitcast <2 x i32> %v to <64 x i1>
  %b = extractelement <64 x i1> %bits, i64 37
  ret i1 %b
}
