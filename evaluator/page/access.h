// Who may use the page's server: the page that it served, and no other site or program without its
// address.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "evaluator/page/http_messages.h"

namespace msci {

// The address of the page holds a secret: http://127.0.0.1:PORT/TOKEN/.
struct PageAccess {
  std::string token;
  std::uint16_t port = 0;

  std::string origin() const;   // "http://127.0.0.1:PORT"
  std::string address() const;  // the origin with the token
};

// 32 hexadecimal digits, from the system's random numbers. Errors: the system gives none.
Result<std::string> random_token();

// Why a request is refused: another site sent it (by its Origin or Sec-Fetch-Site), its Host is a
// name that another site may have pointed to this machine (DNS rebinding), or it lacks the token.
std::optional<HttpResponse> refuse(const HttpRequest& request, const PageAccess& access);

// The path behind the token: "judge". Only for requests that are not refused.
std::string_view path_behind_token(const HttpRequest& request, const PageAccess& access);

}  // namespace msci
