#include "base/keyed_random.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <span>

#include "base/for_each_processor.h"

namespace msci {
namespace {

// Inlined into each form of hash_numbers(), so that it becomes vectors.
struct SipState {
  [[gnu::always_inline]] void absorb(std::uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }

  [[gnu::always_inline]] std::uint64_t finish() {
    v2 ^= 0xff;
    for (int i = 0; i < 4; ++i) round();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  [[gnu::always_inline]] void round() {
    v0 += v1;
    v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = std::rotl(v1, 17) ^ v2;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }

  Key key;
  std::uint64_t v0 = key.low ^ 0x736f6d6570736575;
  std::uint64_t v1 = key.high ^ 0x646f72616e646f6d;
  std::uint64_t v2 = key.low ^ 0x6c7967656e657261;
  std::uint64_t v3 = key.high ^ 0x7465646279746573;
};

// The hashes of the eight bytes of each number from `first` on.
MSCI_FOR_EACH_PROCESSOR
void hash_numbers(Key key, std::uint64_t first, std::span<std::uint64_t> hashes) {
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    SipState state{key};
    state.absorb(first + i);
    state.absorb(std::uint64_t{sizeof first} << 56);
    hashes[i] = state.finish();
  }
}

}  // namespace

std::uint64_t keyed_hash(Key key, std::string_view message) {
  SipState state{key};
  const std::uint64_t length = message.size();
  for (; message.size() >= 8; message.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, message.data(), 8);
    state.absorb(word);
  }
  std::uint64_t last = 0;
  std::memcpy(&last, message.data(), message.size());
  state.absorb(last | length << 56);
  return state.finish();
}

Key key_of(std::uint64_t nonce, std::string_view size_label, unsigned repeat) {
  const Key run{nonce, 0};
  return {keyed_hash(run, fmt::format("{}/{}/low", size_label, repeat)),
          keyed_hash(run, fmt::format("{}/{}/high", size_label, repeat))};
}

std::uint64_t fresh_nonce() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

void KeyedRandom::draw_ahead() {
  drawn_ = std::clamp(2 * drawn_, least_ahead, ahead_.size());
  hash_numbers(key_, count_, std::span(ahead_).first(drawn_));
  count_ += drawn_;
  used_ = 0;
}

}  // namespace msci
