#include "base/keyed_random.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <random>

namespace msci {
namespace {

class SipState {
 public:
  explicit SipState(Key key)
      : v0_(key.low ^ 0x736f6d6570736575),
        v1_(key.high ^ 0x646f72616e646f6d),
        v2_(key.low ^ 0x6c7967656e657261),
        v3_(key.high ^ 0x7465646279746573) {}

  void absorb(std::uint64_t word) {
    v3_ ^= word;
    round();
    round();
    v0_ ^= word;
  }

  std::uint64_t finish() {
    v2_ ^= 0xff;
    for (int i = 0; i < 4; ++i) round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void round() {
    v0_ += v1_;
    v2_ += v3_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v1_;
    v0_ += v3_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_, v1_, v2_, v3_;
};

}  // namespace

std::uint64_t keyed_hash(Key key, std::string_view message) {
  SipState state(key);
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

// The hash of the number's eight bytes.
std::uint64_t KeyedRandom::next() {
  constexpr std::uint64_t bytes = sizeof count_;
  SipState state(key_);
  state.absorb(count_++);
  state.absorb(bytes << 56);
  return state.finish();
}

unsigned KeyedRandom::between(unsigned low, unsigned high) {
  return low + static_cast<unsigned>(next() % (std::uint64_t{high} - low + 1));
}

double KeyedRandom::uniform(double low, double high) {
  return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
}

}  // namespace msci
