declare float @msci.simd.sum.f32(float) convergent

; All threads take the same way.
define void @f(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %s = call float @msci.simd.sum.f32(float 1.0)
  store float %s, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %head, label %end

end:
  ret void
}
