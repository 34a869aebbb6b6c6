/*
 * The limit that the kernel sets: a TCP stream and a TCP ping-pong over 127.0.0.1 between two
 * processes, with no messages, objects or threads. Everything a messaging library adds is measured
 * against this.
 *
 *   cc -O2 -o tcp_reference tcp_reference.c
 *   ./tcp_reference stream|pingpong BYTES_PER_WRITE park|spin SENDER_CPU RECEIVER_CPU SECONDS WARMUP
 *
 * A CPU of -1 leaves the process to the scheduler. Prints one line "name=value name=value ...".
 * The child process ends with its parent, and the parent when its standard input ends.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { READ_BYTES = 128 * 1024 }; /* as the buffers of the Java programs */

static void fail(const char *what) {
  fprintf(stderr, "tcp_reference: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Processor time of this process and its child, in seconds. */
static pid_t child;
static double cpu_seconds(void) {
  struct timespec own, its;
  clockid_t clock;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &its) != 0)
    fail("clock of the child");
  return (double)(own.tv_sec + its.tv_sec) + (double)(own.tv_nsec + its.tv_nsec) / 1e9;
}

static void pin(int cpu) {
  if (cpu < 0) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) fail("sched_setaffinity");
}

/* ---- sockets ---------------------------------------------------------------------------- */

/* A socket that does not block makes read_full and write_full spin. */
static void configure(int fd, int spin) {
  int on = 1;
  if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) fail("TCP_NODELAY");
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

static int listen_on_loopback(struct sockaddr_in *address) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) fail("socket");
  memset(address, 0, sizeof *address);
  address->sin_family = AF_INET;
  address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof *address;
  if (bind(fd, (struct sockaddr *)address, length) != 0) fail("bind");
  if (listen(fd, 1) != 0) fail("listen");
  if (getsockname(fd, (struct sockaddr *)address, &length) != 0) fail("getsockname");
  return fd;
}

static int connect_to(const struct sockaddr_in *address, int spin) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) fail("socket");
  if (connect(fd, (const struct sockaddr *)address, sizeof *address) != 0) fail("connect");
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
  uint64_t writes = 0, received = 0;
  do {
    write_full(fd, buffer, length);
    writes++;
  } while (now_ns() < deadline);
  shutdown(fd, SHUT_WR);
  if (!read_full(fd, (char *)&received, sizeof received)) fail("no report");
  double elapsed = (double)(now_ns() - start) / 1e9;
  if (received != writes * length) {
    fprintf(stderr, "tcp_reference: bytes lost\n");
    exit(1);
  }
  if (report) printf("seconds=%.9f cpu=%.6f bytes=%llu\n", elapsed, cpu_seconds() - cpu,
                     (unsigned long long)received);
}

/* ---- ping-pong ----------------------------------------------------------------------------- */

/* 128 buckets for each power of two: a value is known to better than 1 %. */
enum { SUB_BITS = 7, BUCKETS = (64 - SUB_BITS + 1) << SUB_BITS };
static uint64_t histogram[BUCKETS];

static unsigned bucket_of(uint64_t value) {
  if (value < (1u << SUB_BITS)) return (unsigned)value;
  unsigned shift = 63u - (unsigned)__builtin_clzll(value) - SUB_BITS;
  return ((shift + 1) << SUB_BITS) + (unsigned)((value >> shift) & ((1u << SUB_BITS) - 1));
}

static double value_of(unsigned bucket) {
  if (bucket < (1u << SUB_BITS)) return bucket;
  unsigned shift = (bucket >> SUB_BITS) - 1;
  uint64_t low = (uint64_t)((1u << SUB_BITS) | (bucket & ((1u << SUB_BITS) - 1))) << shift;
  return (double)low + (double)(1ull << shift) / 2;
}

static double percentile_us(uint64_t count, double percent) {
  uint64_t rank = (uint64_t)((double)count * percent / 100), seen = 0;
  for (unsigned b = 0; b < BUCKETS; b++) {
    seen += histogram[b];
    if (seen > rank) return value_of(b) / 1e3;
  }
  return 0;
}

static void echo(int fd, char *buffer, size_t length) {
  while (read_full(fd, buffer, length)) write_full(fd, buffer, length);
}

/* Every message carries its number, and comes back with it. */
static void ping(int fd, char *buffer, size_t length, double seconds, int report) {
  uint64_t count = 0;
  double sum = 0, cpu = cpu_seconds();
  int64_t start = now_ns(), before = start, largest = 0;
  int64_t deadline = start + (int64_t)(seconds * 1e9);
  memset(histogram, 0, sizeof histogram);
  do {
    memcpy(buffer, &count, sizeof count);
    write_full(fd, buffer, length);
    if (!read_full(fd, buffer, length)) fail("connection closed");
    if (memcmp(buffer, &count, sizeof count) != 0) {
      fprintf(stderr, "tcp_reference: wrong reply\n");
      exit(1);
    }
    int64_t after = now_ns(), took = after - before;
    histogram[bucket_of((uint64_t)took)]++;
    sum += (double)took;
    if (took > largest) largest = took;
    before = after;
    count++;
  } while (before < deadline);
  if (report)
    printf("seconds=%.9f cpu=%.6f messages=%llu mean=%.3f p50=%.3f p90=%.3f p99=%.3f p999=%.3f "
           "max=%.3f\n",
           (double)(before - start) / 1e9, cpu_seconds() - cpu, (unsigned long long)count, sum / (double)count / 1e3,
           percentile_us(count, 50), percentile_us(count, 90), percentile_us(count, 99),
           percentile_us(count, 99.9), (double)largest / 1e3);
}

/* ---- processes ------------------------------------------------------------------------------ */

static void *exit_at_end_of_input(void *unused) {
  char ignored[64];
  while (read(0, ignored, sizeof ignored) > 0) {
  }
  _exit(1);
  return unused;
}

static void run_receiver(int server, int streams, int spin, char *buffer, size_t length) {
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
  if (count != 8) {
    fprintf(stderr, "usage: %s stream|pingpong BYTES_PER_WRITE park|spin SENDER_CPU RECEIVER_CPU "
                    "SECONDS WARMUP\n", words[0]);
    return 2;
  }
  int streams = strcmp(words[1], "stream") == 0, spin = strcmp(words[3], "spin") == 0;
  size_t length = strtoul(words[2], NULL, 10);
  if (length < sizeof(uint64_t)) length = sizeof(uint64_t);
  double seconds[] = {atof(words[7]), atof(words[6])};
  size_t room = length > READ_BYTES ? length : READ_BYTES;
  char *buffer = aligned_alloc(4096, (room + 4095) / 4096 * 4096);
  if (buffer == NULL) fail("memory");
  memset(buffer, 7, room); /* touched, so that no page fault is measured */

  signal(SIGPIPE, SIG_IGN);
  struct sockaddr_in address;
  int server = listen_on_loopback(&address);
  pid_t parent = getpid();
  child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1); /* it ended before the line above */
    pin(atoi(words[5]));
    run_receiver(server, streams, spin, buffer, length);
  }
  close(server);
  /* Before the watcher starts: pinning is for this thread, the watcher inherits it and sleeps. */
  pin(atoi(words[4]));
  pthread_t watcher;
  if (pthread_create(&watcher, NULL, exit_at_end_of_input, NULL) != 0) fail("thread");
  for (int round = 0; round < 2; round++) {
    int fd = connect_to(&address, spin);
    if (streams) send_stream(fd, buffer, length, seconds[round], round);
    else ping(fd, buffer, length, seconds[round], round);
    close(fd);
  }
  fflush(stdout);
  waitpid(child, NULL, 0);
  return 0;
}
