define void @whole(ptr addrspace(4) %from) {
  %own = alloca %texture, align 8
  %generic = addrspacecast ptr %own to ptr addrspace(4)
  %1 = load ptr addrspace(1), ptr addrspace(4) %from, align 8
  store ptr addrspace(1) %1, ptr addrspace(4) %generic, align 8
  ret void
}
define void @parts(ptr addrspace(1) %table, i64 %i, ptr %to) {
  %member = getelementptr inbounds %material, ptr addrspace(1) %table, i64 %i, i32 0
  %1 = load ptr addrspace(1), ptr addrspace(1) %member, align 8
  store ptr addrspace(1) %1, ptr %to, align 8
  %element = getelementptr inbounds [3 x %texture], ptr %to, i64 0, i64 %i
  %2 = load ptr addrspace(1), ptr %to, align 8
  store ptr addrspace(1) %2, ptr %element, align 8
  ret void
}
define void @others(ptr addrspace(1) %table, ptr byval(%material) %to) {
  %sampler = getelementptr inbounds %material, ptr addrspace(1) %table, i64 0, i32 1
  %own = alloca i64, align 8
  call void @llvm.memcpy.p0.p1.i64(ptr align 8 %own, ptr addrspace(1) align 8 %sampler, i64 8, i1 false)
  call void @llvm.memcpy.p0.p1.i64(ptr align 8 %to, ptr addrspace(1) align 8 %table, i64 24, i1 false)
  ret void
}
