#pragma once
#include_next <stdlib.h>

#ifdef __cplusplus
extern "C"
#endif
    int mkostemp(char* path, int flags);
