define void @f(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call spir_func i64 @get_local_id(i32 0)
  %t = trunc i64 %id to i32
  br label %head

head:                                             ; preds = %latch, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = icmp ult i32 %t, %i
  br i1 %odd, label %sum, label %latch

sum:                                              ; preds = %head
  %s = call float @msci.simd.sum.f32(float 1.000000e+00)
  store float %s, ptr addrspace(1) %p, align 4
  br label %latch

latch:                                            ; preds = %sum, %head
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  call void @msci.barrier.simdgroup(i32 0) #0
  br i1 %more, label %head, label %end

end:                                              ; preds = %latch
  ret void
}
