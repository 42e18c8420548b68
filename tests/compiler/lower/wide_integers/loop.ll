define i1 @f(i64 %n, i1 %c) {
entry:
  br label %body

body:
  %x = phi i128 [ 1, %entry ], [ %next, %body ]
  %shifted = shl i128 %x, 3
  %next = select i1 %c, i128 %shifted, i128 %x
  %more = icmp ult i128 %next, 36893488147419103232
  br i1 %more, label %body, label %end

end:
  %r = icmp sgt i128 %next, -1
  ret i1 %r
}
