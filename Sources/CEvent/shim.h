#pragma once
// event-config.h defines _GNU_SOURCE, which would give fd_set another shape here than in Dispatch. The system's headers
// decide their features when the first of them is read, so one is read before libevent's.
#include <sys/select.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/socket.h>

// glibc's spawn.h shows these two only to programs that ask for its own extensions.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
