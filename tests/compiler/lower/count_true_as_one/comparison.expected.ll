define <4 x i32> @f(<4 x float> %a, <4 x float> %b) {
  %c = fcmp olt <4 x float> %a, %b
  %1 = zext <4 x i1> %c to <4 x i32>
  %w = sext <4 x i1> %c to <4 x i32>
  ret <4 x i32> %1
}
define <4 x i1> @choice(<4 x float> %a, <4 x float> %b) {
  %c = fcmp olt <4 x float> %a, %b
  %1 = zext <4 x i1> %c to <4 x i32>
  %w = sext <4 x i1> %c to <4 x i32>
  %s = icmp slt <4 x i32> %w, zeroinitializer
  ret <4 x i1> %s
}
define i32 @scalar(i1 %c) {
  %w = sext i1 %c to i32
  ret i32 %w
}
