// The words that options, requests and results share.
#include <gtest/gtest.h>

#include "base/judging/nonce.h"
#include "base/judging/timing_protocol.h"

namespace msci {
namespace {

TEST(Nonces, are_one_to_sixteen_hexadecimal_digits) {
  for (const auto* text : {"0", "c0ffee", "C0FFEE", "0123456789abcdef"})
    EXPECT_TRUE(is_nonce(text));
  for (const auto* text : {"", "g", "0x1", "-1", " 1", "0123456789abcdef0"})
    EXPECT_FALSE(is_nonce(text)) << text;
  EXPECT_EQ(nonce_from("c0ffee"), 0xc0ffeeu);
  EXPECT_EQ(nonce_from(hexadecimal(0xfedcba9876543210u)), 0xfedcba9876543210u);
  EXPECT_EQ(hexadecimal(1), "0000000000000001");
}

TEST(TimingProtocols, are_found_by_their_names) {
  EXPECT_EQ(timing_protocol_names(),
            (std::vector<std::string>{"steady", "metal-sci", "benchmark"}));
  for (const auto& name : timing_protocol_names())
    EXPECT_EQ(to_string(timing_protocol_of(name).value()), name);
  EXPECT_FALSE(timing_protocol_of("Steady"));
  EXPECT_FALSE(timing_protocol_of(""));
}

}  // namespace
}  // namespace msci
