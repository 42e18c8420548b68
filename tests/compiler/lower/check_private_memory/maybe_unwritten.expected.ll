define i32 @f(i1 %c) {
entry:
  br i1 %c, label %then, label %end

then:                                             ; preds = %entry
  br label %end

end:                                              ; preds = %then, %entry
  %.0 = phi i1 [ true, %then ], [ false, %entry ]
  %0 = freeze i32 1
  %1 = call i32 @msci.check.private.i32(i32 %0, i1 %.0, i32 0) #1
  ret i32 %1
}
define i32 @g() {
  ret i32 1
}
