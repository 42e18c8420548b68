declare spir_func i64 @get_local_id(i32)
declare float @msci.simd.sum.f32(float) convergent

; Threads take different ways to the sum, and meet before the next iteration.
define void @f(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call spir_func i64 @get_local_id(i32 0)
  %t = trunc i64 %id to i32
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = icmp ult i32 %t, %i
  br i1 %odd, label %sum, label %latch

sum:
  %s = call float @msci.simd.sum.f32(float 1.0)
  store float %s, ptr addrspace(1) %p
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %head, label %end

end:
  ret void
}
