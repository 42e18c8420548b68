// Nothing recovers from a crash here: the host of the module ends it. A jump back is never taken.
#pragma once

typedef int jmp_buf[1];
typedef int sigjmp_buf[1];
#define setjmp(place) ((void)(place), 0)
#define sigsetjmp(place, mask) ((void)(place), 0)
#define longjmp(place, value) __builtin_trap()
#define siglongjmp(place, value) __builtin_trap()
