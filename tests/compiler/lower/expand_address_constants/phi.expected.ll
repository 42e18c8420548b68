@tile = internal addrspace(3) global [4 x float] undef
define i64 @f(i1 %c, i64 %x) {
  br i1 %c, label %a, label %b

a:                                                ; preds = %0
  %1 = ptrtoint ptr addrspace(3) @tile to i64
  br label %b

b:                                                ; preds = %a, %0
  %offset = phi i64 [ 0, %0 ], [ %1, %a ]
  %2 = ptrtoint ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 8) to i64
  %3 = sub i64 %2, 4
  %sum = add i64 %x, %3
  %r = add i64 %offset, %sum
  ret i64 %r
}
