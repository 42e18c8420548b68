// LLVM asks whether a file system is local. WASI does not say.
#pragma once
#include_next <sys/statvfs.h>

#define f_flags f_flag
#define MNT_LOCAL 0
