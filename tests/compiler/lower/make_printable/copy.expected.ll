define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  br label %static-memcpy-expansion-main-body

static-memcpy-expansion-main-body:                ; preds = %static-memcpy-expansion-main-body, %0
  %loop-index = phi i64 [ 0, %0 ], [ %4, %static-memcpy-expansion-main-body ]
  %1 = getelementptr inbounds i8, ptr addrspace(1) %q, i64 %loop-index
  %2 = load i8, ptr addrspace(1) %1, align 1
  %3 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %loop-index
  store i8 %2, ptr addrspace(1) %3, align 1
  %4 = add i64 %loop-index, 1
  %5 = icmp ult i64 %4, 24
  br i1 %5, label %static-memcpy-expansion-main-body, label %static-memcpy-post-expansion

static-memcpy-post-expansion:                     ; preds = %static-memcpy-expansion-main-body
  ret void
}
