/*
 * The limit that the memory sets: messages of a fixed length through a ring that two processes have
 * mapped, one per direction. Each message carries its number; there are no objects.
 *
 *   cc -O2 -o shm_reference shm_reference.c
 *   ./shm_reference stream|pingpong BYTES park|spin SENDER_CPU RECEIVER_CPU SECONDS WARMUP
 *
 * Who spins asks again and again; who parks does so for a moment and then waits for a futex, and
 * who writes wakes it only if it sleeps. Prints one line "name=value name=value ...".
 */
#include "reference.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { LINE = 128, LOOKS = 200 };

/* Ring bytes: stays in a cache of the second level unless one message is longer. */
enum { RING_BYTES = 512 * 1024 };

/* One writer, one reader. Positions count slots and only grow; each is on lines of its own. */
struct ring {
  _Alignas(LINE) _Atomic uint64_t written;
  _Alignas(LINE) _Atomic uint64_t read;
  _Alignas(LINE) _Atomic uint32_t reader_sleeps;
  _Alignas(LINE) _Atomic uint32_t writer_sleeps;
  _Alignas(LINE) char slots[];
};

static int spin;
static size_t length, slot_length;
static uint64_t slots;

static void pause_cpu(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/* Waits until the position is another one; the flag says that somebody sleeps. */
static void await_change(_Atomic uint64_t *position, uint64_t old, _Atomic uint32_t *sleeps) {
  for (int looks = 0; atomic_load_explicit(position, memory_order_acquire) == old; looks++) {
    if (spin || looks < LOOKS) {
      pause_cpu();
      continue;
    }
    atomic_store(sleeps, 1); /* sequentially consistent: before the look that follows */
    if (atomic_load(position) == old)
      syscall(SYS_futex, sleeps, FUTEX_WAIT, 1, NULL, NULL, 0);
    atomic_store(sleeps, 0);
  }
}

static void wake(_Atomic uint32_t *sleeps) {
  if (spin) return;
  atomic_thread_fence(memory_order_seq_cst); /* pairs with the store in await_change */
  if (atomic_load_explicit(sleeps, memory_order_relaxed) && atomic_exchange(sleeps, 0))
    syscall(SYS_futex, sleeps, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static char *slot(struct ring *ring, uint64_t position) {
  return ring->slots + (position & (slots - 1)) * slot_length;
}

/* The reader's position, as the writer saw it last, saves a look at the other's line. */
static void put(struct ring *ring, const char *message, uint64_t number, uint64_t *seen) {
  uint64_t at = atomic_load_explicit(&ring->written, memory_order_relaxed);
  while (at - *seen == slots) {
    uint64_t now = atomic_load_explicit(&ring->read, memory_order_acquire);
    if (now == *seen) await_change(&ring->read, now, &ring->writer_sleeps);
    *seen = atomic_load_explicit(&ring->read, memory_order_acquire);
  }
  char *to = slot(ring, at);
  memcpy(to, message, length);
  memcpy(to, &number, sizeof number);
  atomic_store_explicit(&ring->written, at + 1, memory_order_release);
  wake(&ring->reader_sleeps);
}

static uint64_t take(struct ring *ring, char *message, uint64_t *seen) {
  uint64_t at = atomic_load_explicit(&ring->read, memory_order_relaxed);
  if (*seen == at) {
    await_change(&ring->written, at, &ring->reader_sleeps);
    *seen = atomic_load_explicit(&ring->written, memory_order_acquire);
  }
  memcpy(message, slot(ring, at), length);
  atomic_store_explicit(&ring->read, at + 1, memory_order_release);
  wake(&ring->writer_sleeps);
  uint64_t number;
  memcpy(&number, message, sizeof number);
  return number;
}

static struct ring *map_ring(void) {
  size_t bytes = sizeof(struct ring) + slots * slot_length;
  struct ring *ring =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (ring == MAP_FAILED) fail("mmap");
  return ring;
}

enum { NEXT_ROUND = -2, LAST = -1 }; /* numbers that no message has */

static void receive(struct ring *there, struct ring *back, char *message, int streams) {
  uint64_t expected = 0, written = 0, read = 0;
  for (;;) {
    uint64_t number = take(there, message, &written);
    if (number == (uint64_t)LAST) _exit(0);
    if (number == (uint64_t)NEXT_ROUND) {
      put(back, message, expected, &read);
      expected = 0;
      continue;
    }
    if (number != expected++) {
      fprintf(stderr, "c: message %llu, expected %llu\n", (unsigned long long)number,
              (unsigned long long)(expected - 1));
      _exit(1);
    }
    if (!streams) put(back, message, number, &read);
  }
}

static void measure(struct ring *there, struct ring *back, char *message, int streams,
                    double seconds, int report, uint64_t *read, uint64_t *written) {
  struct trips trips = start_trips();
  int64_t deadline = trips.start + (int64_t)(seconds * 1e9);
  uint64_t sent = 0;
  for (int over = 0; !over;) {
    if (streams) {
      for (int i = 0; i < 64; i++) put(there, message, sent++, read);
      over = now_ns() >= deadline;
      continue;
    }
    put(there, message, sent, read);
    if (take(back, message, written) != sent++) {
      fprintf(stderr, "c: wrong reply\n");
      exit(1);
    }
    count_trip(&trips);
    over = trips.before >= deadline;
  }
  put(there, message, (uint64_t)NEXT_ROUND, read);
  uint64_t handled = take(back, message, written);
  double elapsed = (double)(now_ns() - trips.start) / 1e9;
  if (handled != sent) {
    fprintf(stderr, "c: messages lost\n");
    exit(1);
  }
  if (report && streams)
    printf("seconds=%.9f cpu=%.6f bytes=%llu messages=%llu\n", elapsed, cpu_seconds() - trips.cpu,
           (unsigned long long)(sent * length), (unsigned long long)sent);
  else if (report) print_trips(&trips);
}

/* Nobody would answer any more, and this process may sleep. */
static void receiver_died(int unused) {
  (void)unused;
  static const char text[] = "c: the receiving process has died\n";
  if (write(2, text, sizeof text - 1) < 0) {
  }
  _exit(1);
}

int main(int count, char **words) {
  if (count != 8) {
    fprintf(stderr, "usage: %s stream|pingpong BYTES park|spin SENDER_CPU RECEIVER_CPU SECONDS "
                    "WARMUP\n", words[0]);
    return 2;
  }
  int streams = strcmp(words[1], "stream") == 0;
  spin = strcmp(words[3], "spin") == 0;
  length = strtoul(words[2], NULL, 10);
  if (length < sizeof(uint64_t)) length = sizeof(uint64_t);
  slot_length = (length + 63) / 64 * 64;
  for (slots = 4; slots * 2 * slot_length <= RING_BYTES;) slots *= 2;
  char *message = aligned_alloc(4096, (length + 4095) / 4096 * 4096);
  if (message == NULL) fail("memory");
  memset(message, 7, length);
  struct ring *there = map_ring(), *back = map_ring();
  if (fork_child(atoi(words[5])) == 0) receive(there, back, message, streams);
  signal(SIGCHLD, receiver_died);
  watch_input(atoi(words[4]));
  uint64_t read = 0, written = 0;
  measure(there, back, message, streams, atof(words[7]), 0, &read, &written);
  measure(there, back, message, streams, atof(words[6]), 1, &read, &written);
  fflush(stdout);
  signal(SIGCHLD, SIG_DFL);
  put(there, message, (uint64_t)LAST, &read);
  int status;
  if (waitpid(child, &status, 0) < 0 || status != 0) {
    fprintf(stderr, "c: the receiving process has failed\n");
    return 1;
  }
  return 0;
}
