; Nine reads of one value share its post.
define i32 @f(i32 %a) {
  %r0 = call i32 @msci.simd.shuffle.u32(i32 %a, i32 0)
  %x1 = call i32 @msci.simd.shuffle.u32(i32 %a, i32 1)
  %r1 = add i32 %r0, %x1
  %x2 = call i32 @msci.simd.shuffle.u32(i32 %a, i32 2)
  %r2 = add i32 %r1, %x2
  %x3 = call i32 @msci.simd.shuffle.u32(i32 %a, i32 3)
  %r3 = add i32 %r2, %x3
  %x4 = call i32 @msci.simd.shuffle.u32(i32 %a, i32 4)
  %r4 = add i32 %r3, %x4
  %x5 = call i32 @msci.simd.shuffle.u32(i32 %a, i32 5)
  %r5 = add i32 %r4, %x5
  %x6 = call i32 @msci.simd.shuffle.u32(i32 %a, i32 6)
  %r6 = add i32 %r5, %x6
  %x7 = call i32 @msci.simd.shuffle.u32(i32 %a, i32 7)
  %r7 = add i32 %r6, %x7
  %x8 = call i32 @msci.simd.shuffle.u32(i32 %a, i32 8)
  %r8 = add i32 %r7, %x8
  ret i32 %r8
}

; A ninth value is posted later.
define i32 @g(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8) {
  %r0 = call i32 @msci.simd.shuffle.u32(i32 %a0, i32 0)
  %x1 = call i32 @msci.simd.shuffle.u32(i32 %a1, i32 0)
  %r1 = add i32 %r0, %x1
  %x2 = call i32 @msci.simd.shuffle.u32(i32 %a2, i32 0)
  %r2 = add i32 %r1, %x2
  %x3 = call i32 @msci.simd.shuffle.u32(i32 %a3, i32 0)
  %r3 = add i32 %r2, %x3
  %x4 = call i32 @msci.simd.shuffle.u32(i32 %a4, i32 0)
  %r4 = add i32 %r3, %x4
  %x5 = call i32 @msci.simd.shuffle.u32(i32 %a5, i32 0)
  %r5 = add i32 %r4, %x5
  %x6 = call i32 @msci.simd.shuffle.u32(i32 %a6, i32 0)
  %r6 = add i32 %r5, %x6
  %x7 = call i32 @msci.simd.shuffle.u32(i32 %a7, i32 0)
  %r7 = add i32 %r6, %x7
  %x8 = call i32 @msci.simd.shuffle.u32(i32 %a8, i32 0)
  %r8 = add i32 %r7, %x8
  ret i32 %r8
}
declare i32 @msci.simd.shuffle.u32(i32, i32) convergent
