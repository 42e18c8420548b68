%texture = type { { ptr addrspace(1) } }
%material = type { %texture, i64, float }

; A texture is copied as the pointer that it is.
define void @whole(ptr addrspace(4) %from) {
  %own = alloca %texture
  %generic = addrspacecast ptr %own to ptr addrspace(4)
  call void @llvm.memcpy.p4.p4.i64(ptr addrspace(4) align 8 %generic, ptr addrspace(4) align 8 %from, i64 8, i1 false)
  ret void
}

; So is a member, and an element of an array.
define void @parts(ptr addrspace(1) %table, i64 %i, ptr %to) {
  %member = getelementptr inbounds %material, ptr addrspace(1) %table, i64 %i, i32 0
  call void @llvm.memcpy.p0.p1.i64(ptr align 8 %to, ptr addrspace(1) align 8 %member, i64 8, i1 false)
  %element = getelementptr inbounds [3 x %texture], ptr %to, i64 0, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %element, ptr align 8 %to, i64 8, i1 false)
  ret void
}

; A sampler, which is a number, and what is more than a pointer stay.
define void @others(ptr addrspace(1) %table, ptr byval(%material) %to) {
  %sampler = getelementptr inbounds %material, ptr addrspace(1) %table, i64 0, i32 1
  %own = alloca i64
  call void @llvm.memcpy.p0.p1.i64(ptr align 8 %own, ptr addrspace(1) align 8 %sampler, i64 8, i1 false)
  call void @llvm.memcpy.p0.p1.i64(ptr align 8 %to, ptr addrspace(1) align 8 %table, i64 24, i1 false)
  ret void
}
