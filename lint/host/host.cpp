#include "lint/host/host.h"

#include <utility>

#include "lint/host/follow.h"

namespace msci {

Host read_host(Source source) {
  Host host{.source = std::move(source)};
  host::follow(host::syntax_of(host.source), host);
  return host;
}

}  // namespace msci
