@table = internal addrspace(2) constant [2 x i32] [i32 1, i32 2]
define i32 @f(ptr addrspace(6) %buffer) {
  %a = load i32, ptr addrspace(6) addrspacecast (ptr addrspace(2) @table to ptr addrspace(6)), align 4, !invariant.load !0
  %b = load i32, ptr addrspace(6) %buffer, align 4, !invariant.load !0
  %s = add i32 %a, %b
  ret i32 %s
}
define void @g(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  ret void
}
