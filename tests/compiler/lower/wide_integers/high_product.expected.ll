define i64 @f(i64 %a, i64 %b) {
  %1 = mul i64 %a, %b
  %2 = call i64 @msci.math.mul_hi.u64(i64 %a, i64 %b)
  ret i64 %2
}
