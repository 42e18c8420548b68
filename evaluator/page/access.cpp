#include <fmt/format.h>
#include <sys/random.h>

#include <array>

#include "evaluator/page/http_server.h"

namespace msci {
namespace {

HttpResponse refusal(unsigned status, std::string_view why) {
  return {.status = status, .type = "text/plain", .body = fmt::format("{}\n", why)};
}

}  // namespace

bool is_same_secret(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i]);
  return difference == 0;
}

std::string PageAccess::origin() const { return fmt::format("http://127.0.0.1:{}", port); }
std::string PageAccess::address() const { return fmt::format("{}/{}/", origin(), token); }

Result<std::string> random_token() {
  std::array<unsigned char, 16> bytes;
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error{"the system gives no random numbers"};
  std::string token;
  for (const auto byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::optional<HttpResponse> refuse(const HttpRequest& request, const PageAccess& access) {
  if (request.host != fmt::format("127.0.0.1:{}", access.port))
    return refusal(421, "this server answers at its own address only");
  if (!request.origin.empty() && request.origin != access.origin())
    return refusal(403, "another site may not use this server");
  const auto& site = request.fetch_site;
  if (!site.empty() && site != "same-origin" && site != "none")
    return refusal(403, "another site may not use this server");
  const auto path = request.path();
  if (!path.starts_with('/') ||
      !is_same_secret(path.substr(1, access.token.size()), access.token) ||
      !path.substr(1 + access.token.size()).starts_with('/'))
    return refusal(404, "the address lacks the token that msci-eval --page printed");
  if (request.method != "GET" && request.method != "POST") return refusal(405, "only GET and POST");
  // A form of another site can send other types without asking first.
  if (request.method == "POST" && request.type != "application/json")
    return refusal(415, "requests are JSON");
  return std::nullopt;
}

std::string_view path_behind_token(const HttpRequest& request, const PageAccess& access) {
  return request.path().substr(access.token.size() + 2);
}

}  // namespace msci
