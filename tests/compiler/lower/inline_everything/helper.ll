define void @kernel(ptr addrspace(1) %p) {
  %x = call i32 @helper(i32 3)
  store i32 %x, ptr addrspace(1) %p
  ret void
}

define internal i32 @helper(i32 %x) noinline optnone {
  %y = mul i32 %x, %x
  ret i32 %y
}
