define void @f(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %head

head:                                             ; preds = %head, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %s = call float @msci.simd.sum.f32(float 1.000000e+00)
  store float %s, ptr addrspace(1) %p, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %head, label %end

end:                                              ; preds = %head
  ret void
}
