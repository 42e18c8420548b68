define void @k(ptr addrspace(1) "msci.reference_bytes"="8" %arg, i64 %offset, ptr addrspace(1) %out, i1 %c) {
entry:
  %0 = getelementptr i8, ptr addrspace(1) %arg, i64 %offset
  %1 = getelementptr i8, ptr addrspace(1) %0, i64 4
  %2 = load i32, ptr addrspace(1) %1, align 4
  %p = getelementptr i8, ptr addrspace(1) %arg, i64 %offset
  br i1 %c, label %then, label %end

then:                                             ; preds = %entry
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  store i32 %2, ptr addrspace(1) %out, align 4
  %r = getelementptr i8, ptr addrspace(1) %p, i64 8
  %z = load i32, ptr addrspace(1) %r, align 4
  %s = add i32 %2, %z
  store i32 %s, ptr addrspace(1) %out, align 4
  br label %end

end:                                              ; preds = %then, %entry
  ret void
}
