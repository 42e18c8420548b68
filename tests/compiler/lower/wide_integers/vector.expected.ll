define <4 x i32> @f(<4 x i32> %v) {
  %1 = extractelement <4 x i32> %v, i64 0
  %2 = zext i32 %1 to i64
  %3 = extractelement <4 x i32> %v, i64 1
  %4 = zext i32 %3 to i64
  %5 = shl i64 %4, 32
  %6 = or i64 %2, %5
  %7 = extractelement <4 x i32> %v, i64 2
  %8 = zext i32 %7 to i64
  %9 = extractelement <4 x i32> %v, i64 3
  %10 = zext i32 %9 to i64
  %11 = shl i64 %10, 32
  %12 = or i64 %8, %11
  %13 = shl i64 %6, 32
  %14 = lshr i64 %6, 1
  %15 = lshr i64 %14, 31
  %16 = shl i64 %12, 32
  %17 = or i64 %16, %15
  %18 = trunc i64 %13 to i32
  %19 = insertelement <4 x i32> poison, i32 %18, i64 0
  %20 = lshr i64 %13, 32
  %21 = trunc i64 %20 to i32
  %22 = insertelement <4 x i32> %19, i32 %21, i64 1
  %23 = trunc i64 %17 to i32
  %24 = insertelement <4 x i32> %22, i32 %23, i64 2
  %25 = lshr i64 %17, 32
  %26 = trunc i64 %25 to i32
  %27 = insertelement <4 x i32> %24, i32 %26, i64 3
  ret <4 x i32> %27
}
