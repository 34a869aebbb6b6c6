/*
 * What a parked round trip between two processes costs by how each is woken, without anything else:
 *
 *   cc -O2 -o /tmp/wakeups benchmarks/src/main/c/wakeups.c && /tmp/wakeups
 *
 * A mode names how the requester waits and how the other one does: a byte in a Unix domain socket
 * and epoll, a byte and a blocking read, an eventfd and epoll, or a futex. Modes take turns, ROUNDS
 * times, with the processes on one core and on two; a line is the median and the 90th percentile of
 * TRIPS round trips in microseconds. docs/experiments/kernel.md has figures.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 3, TRIPS = 20000, WARMUP = 2000, APART = 32 };

enum way { SOCKET_EPOLL, SOCKET_READ, EVENTFD_EPOLL, FUTEX };

static const char *const names[] = {"socket and epoll", "socket and read", "eventfd and epoll", "futex"};

static const enum way modes[][2] = {
    {SOCKET_EPOLL, SOCKET_EPOLL},   {SOCKET_READ, SOCKET_READ}, {EVENTFD_EPOLL, EVENTFD_EPOLL},
    {FUTEX, SOCKET_EPOLL}, {FUTEX, FUTEX},
};

static int sockets[2], events[2], epolls[2];
static atomic_uint *words;
static unsigned seen; /* of the own word */

static void check(long result, const char *what) {
  if (result < 0) {
    perror(what);
    exit(1);
  }
}

static void pin(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  check(sched_setaffinity(0, sizeof set, &set), "sched_setaffinity");
}

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* Side `me` wakes the other one, which waits in this way. */
static void wake(int me, enum way way) {
  int other = 1 - me;
  unsigned long one = 1;
  switch (way) {
    case SOCKET_EPOLL:
    case SOCKET_READ:
      check(write(sockets[me], &one, 1), "write");
      break;
    case EVENTFD_EPOLL:
      check(write(events[other], &one, sizeof one), "write");
      break;
    case FUTEX:
      atomic_fetch_add(&words[other * APART], 1);
      check(syscall(SYS_futex, &words[other * APART], FUTEX_WAKE, 1, 0, 0, 0), "futex");
      break;
  }
}

static void await(int me, enum way way) {
  struct epoll_event event;
  char bytes[256];
  switch (way) {
    case SOCKET_EPOLL:
    case EVENTFD_EPOLL:
      check(epoll_wait(epolls[me], &event, 1, -1), "epoll_wait");
      check(read(way == SOCKET_EPOLL ? sockets[me] : events[me], bytes, sizeof bytes), "read");
      break;
    case SOCKET_READ:
      check(read(sockets[me], bytes, sizeof bytes), "read");
      break;
    case FUTEX:
      while (atomic_load(&words[me * APART]) == seen) {
        syscall(SYS_futex, &words[me * APART], FUTEX_WAIT, seen, 0, 0, 0);
      }
      seen++;
      break;
  }
}

static int compare(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

static void requester(const enum way *mode, int cores) {
  static long times[TRIPS];
  for (int i = -WARMUP; i < TRIPS; i++) {
    long began = now();
    wake(0, mode[1]);
    await(0, mode[0]);
    if (i >= 0) {
      times[i] = now() - began;
    }
  }
  qsort(times, TRIPS, sizeof *times, compare);
  printf("%d core%s  %-18s %-18s p50 %6.2f  p90 %6.2f us\n", cores, cores > 1 ? "s" : " ",
         names[mode[0]], names[mode[1]], times[TRIPS / 2] / 1e3, times[TRIPS * 9 / 10] / 1e3);
  fflush(stdout);
}

static void run(const enum way *mode, int cores) {
  check(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), "socketpair");
  pid_t child;
  words[0] = words[APART] = seen = 0;
  for (int side = 0; side < 2; side++) {
    check(events[side] = eventfd(0, 0), "eventfd");
    check(epolls[side] = epoll_create1(0), "epoll_create1");
    struct epoll_event event = {.events = EPOLLIN};
    int watched = mode[side] == EVENTFD_EPOLL ? events[side] : sockets[side];
    check(epoll_ctl(epolls[side], EPOLL_CTL_ADD, watched, &event), "epoll_ctl");
  }
  check(child = fork(), "fork");
  int me = child == 0;
  pin(me && cores > 1 ? 1 : 0);
  if (me) {
    for (int i = -WARMUP; i < TRIPS; i++) {
      await(1, mode[1]);
      wake(1, mode[0]);
    }
    exit(0);
  }
  requester(mode, cores);
  waitpid(child, 0, 0);
  for (int side = 0; side < 2; side++) {
    close(sockets[side]);
    close(events[side]);
    close(epolls[side]);
  }
}

int main(void) {
  words = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  check(words == MAP_FAILED ? -1 : 0, "mmap");
  int most = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
  for (int cores = most; cores >= 1; cores--) {
    for (int round = 0; round < ROUNDS; round++) {
      for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++) {
        run(modes[i], cores);
      }
    }
  }
  return 0;
}
