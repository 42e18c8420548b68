#include <gtest/gtest.h>

#include "evaluator/page/clients.h"

namespace msci {
namespace {

// Answers each request at once.
JudgeClient quick_client() {
  return JudgeClient({"sed", "-u", R"(s/.*"id":\([0-9]*\).*/{"id":\1,"done":true}/)"});
}

OrderedJson wait_for(JudgeClient& client, std::uint64_t ticket) {
  while (true) {
    const auto state = client.state(ticket);
    if (!state || state->contains("answer")) return state.value_or(OrderedJson());
    PollLoop loop;
    client.watch(loop);
    EXPECT_FALSE(loop.wait());
  }
}

TEST(JudgeClient, keeps_an_answer_until_it_is_cancelled) {
  auto client = quick_client();
  const auto ticket = client.ask({{"source", "x"}});
  ASSERT_TRUE(ticket);
  const OrderedJson answer{{"answer", {{"id", *ticket}, {"done", true}}}};
  EXPECT_EQ(wait_for(client, *ticket), answer);
  EXPECT_EQ(wait_for(client, *ticket), answer);
  client.cancel(*ticket);
  EXPECT_FALSE(client.state(*ticket));
}

TEST(JudgeClient, forgets_the_oldest_of_many_answers) {
  auto client = quick_client();
  std::uint64_t last = 0;
  for (int i = 0; i < 100; ++i) {
    const auto ticket = client.ask({{"source", "x"}});
    ASSERT_TRUE(ticket);
    last = *ticket;
    EXPECT_TRUE(wait_for(client, last).contains("answer"));
  }
  EXPECT_FALSE(client.state(1));
  EXPECT_FALSE(client.state(last - 64));
  EXPECT_TRUE(client.state(last - 63));
}

TEST(JudgeClient, keeps_an_answer_when_a_cancelled_request_is_answered) {
  // Answers 65 when it is cancelled, and ends.
  JudgeClient client({"sed", "-u", R"(/"cancel"/{s/.*/{"id":65}/;q};/"id":6[56]/d
s/.*"id":\([0-9]*\).*/{"id":\1}/)"});
  for (std::uint64_t i = 1; i <= 64; ++i) {
    ASSERT_TRUE(client.ask({{"source", "x"}}));
    ASSERT_TRUE(wait_for(client, i).contains("answer"));
  }
  ASSERT_TRUE(client.ask({{"source", "x"}}));
  const auto last = client.ask({{"source", "x"}});
  ASSERT_TRUE(last);
  client.cancel(65);
  EXPECT_TRUE(wait_for(client, *last).at("answer").contains("error"));
  EXPECT_TRUE(client.state(1));
}

// Waits until `answered` has taken an answer.
OrderedJson answer_of(JudgeClient& client) {
  std::optional<OrderedJson> taken;
  EXPECT_TRUE(
      client.ask({{"source", "x"}}, [&](OrderedJson answer) { taken = std::move(answer); }));
  while (!taken) {
    PollLoop loop;
    client.watch(loop);
    if (loop.wait()) break;
  }
  return taken.value_or(OrderedJson());
}

TEST(JudgeClient, gives_an_answer_to_who_waits_for_it) {
  auto client = quick_client();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(answer_of(client).value("done", false), true);
  EXPECT_EQ(client.waiting(), 0U);
  EXPECT_FALSE(client.state(100)) << "nothing is kept";
}

TEST(JudgeClient, tells_who_waits_that_the_server_ended) {
  JudgeClient client({"sed", "-n", "1q"});
  EXPECT_TRUE(answer_of(client).contains("error"));
  EXPECT_EQ(client.waiting(), 0U);
}

TEST(JudgeClient, bounds_what_waits) {
  JudgeClient client({"sleep", "60"});
  for (int i = 0; i < 64; ++i) EXPECT_EQ(client.state(*client.ask({}))->at("waiting"), i);
  EXPECT_FALSE(client.ask({}));
  client.cancel(3);
  EXPECT_TRUE(client.ask({}));
}

}  // namespace
}  // namespace msci
