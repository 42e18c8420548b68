define <2 x float> @f(float %a, float %b) {
  %1 = fmul float %a, %b
  %r.i0 = fadd float %1, %1
  %r.i1 = fadd float %1, %1
  %r.upto0 = insertelement <2 x float> poison, float %r.i0, i64 0
  %r = insertelement <2 x float> %r.upto0, float %r.i1, i64 1
  ret <2 x float> %r
}
