// Commands without their secrets.
#include "base/process/redacted_command.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

TEST(RedactedCommand, hides_what_may_be_a_secret) {
  const struct {
    const char* command;
    const char* redacted;
  } cases[] = {
      {"./model.sh --fast", "./model.sh --fast"},
      {"KEY=abc123 ./model.sh", "KEY=*** ./model.sh"},
      {"key=abc123 TEMP=1 ./model.sh", "key=*** TEMP=*** ./model.sh"},
      {"cd x && PASS='a b' ./m", "cd x && PASS=*** ./m"},
      {"KEY=\"$(cat file | head -1)\" ./m", "KEY=*** ./m"},
      {"env HF=x ./m", "env HF=*** ./m"},
      {"docker run -e TOKEN=t0p m", "docker run -e TOKEN=*** m"},
      {"sh -c 'KEY=abc exec ./m --token xyz'", "sh -c 'KEY=*** exec ./m --token ***'"},
      // What only names the place of a secret stays.
      {"KEY=$KEY ./m", "KEY=$KEY ./m"},
      {"KEY=\"${OPENAI}\" ./m", "KEY=\"${OPENAI}\" ./m"},
      {"msci-generate openai --url http://h/v1 --model m --key-env KEY --set temperature=0.7",
       "msci-generate openai --url http://h/v1 --model m --key-env KEY --set temperature=0.7"},
      {"./m --max-tokens 100 --token-file t", "./m --max-tokens 100 --token-file t"},
      // Options, headers, URLs, and tokens anywhere.
      {"./m --api-key abc --n 3", "./m --api-key *** --n 3"},
      {"./m --api-key=abc --token 'x y'", "./m --api-key=*** --token ***"},
      {"./m --set api_key=abc", "./m --set api_key=***"},
      {"./m --password --n 3", "./m --password --n 3"},
      {"curl -u me:pw http://h", "curl -u *** http://h"},
      {"curl -H 'Authorization: Bearer abc' http://h", "curl -H 'Authorization: ***' http://h"},
      {"curl -H \"x-api-key: abc\" http://h", "curl -H \"x-api-key: ***\" http://h"},
      {"curl -H \"x-api-key: $KEY\" http://h", "curl -H \"x-api-key: $KEY\" http://h"},
      {"curl 'http://me:pw@h/v1?key=abc&n=1'", "curl 'http://me:***@h/v1?key=***&n=1'"},
      {"sh -c 'KEY=abc curl -H \"x-api-key: $KEY\" http://h'",
       "sh -c 'KEY=*** curl -H \"x-api-key: $KEY\" http://h'"},
      {"sh -c 'curl -H \"x-api-key: abc\" http://h'",
       "sh -c 'curl -H \"x-api-key: ***\" http://h'"},
      {"curl -d '{\"api_key\":\"abc\", \"max_tokens\": 9}' http://h",
       "curl -d '{\"api_key\":\"***\", \"max_tokens\": 9}' http://h"},
      {"./m $(KEY=abc cat x) `KEY=abc cat y`", "./m $(KEY=*** cat x) `KEY=*** cat y`"},
      {"./m \"$(KEY=abc cat x)\"", "./m \"$(KEY=*** cat x)\""},
      {"curl -ume:pw http://h", "curl -u*** http://h"},
      {"./m --accessToken abc", "./m --accessToken ***"},
      {"./m sk-proj-1234567", "./m ***"},
      // Words that only look like these.
      {"python3 -u my_model_a.py", "python3 -u my_model_a.py"},
      {"./task-generator.sh --model spark-13b-chat", "./task-generator.sh --model spark-13b-chat"},
      {"./benchmark-results-2026 ./sk-learn", "./benchmark-results-2026 ./sk-learn"},
      {"./m --maxTokens 100", "./m --maxTokens 100"},
      {"./m --model sk", "./m --model sk"},
  };
  for (const auto& [command, redacted] : cases)
    EXPECT_EQ(redact_command(command).text, redacted) << command;
}

TEST(RedactedCommand, keeps_nothing_of_a_text_that_is_no_command) {
  EXPECT_EQ(redact_command(std::string(1 << 20, 'x')).text, "***");
}

TEST(RedactedCommand, is_its_own_redaction) {
  for (const auto* command : {"KEY=abc123 ./m --token x", "curl -u me:pw 'http://a:b@h?key=1'"}) {
    const auto once = redact_command(command).text;
    EXPECT_EQ(redact_command(once).text, once);
  }
}

TEST(RedactedCommand, tells_values_for_other_texts) {
  const auto redacted =
      redact_command("KEY=sesame12 STYLE=threadgroup N=1 ./m --token opensesame12");
  EXPECT_EQ(redacted.secrets, (std::vector<std::string>{"sesame12", "opensesame12"}));
  EXPECT_EQ(redacted.values, (std::vector<std::string>{"sesame12", "threadgroup", "opensesame12"}));
  EXPECT_EQ(without_values("a sesame12, an opensesame12; threadgroup 1", redacted.secrets),
            "a ***, an ***; threadgroup 1");
}

}  // namespace
}  // namespace msci
