#define ADD 0
