@tile = internal addrspace(3) global [4 x float] undef

define i64 @f(i1 %c, i64 %x) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %offset = phi i64 [ 0, %0 ], [ ptrtoint (ptr addrspace(3) @tile to i64), %a ]
  %sum = add i64 %x, sub (i64 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 8) to i64), i64 4)
  %r = add i64 %offset, %sum
  ret i64 %r
}
