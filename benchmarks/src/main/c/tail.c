/*
 * What it costs to claim the tail of a ring, by a compare-and-set after a look at it, or by an
 * addition: one thread and then two, each on a core of its own, with some work between two claims.
 * Prints ns per claim of each thread, and how many attempts were in vain per claim.
 *
 *   cc -O2 -pthread -o tail tail.c && ./tail
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FRAME = 72, PAIR_OF_LINES = 128, THREADS = 2, RUN_MS = 400, SHORT_WORK = 60, LONG_WORK = 120 };

enum { COMPARE_AND_SET, ADDITION, WAYS };
static const char *const names[WAYS] = {"look, compare-and-set", "addition"};

static struct {
  _Alignas(PAIR_OF_LINES) _Atomic int64_t tail;
  _Alignas(PAIR_OF_LINES) _Atomic int stop;
  struct {
    _Alignas(PAIR_OF_LINES) int64_t claims;
    int64_t in_vain;
  } of[THREADS];
} shared;

static int way;
static int work;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t claim(void) {
  int64_t in_vain = 0;
  if (way == ADDITION) {
    atomic_fetch_add(&shared.tail, FRAME);
    return 0;
  }
  int64_t tail = atomic_load(&shared.tail);
  while (!atomic_compare_exchange_strong(&shared.tail, &tail, tail + FRAME)) {
    tail = atomic_load(&shared.tail);
    in_vain++;
  }
  return in_vain;
}

static void *claims(void *argument) {
  intptr_t core = (intptr_t)argument;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  if (sched_setaffinity(0, sizeof cores, &cores) != 0) perror("sched_setaffinity");
  int64_t count = 0, in_vain = 0;
  for (; !atomic_load_explicit(&shared.stop, memory_order_relaxed); count++) {
    in_vain += claim();
    for (int i = 0; i < work; i++) __asm__ volatile("" ::: "memory");
  }
  shared.of[core].claims = count;
  shared.of[core].in_vain = in_vain;
  return NULL;
}

static void measure(int threads) {
  pthread_t started[THREADS];
  shared.stop = 0;
  int64_t start = now_ns();
  for (intptr_t i = 0; i < threads; i++)
    if (pthread_create(&started[i], NULL, claims, (void *)i) != 0) exit(1);
  nanosleep(&(struct timespec){0, RUN_MS * 1000000L}, NULL);
  shared.stop = 1;
  int64_t count = 0, in_vain = 0;
  for (int i = 0; i < threads; i++) {
    pthread_join(started[i], NULL);
    count += shared.of[i].claims;
    in_vain += shared.of[i].in_vain;
  }
  double ns = (double)(now_ns() - start) * threads / (double)count;
  printf("%d thread%s, work %3d, %-21s %6.1f ns, %.2f in vain\n", threads, threads > 1 ? "s" : " ",
         work, names[way], ns, (double)in_vain / (double)count);
}

int main(void) {
  const int works[] = {0, SHORT_WORK, LONG_WORK};
  for (int i = 0; i < 3; i++)
    for (int threads = 1; threads <= THREADS; threads++)
      for (way = 0; way < WAYS; way++) {
        work = works[i];
        measure(threads);
      }
  return 0;
}
