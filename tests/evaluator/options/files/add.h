#define ADD 1
