; A load from a reference of 8 bytes moves to the kernel's start, equal loads become one, and a load
; beyond the 8 bytes stays.
define void @k(ptr addrspace(1) "msci.reference_bytes"="8" %arg, i64 %offset, ptr addrspace(1) %out, i1 %c) {
entry:
  %p = getelementptr i8, ptr addrspace(1) %arg, i64 %offset
  br i1 %c, label %then, label %end

then:
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %x = load i32, ptr addrspace(1) %q
  store i32 %x, ptr addrspace(1) %out
  %y = load i32, ptr addrspace(1) %q
  %r = getelementptr i8, ptr addrspace(1) %p, i64 8
  %z = load i32, ptr addrspace(1) %r
  %s = add i32 %y, %z
  store i32 %s, ptr addrspace(1) %out
  br label %end

end:
  ret void
}
