// A program of WASI opens no socket.
#pragma once
#include_next <sys/socket.h>

#define MSG_NOSIGNAL 0

static inline int socket(int domain, int type, int protocol) {
  (void)domain, (void)type, (void)protocol;
  return -1;
}
static inline int connect(int socket, const struct sockaddr* address, socklen_t size) {
  (void)socket, (void)address, (void)size;
  return -1;
}
static inline int bind(int socket, const struct sockaddr* address, socklen_t size) {
  (void)socket, (void)address, (void)size;
  return -1;
}
static inline int listen(int socket, int backlog) {
  (void)socket, (void)backlog;
  return -1;
}
