; One element each is multiplied as a number.
define <2 x float> @f(float %a, float %b) {
  %x = insertelement <2 x float> poison, float %a, i64 0
  %y = insertelement <2 x float> poison, float %b, i64 0
  %p = fmul <2 x float> %x, %y
  %all = shufflevector <2 x float> %p, <2 x float> poison, <2 x i32> zeroinitializer
  %r = fadd <2 x float> %all, %all
  ret <2 x float> %r
}
