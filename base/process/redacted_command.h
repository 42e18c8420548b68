// Shell commands without their secrets, for files that others may read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace msci {

constexpr std::string_view redacted_value = "***";

// A command whose values that may be secrets are "***": those of assignments (`KEY=value`), of
// options, members of JSON and parameters of URLs with names such as --api-key and --token, of
// headers such as `Authorization:`, of users in URLs, and words such as sk-…. References to
// variables (`KEY=$KEY`) stay. A command of more than 16 KiB becomes "***".
struct RedactedCommand {
  std::string text;
  // The values, of six characters or more. `secrets` are those that a name or their form marks.
  std::vector<std::string> values;
  std::vector<std::string> secrets;
};
RedactedCommand redact_command(std::string_view command);

// The text with "***" in the place of each value.
std::string without_values(std::string text, const std::vector<std::string>& values);

}  // namespace msci
