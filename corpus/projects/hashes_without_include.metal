// In the manner of generated kernels that a runtime compiles from a string: functions of the library, no include.
kernel void hash_words(device const metal::uint4* words [[buffer(0)]], device metal::uint4* hashes [[buffer(1)]],
                       constant uint& count [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  metal::uint4 state = words[i] ^ metal::uint4(0x9e3779b9u);
  for (uint round = 0; round < 4; ++round) {
    state += metal::rotate(state.yzwx, metal::uint4(7, 11, 13, 17));
    state ^= metal::popcount(state.wxyz) << (round * 8);
  }
  hashes[i] = metal::select(state, metal::clz(state), state > 0x80000000u);
}
