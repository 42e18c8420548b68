#pragma once
#include_next <limits.h>

#ifndef PIPE_BUF
#define PIPE_BUF 4096
#endif
