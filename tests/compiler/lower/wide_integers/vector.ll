define <4 x i32> @f(<4 x i32> %v) {
  %w = bitcast <4 x i32> %v to i128
  %s = shl i128 %w, 32
  %r = bitcast i128 %s to <4 x i32>
  ret <4 x i32> %r
}
