// WASI has no sockets of this kind: this structure, whose own has no path, serves no call.
#pragma once
#include <sys/socket.h>

struct sockaddr_un {
  sa_family_t sun_family;
  char sun_path[108];
};
