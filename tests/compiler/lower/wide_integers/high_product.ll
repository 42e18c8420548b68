; The upper half of a product of two 64-bit numbers is one call.
define i64 @f(i64 %a, i64 %b) {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %p = mul nuw i128 %x, %y
  %h = lshr i128 %p, 64
  %r = trunc nuw i128 %h to i64
  ret i64 %r
}
