// y = a x + y, one element a thread.
__kernel void saxpy(BUFFER(x), BUFFER(y), BUFFER(a), BUFFER(N), HOST) {
  ARRAY(const float, x);
  ARRAY(float, y);
  VALUE(float, a);
  VALUE(uint, N);
  const uint i = get_global_id(0);
  if (i >= N) return;
  y[i] = a * x[i] + y[i];
}
