FUNCTION uint scramble(uint x) {
  x ^= x >> 16;
  x *= 0x85EBCA6Bu;
  x ^= x >> 13;
  x *= 0xC2B2AE35u;
  x ^= x >> 16;
  return x;
}

// One pass over the sites of one colour, one site a thread; threads of the other colour leave at
// once.
__kernel void ising_step(BUFFER(spins), BUFFER(p_accept), BUFFER(NX), BUFFER(NY), BUFFER(step_idx),
                         BUFFER(seed), HOST) {
  ARRAY(char, spins);
  ARRAY(const float, p_accept);
  VALUE(uint, NX);
  VALUE(uint, NY);
  VALUE(uint, step_idx);
  VALUE(uint, seed);
  const uint i = get_global_id(0);
  const uint j = get_global_id(1);
  if (i >= NX || j >= NY) return;
  if (((i + j) & 1) != (step_idx & 1)) return;

  const uint left = i == 0 ? NX - 1 : i - 1;
  const uint right = i == NX - 1 ? 0 : i + 1;
  const uint below = j == 0 ? NY - 1 : j - 1;
  const uint above = j == NY - 1 ? 0 : j + 1;
  const int h = spins[j * NX + left] + spins[j * NX + right] + spins[below * NX + i] +
                spins[above * NX + i];

  const uint site = j * NX + i;
  const int s = spins[site];
  const uint x = scramble(scramble(seed + step_idx * 0x9E3779B9u) ^ site);
  const float u = (float)(x >> 8) * (1.0f / 16777216.0f);
  if (u < p_accept[(s * h + 4) / 2]) spins[site] = (char)-s;
}
