@table = addrspace(6) constant [2 x i32] [i32 1, i32 2]

; The table moves to OpenCL's constant space; the load does not change while the kernel runs.
define i32 @f(ptr addrspace(6) %buffer) {
  %a = load i32, ptr addrspace(6) @table
  %b = load i32, ptr addrspace(6) %buffer
  %s = add i32 %a, %b
  ret i32 %s
}

; An atomic access is not volatile.
define void @g(ptr addrspace(1) %p) {
  %old = atomicrmw volatile add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}
