/*
 * The limit that the kernel sets: a stream and a ping-pong over TCP on 127.0.0.1, or over a Unix
 * socket, between two processes, with no messages, objects or threads. Everything a messaging
 * library adds is measured against this.
 *
 *   cc -O2 -o socket_reference socket_reference.c
 *   ./socket_reference stream|pingpong BYTES_PER_WRITE park|spin SENDER_CPU RECEIVER_CPU SECONDS \
 *       WARMUP tcp|unix plain|zerocopy|busypoll|uring|uring_zerocopy PAUSE
 *
 * zerocopy streams with MSG_ZEROCOPY: the kernel sends the pages of the buffer and tells when it is
 * done with them. busypoll asks for SO_BUSY_POLL: who waits for input looks at the device meanwhile.
 * Both are for TCP. uring sends by io_uring, and in a ping-pong each side sends, and waits for what
 * comes next, in one call; uring_zerocopy streams without a copy that way. PAUSE is the seconds of silence before each measured round trip. A CPU of -1 leaves the process to the scheduler. Prints one line "name=value name=value ...".
 * The child process ends with its parent, and the parent when its standard input ends.
 */
#include "reference.h"
#include "uring.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { READ_BYTES = 128 * 1024 }; /* as the buffers of the Java programs */
enum { MOST_UNTOLD = 64 };        /* writes without a copy of which the kernel has not told yet */
enum { BUSY_POLL_MICROS = 50 };

/* ---- sockets ---------------------------------------------------------------------------- */

/* Whether it is a Unix socket, here of the abstract kind: a name and no file. */
static int local;

static int zero_copy, busy_poll, by_uring, uring_zero_copy;

union address {
  struct sockaddr any;
  struct sockaddr_in tcp;
  struct sockaddr_un local;
};

/* A socket that does not block makes read_full and write_full spin. */
static void configure(int fd, int spin) {
  int on = 1;
  if (!local && setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) fail("TCP_NODELAY");
  if (zero_copy && setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof on) != 0) fail("SO_ZEROCOPY");
  int micros = BUSY_POLL_MICROS;
  if (busy_poll && setsockopt(fd, SOL_SOCKET, SO_BUSY_POLL, &micros, sizeof micros) != 0)
    fail("SO_BUSY_POLL");
  if (spin && fcntl(fd, F_SETFL, O_NONBLOCK) != 0) fail("O_NONBLOCK");
}

static int would_block(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/* Returns 0 at the end of the stream. */
static int read_full(int fd, char *data, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t n = read(fd, data + done, length - done);
    if (n == 0) return 0;
    if (n > 0) done += (size_t)n;
    else if (!would_block()) fail("read");
  }
  return 1;
}

static void write_full(int fd, const char *data, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t n = write(fd, data + done, length - done);
    if (n > 0) done += (size_t)n;
    else if (n < 0 && !would_block()) fail("write");
  }
}

/* Reads what the kernel tells of writes without a copy, until no more than some are untold. */
static void await_told(int fd, uint64_t writes, uint64_t *told, uint64_t most_untold) {
  while (writes - *told > most_untold) {
    struct pollfd errors = {.fd = fd, .events = 0};
    if (poll(&errors, 1, -1) < 0) fail("poll");
    char control[128];
    struct msghdr message = {.msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(fd, &message, MSG_ERRQUEUE) < 0) {
      if (would_block()) continue;
      fail("MSG_ERRQUEUE");
    }
    for (struct cmsghdr *each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
      struct sock_extended_err *err = (struct sock_extended_err *)CMSG_DATA(each);
      if (err->ee_origin == SO_EE_ORIGIN_ZEROCOPY) *told += err->ee_data - err->ee_info + 1;
    }
  }
}

/* Every call of the kernel counts as a write of which it will tell. */
static void send_pages(int fd, const char *data, size_t length, uint64_t *writes, uint64_t *told) {
  for (size_t done = 0; done < length;) {
    await_told(fd, *writes, told, MOST_UNTOLD);
    ssize_t n = send(fd, data + done, length - done, MSG_ZEROCOPY);
    if (n > 0) {
      done += (size_t)n;
      ++*writes;
    } else if (n < 0 && errno == ENOBUFS) {
      await_told(fd, *writes, told, *writes - *told - 1);
    } else if (n < 0 && !would_block()) {
      fail("MSG_ZEROCOPY");
    }
  }
}

/* Listens on loopback, or on a name that the kernel chooses. */
static int listen_somewhere(union address *address, socklen_t *length) {
  int fd = socket(local ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
  if (fd < 0) fail("socket");
  memset(address, 0, sizeof *address);
  if (local) {
    address->local.sun_family = AF_UNIX;
    *length = sizeof address->local.sun_family;
  } else {
    address->tcp.sin_family = AF_INET;
    address->tcp.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *length = sizeof address->tcp;
  }
  if (bind(fd, &address->any, *length) != 0) fail("bind");
  if (listen(fd, 1) != 0) fail("listen");
  *length = sizeof *address;
  if (getsockname(fd, &address->any, length) != 0) fail("getsockname");
  return fd;
}

static int connect_to(const union address *address, socklen_t length, int spin) {
  int fd = socket(address->any.sa_family, SOCK_STREAM, 0);
  if (fd < 0) fail("socket");
  if (connect(fd, &address->any, length) != 0) fail("connect");
  configure(fd, spin);
  return fd;
}

/* ---- stream: warm-up and measurement are one connection each ------------------------------- */

static void receive_stream(int fd, char *buffer) {
  uint64_t total = 0;
  ssize_t n;
  while ((n = read(fd, buffer, READ_BYTES)) != 0) {
    if (n > 0) total += (uint64_t)n;
    else if (!would_block()) fail("read");
  }
  write_full(fd, (const char *)&total, sizeof total);
}

/* Sends until the time is over; the clock stops when the receiver has told what it read. */
static void send_stream(int fd, char *buffer, size_t length, double seconds, int report) {
  double cpu = cpu_seconds();
  int64_t start = now_ns(), deadline = start + (int64_t)(seconds * 1e9);
  uint64_t writes = 0, received = 0, calls = 0, told = 0;
  do {
    if (by_uring) uring_send(fd, buffer, length, uring_zero_copy ? MOST_UNTOLD : 0);
    else if (zero_copy) send_pages(fd, buffer, length, &calls, &told);
    else write_full(fd, buffer, length);
    writes++;
  } while (now_ns() < deadline);
  await_told(fd, calls, &told, 0);
  if (uring_zero_copy) uring_await_told(0);
  shutdown(fd, SHUT_WR);
  if (!read_full(fd, (char *)&received, sizeof received)) fail("no report");
  double elapsed = (double)(now_ns() - start) / 1e9;
  if (received != writes * length) {
    fprintf(stderr, "c: bytes lost\n");
    exit(1);
  }
  if (report) printf("seconds=%.9f cpu=%.6f bytes=%llu\n", elapsed, cpu_seconds() - cpu,
                     (unsigned long long)received);
}

/* ---- ping-pong ----------------------------------------------------------------------------- */

static void echo(int fd, char *buffer, size_t length) {
  if (by_uring) {
    if (!read_full(fd, buffer, length)) return;
    while (uring_exchange(fd, buffer, length)) continue;
    return;
  }
  while (read_full(fd, buffer, length)) write_full(fd, buffer, length);
}

/* Every message carries its number, and comes back with it. */
static void ping(int fd, char *buffer, size_t length, double seconds, double pause, int report) {
  struct timespec silence = {(time_t)pause, (long)((pause - (double)(time_t)pause) * 1e9)};
  struct trips trips = start_trips();
  int64_t deadline = trips.start + (int64_t)(seconds * 1e9);
  do {
    if (pause > 0) {
      nanosleep(&silence, NULL);
      trips.before = now_ns();
    }
    memcpy(buffer, &trips.count, sizeof trips.count);
    if (by_uring) {
      if (!uring_exchange(fd, buffer, length)) fail("connection closed");
    } else {
      write_full(fd, buffer, length);
      if (!read_full(fd, buffer, length)) fail("connection closed");
    }
    if (memcmp(buffer, &trips.count, sizeof trips.count) != 0) {
      fprintf(stderr, "c: wrong reply\n");
      exit(1);
    }
    count_trip(&trips);
  } while (trips.before < deadline);
  if (report) print_trips(&trips);
}

/* ---- processes ------------------------------------------------------------------------------ */

static void run_receiver(int server, int streams, int spin, char *buffer, size_t length) {
  if (by_uring && !streams) uring_open();
  for (int round = 0; round < 2; round++) {
    int fd = accept(server, NULL, NULL);
    if (fd < 0) fail("accept");
    configure(fd, spin);
    if (streams) receive_stream(fd, buffer);
    else echo(fd, buffer, length);
    close(fd);
  }
  _exit(0);
}

int main(int count, char **words) {
  if (count != 11) {
    fprintf(stderr, "usage: %s stream|pingpong BYTES_PER_WRITE park|spin SENDER_CPU RECEIVER_CPU "
                    "SECONDS WARMUP tcp|unix plain|zerocopy|busypoll|uring|uring_zerocopy PAUSE\n",
            words[0]);
    return 2;
  }
  int streams = strcmp(words[1], "stream") == 0, spin = strcmp(words[3], "spin") == 0;
  local = strcmp(words[8], "unix") == 0;
  zero_copy = strcmp(words[9], "zerocopy") == 0;
  busy_poll = strcmp(words[9], "busypoll") == 0;
  uring_zero_copy = strcmp(words[9], "uring_zerocopy") == 0;
  by_uring = uring_zero_copy || strcmp(words[9], "uring") == 0;
  size_t length = strtoul(words[2], NULL, 10);
  if (length < sizeof(uint64_t)) length = sizeof(uint64_t);
  double seconds[] = {atof(words[7]), atof(words[6])};
  size_t room = length > READ_BYTES ? length : READ_BYTES;
  char *buffer = aligned_alloc(4096, (room + 4095) / 4096 * 4096);
  if (buffer == NULL) fail("memory");
  memset(buffer, 7, room); /* touched, so that no page fault is measured */

  signal(SIGPIPE, SIG_IGN);
  union address address;
  socklen_t address_length;
  int server = listen_somewhere(&address, &address_length);
  if (fork_child(atoi(words[5])) == 0) run_receiver(server, streams, spin, buffer, length);
  close(server);
  watch_input(atoi(words[4]));
  if (by_uring) uring_open();
  for (int round = 0; round < 2; round++) {
    int fd = connect_to(&address, address_length, spin);
    if (streams) send_stream(fd, buffer, length, seconds[round], round);
    else ping(fd, buffer, length, seconds[round], round ? atof(words[10]) : 0, round);
    close(fd);
  }
  fflush(stdout);
  waitpid(child, NULL, 0);
  return 0;
}
