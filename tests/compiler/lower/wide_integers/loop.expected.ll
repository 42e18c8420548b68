define i1 @f(i64 %n, i1 %c) {
entry:
  br label %body

body:                                             ; preds = %body, %entry
  %0 = phi i64 [ 1, %entry ], [ %7, %body ]
  %1 = phi i64 [ 0, %entry ], [ %8, %body ]
  %2 = shl i64 %0, 3
  %3 = lshr i64 %0, 1
  %4 = lshr i64 %3, 60
  %5 = shl i64 %1, 3
  %6 = or i64 %5, %4
  %7 = select i1 %c, i64 %2, i64 %0
  %8 = select i1 %c, i64 %6, i64 %1
  %9 = icmp eq i64 %7, 0
  %10 = icmp ult i64 %8, 2
  %11 = icmp eq i64 %8, 2
  br i1 %10, label %body, label %end

end:                                              ; preds = %body
  %12 = icmp eq i64 -1, %7
  %13 = icmp slt i64 -1, %8
  %14 = icmp eq i64 -1, %8
  ret i1 %13
}
