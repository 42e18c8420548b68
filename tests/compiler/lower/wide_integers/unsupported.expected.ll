define float @f(i64 %a) {
  %w = zext i64 %a to i128
  %s = shl i128 %w, 7
  %r = uitofp i128 %s to float
  ret float %r
}
