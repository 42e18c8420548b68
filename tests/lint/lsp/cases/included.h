#pragma once
struct Shared { float shared_mass; };
inline float shared_half(float x) { return x / 2; }
#define SHARED_HALF(x) shared_half(x)
inline float plain(float x) { return x; }
