// Z-order: bit b of x, y and z is bit 3b, 3b + 1 and 3b + 2 of the index.
FUNCTION uint3 decode(uint index, uint logN) {
  uint3 cell = make_uint3(0);
  for (uint b = 0; b < logN; ++b) {
    cell.x |= ((index >> (3 * b)) & 1) << b;
    cell.y |= ((index >> (3 * b + 1)) & 1) << b;
    cell.z |= ((index >> (3 * b + 2)) & 1) << b;
  }
  return cell;
}

FUNCTION uint encode(uint x, uint y, uint z, uint logN) {
  uint index = 0;
  for (uint b = 0; b < logN; ++b) {
    index |= ((x >> b) & 1) << (3 * b);
    index |= ((y >> b) & 1) << (3 * b + 1);
    index |= ((z >> b) & 1) << (3 * b + 2);
  }
  return index;
}

// One step of the heat equation over a field in Z-order, one cell a thread; the faces keep their
// values.
__kernel void morton_stencil(BUFFER(u_in), BUFFER(u_out), BUFFER(N), BUFFER(logN), BUFFER(alpha),
                             HOST) {
  ARRAY(const float, u_in);
  ARRAY(float, u_out);
  VALUE(uint, N);
  VALUE(uint, logN);
  VALUE(float, alpha);
  const uint at = get_global_id(0);
  if (at >= N * N * N) return;

  const uint3 cell = decode(at, logN);
  const float c = u_in[at];
  if (cell.x == 0 || cell.y == 0 || cell.z == 0 || cell.x == N - 1 || cell.y == N - 1 ||
      cell.z == N - 1) {
    u_out[at] = c;
    return;
  }
  const float around = u_in[encode(cell.x - 1, cell.y, cell.z, logN)] +
                       u_in[encode(cell.x + 1, cell.y, cell.z, logN)] +
                       u_in[encode(cell.x, cell.y - 1, cell.z, logN)] +
                       u_in[encode(cell.x, cell.y + 1, cell.z, logN)] +
                       u_in[encode(cell.x, cell.y, cell.z - 1, logN)] +
                       u_in[encode(cell.x, cell.y, cell.z + 1, logN)];
  u_out[at] = c + alpha * (around - 6.0f * c);
}
